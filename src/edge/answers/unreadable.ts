import type { Socket } from 'node:net'
import { MAX_HEADERS } from '../requests/request-head.ts'
import { endAnswered } from './last-answer.ts'

/** Why received data is not answered as a request, for the log and the metrics. */
type UnreadableReason = 'slow' | 'headers' | 'tls' | 'no_http'

/** A refusal of data that cannot be read as a request. */
export interface UnreadableRefusal {
  readonly status: number
  readonly message: string
  readonly reason: UnreadableReason
  /** For the operator: the probable cause. It repeats nothing of the data that was sent. */
  readonly hint?: string | undefined
}

/** The error that Node reports. */
type Unreadable = Error & {
  readonly code?: string
  /** The parser's own message, which is one of a fixed set. */
  readonly reason?: string
  /** The data that was being read. */
  readonly rawPacket?: Buffer
}

/** By the error's code. An error with any other code means that the data is not HTTP. */
const refusals: Readonly<Record<string, UnreadableRefusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.', reason: 'slow' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `There are more than ${MAX_HEADERS} headers, or than 16 KiB of them.`,
    reason: 'headers'
  },
  HPE_INVALID_EOF_STATE: {
    status: 400,
    message: 'The connection ended before the request was whole.',
    reason: 'no_http',
    hint: 'The connection ended within the request: its caller has gone, or announced a longer body.'
  }
}

const noRequest = {
  status: 400,
  message:
    'What was sent is no HTTP request, or comes after one whose Content-Length, in bytes, is too small.'
} as const

const LINE_BREAK =
  'A header has a line break in its value: was its token read from a file with Windows line ends, or of several lines?'

/** By the parser's own message, because one error code covers several of these. */
const ofHeaders: Readonly<Record<string, string>> = {
  'Missing expected CR after header value': LINE_BREAK,
  'Missing expected LF after header value': LINE_BREAK,
  'Unexpected whitespace after header value': LINE_BREAK,
  'Invalid header value char': 'A header has a control character in its value.',
  'Invalid header token':
    'A header is none: its name has a blank, a quotation mark or a byte order mark, it has no colon, or it is what a line break in the value before it has cut off.'
}

/** The first byte of a client that speaks TLS (RFC 8446 section 5.1). */
const TLS_HANDSHAKE = 0x16

/** The first bytes of a client that speaks HTTP/2 without having negotiated it (RFC 9113 section 3.4). */
const HTTP2_PREFACE = 'PRI * HTTP/2'

/** The first bytes of a connection from a balancer that speaks the PROXY protocol, in its versions 1 and 2. */
const PROXY_PREFACES = ['PROXY ', '\r\n\r\n\0\r\nQUIT\n']

/** What kind of peer sent the data, if its first bytes are known. */
function strangerOf(packet: Buffer | undefined): string | undefined {
  const begins = (preface: string) => packet?.subarray(0, preface.length).toString('latin1') === preface
  if (begins(HTTP2_PREFACE)) return 'The client, or a proxy, speaks HTTP/2: have it use HTTP/1.1.'
  if (PROXY_PREFACES.some(begins))
    return 'A balancer speaks the PROXY protocol, which this server does not: have it send HTTP alone, with X-Forwarded-For.'
  return undefined
}

function refusalOf({ code, rawPacket, reason }: Unreadable): UnreadableRefusal {
  const known = refusals[code ?? '']
  if (known !== undefined) return known
  if (rawPacket?.[0] === TLS_HANDSHAKE)
    return {
      ...noRequest,
      reason: 'tls',
      hint: 'The client asks by https://, and this server speaks no TLS: use http://, or a proxy in front of it.'
    }
  const message = ofHeaders[reason ?? ''] ?? noRequest.message
  return { ...noRequest, message, reason: 'no_http', hint: strangerOf(rawPacket) ?? reason }
}

/**
 * Answers data that cannot be read as a request, and ends its connection. The answer says that it ends: otherwise a
 * proxy would keep the connection and lose the next request on it, which may be anybody's (RFC 9112, section 9.6).
 * Nothing is written into an answer that has begun.
 * @param isShared as in endAnswered
 * @returns what was refused; undefined if no answer was sent, or if the client sent nothing
 */
export function refuseUnreadable(
  error: Unreadable,
  socket: Socket,
  isShared: boolean
): UnreadableRefusal | undefined {
  if (error.code === 'ECONNRESET' || socket.destroyed) return undefined
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null }
  // Do not wait for data that nobody reads.
  if (!socket.writable || socket.writableLength > 0 || begun?.headersSent === true) {
    socket.destroy(error)
    return undefined
  }
  const refusal = refusalOf(error)
  endAnswered(socket, isShared, refusal.status, refusal.message)
  // Browsers and balancers open connections in advance, and never use some of them.
  return socket.bytesRead === 0 ? undefined : refusal
}
