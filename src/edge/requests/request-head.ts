import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, Server, ServerResponse } from 'node:http'
import { arrayBytes } from '../../json/index-names.ts'

/** Most headers of one request; clients and the proxies in front of this server send a tenth of that. */
export const MAX_HEADERS = 200

/** Memory that a request takes, in bytes: the objects made for it, each name and value, and each character. */
export const REQUEST_BYTES = 8 * 1024
export const TEXT_BYTES = 64

type Head = Pick<IncomingMessage, 'rawHeaders' | 'url'>

/**
 * Estimates the memory of a request, in bytes, before anything is known about it. A thousand tiny headers take ten
 * times their characters. Three headers whose names are numbers take a thousand times theirs, because Node puts them
 * into an object and V8 makes an array of them.
 */
export function headBytes({ rawHeaders, url = '' }: Head): number {
  let bytes = REQUEST_BYTES + TEXT_BYTES * rawHeaders.length + url.length
  // The array of the largest number has room for the other numbers.
  let array = 0
  for (let at = 0; at < rawHeaders.length; at++) {
    const text = rawHeaders[at]!
    bytes += text.length
    if (at % 2 === 0) array = Math.max(array, arrayBytes(text))
  }
  return bytes + array
}

/** A refusal of a request by its head alone. */
export interface HeadRefusal {
  readonly status: number
  readonly reason: 'headers' | 'no_http' | 'expect' | 'method'
  /** For the operator: what is wrong. It repeats nothing of the data that was sent. */
  readonly hint?: string
  readonly headers?: OutgoingHttpHeaders
}

const tooManyHeaders: HeadRefusal = { status: 431, reason: 'headers' }
/** RFC 9112 section 3.2. */
const noHost: HeadRefusal = { status: 400, reason: 'no_http', hint: 'The request has no Host header.' }
/**
 * RFC 9110 section 10.1.1. It is unknown whether the client sends its body after this answer, so the connection ends.
 */
const unmetExpectation: HeadRefusal = {
  status: 417,
  reason: 'expect',
  hint: 'The request expects something by its Expect header that is not 100-continue.',
  headers: { connection: 'close' }
}

function refusalOf({ headers, httpVersion, rawHeaders }: IncomingMessage): HeadRefusal | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) return tooManyHeaders
  return httpVersion === '1.1' && headers.host === undefined ? noHost : undefined
}

/** How the requests of a server are handled. */
interface HeadTakers {
  /**
   * Takes a request.
   * @param begin goes on with the request; to be called when its turn has come, or never
   */
  readonly admit: (request: IncomingMessage, response: ServerResponse, begin: () => void) => void
  /** Called instead of the listeners when a refused request begins; answers it. */
  readonly refuse: (response: ServerResponse, refusal: HeadRefusal) => void
}

/**
 * Takes the requests of a server before the listeners that it has so far. This includes requests that Node would refuse
 * by itself, which would count for nobody.
 */
export function takeHeads(server: Server, { admit, refuse }: HeadTakers): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  Object.assign(server, { requireHostHeader: false })
  // Node refuses a head with more headers than this while the head still arrives.
  server.maxHeadersCount = MAX_HEADERS + 1
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    admit(request, response, () => refuse(response, unmetExpectation))
  )
  server.on('request', (request, response) =>
    admit(request, response, () => {
      const refusal = refusalOf(request)
      if (refusal !== undefined) refuse(response, refusal)
      else for (const listener of listeners) listener.call(server, request, response)
    })
  )
}
