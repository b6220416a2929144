import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { MIB } from '../../base/units.ts'
import type { Connection } from '../connections/connection.ts'
import type { CutReason } from '../connections/connection-limits.ts'
import { noStore } from './no-store.ts'

/* Answers that are written directly to a socket, as the last on its connection. */

/**
 * After such an answer, how long (in milliseconds) and how much (in bytes) the server still reads of what is on its
 * way.
 */
const LINGER = { ms: 2_000, bytes: MIB } as const

/**
 * Ends a connection with an answer.
 * @param isShared whether it is a proxy's connection. What follows on it is read to its end; on a caller's own
 * connection those bytes would count for nobody
 * @param more headers
 */
export function endAnswered(
  socket: Socket,
  isShared: boolean,
  status: number,
  message: string,
  more?: Readonly<Record<string, string>>
): void {
  const words = lastWords(status, message, more)
  if (isShared) endSlowly(socket, words)
  else endAfter(socket, words)
}

/** The answer on a proxy's connection that is cut, by the reason. */
const cutAnswers: Readonly<Partial<Record<CutReason, readonly [status: number, message: string]>>> = {
  heads: [503, 'Too many requests of this caller are under way.'],
  crumbs: [400, 'The body comes in too many small pieces.']
}

/**
 * Ends a proxy's connection with an answer, if no part of an answer has been sent. To a proxy, a connection that ends
 * without an answer means that the server is down, for all of its callers.
 * @returns whether an answer was sent
 */
export function endCut(connection: Connection | undefined, reason: CutReason): boolean {
  const answer = cutAnswers[reason]
  const [first] = connection?.waiting.keys() ?? []
  if (answer === undefined || connection?.place !== undefined) return false
  if (first?.headersSent !== false || !first.req.socket.writable) return false
  const words = lastWords(...answer)
  // More crumbs are still to come.
  if (reason === 'crumbs') endSlowly(first.req.socket, words)
  else endAfter(first.req.socket, words)
  return true
}

function endAfter(socket: Socket, words: string): void {
  socket.write(words)
  socket.destroySoon()
}

/** The text of an answer that says that it is the last on its connection. */
function lastWords(statusCode: number, message: string, more?: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ statusCode, message })
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...noStore,
    ...more
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head.join('')}\r\n${body}`
}

/**
 * Sends the last answer on a connection, and closes the connection once the other side has ended it too, or after a
 * time limit. Closing it before all that was sent is read would reset it, and the answer may be lost. A proxy then
 * takes the server to be down, and sends the requests of others elsewhere or refuses them.
 */
function endSlowly(socket: Socket, words: string): void {
  let left: number = LINGER.bytes
  const late = setTimeout(() => socket.destroy(), LINGER.ms).unref()
  // Node's own listener would pass the rest to the parser, which fails again. The first other listener takes the
  // connection back from the parser.
  socket.removeAllListeners('data').on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) socket.destroy()
  })
  socket.once('close', () => clearTimeout(late)).end(words)
}
