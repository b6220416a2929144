import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection } from './connection.ts'
import { unkept } from './unkept.ts'

/** By the error's code; whatever is not named here is no HTTP. */
const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too long: 16 KiB at most.']
}
const noRequest = [400, 'What was sent is no HTTP request.'] as const

/** Milliseconds for which what is still on its way is read after such an answer, and bytes of it. */
const LINGER = { ms: 2_000, bytes: 1024 * 1024 } as const

/**
 * Answers what cannot be read as a request, and ends its connection. The answer says so: a proxy would otherwise keep
 * the connection, and lose the next request on it, which may be anybody's (RFC 9112, section 9.6). Nothing is written
 * into an answer that has begun.
 */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null }
  // What nobody reads is not waited for.
  if (!socket.writable || socket.writableLength > 0 || begun?.headersSent === true) socket.destroy(error)
  else {
    const [statusCode, message] = refusals[error.code ?? ''] ?? noRequest
    endSlowly(socket, lastWords(statusCode, message))
  }
}

/**
 * Ends a connection of a proxy with an answer, if nothing of one is sent. To a proxy one that ends without is a server
 * that is down, for all of its callers.
 * @returns whether it has
 */
export function endsWith503(connection: Connection | undefined): boolean {
  const [first] = connection?.waiting.keys() ?? []
  if (connection?.place !== undefined || first?.headersSent !== false || !first.req.socket.writable)
    return false
  const { socket } = first.req
  socket.write(lastWords(503, 'Too many requests of this caller are under way.'))
  socket.destroySoon()
  return true
}

/** An answer that says that it is the last on its connection. */
function lastWords(statusCode: number, message: string): string {
  const body = JSON.stringify({ statusCode, message })
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...unkept
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head.join('')}\r\n${body}`
}

/**
 * Sends the last words on a connection, and closes it once the other side has ended it, too, or for a while has not. To
 * close it before all that was sent is read would reset it, and its answer may be lost: a proxy takes the server to be
 * down then, and sends others' requests elsewhere or refuses them.
 */
function endSlowly(socket: Socket, words: string): void {
  let left: number = LINGER.bytes
  const late = setTimeout(() => socket.destroy(), LINGER.ms).unref()
  // Node's own listener would have the rest parsed, which fails again. The first other one takes the connection back
  // from the parser.
  socket.removeAllListeners('data').on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) socket.destroy()
  })
  socket.once('close', () => clearTimeout(late)).end(words)
}
