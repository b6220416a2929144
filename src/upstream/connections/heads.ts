import type { buildConnector } from 'undici'
import { arrayBytes, INDEX_CHARS } from '../../json/index-names.ts'
import { MANY_HEADS } from './connect-failure.ts'

/**
 * Bytes that each name and each value of a head counts as beside its own, for the Buffer that it is kept in. Of 32 KiB
 * that leaves 256 lines; forges send some dozens.
 */
const ENTRY_BYTES = 64

/** Names and values of a connection are copied into pieces of this size, which hold nothing of other connections. */
const PIECE_BYTES = 4 * 1024

/** Most informational heads (RFC 9110 section 15.2) before an answer: servers send one or two. */
const MOST_INFORMATIONAL = 16

/** The other side goes on with heads that are no answer. The code is one of what is no HTTP (connect-failure.ts). */
class ManyHeads extends Error {
  readonly code = MANY_HEADS
  constructor() {
    super(`more than ${MOST_INFORMATIONAL} informational heads before an answer`)
    this.name = 'ManyHeads'
  }
}

/** The part of undici's parser that is used here. It returns other than 0 to end the parsing. */
interface Parser {
  readonly socket: { readonly destroyed: boolean; destroy(error: Error): unknown }
  /** Names and values in turn. */
  readonly headers: Buffer[]
  /** Bytes of the head or the trailers, compared with the dispatcher's `maxHeaderSize`. */
  headersSize: number
  onHeaderField(this: Parser, bytes: Buffer): number
  onHeaderValue(this: Parser, bytes: Buffer): number
  onHeadersComplete(this: Parser, status: number, isUpgrade: boolean, keepsAlive: boolean): number
}

/** The piece of a parser's connection, and how much of it is taken. */
const pieces = new WeakMap<Parser, { readonly bytes: Buffer; taken: number }>()

/** How many informational heads have come for the request of a parser. */
const informational = new WeakMap<Parser, number>()

/** Prototypes of parsers that count so: one, where there is one undici. */
const counting = new WeakSet<object>()

/**
 * A connector for undici whose connections count the heads and trailers of answers by the memory that they take. Undici
 * (8.12) keeps each name and value as a view of the piece in which it came, and counts only its own bytes: `a:`, 60,000
 * blanks and `b` as two, a line of `a:` as one. Past its limit it goes on, and makes an error of each further line. It takes
 * informational heads without end, each of which begins its time-out anew. There is no option for that, so methods of its
 * parser are replaced, once for all connections.
 */
export const countedHeads =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...result) => {
      callback(...result)
      const [, socket] = result
      const parser = socket === null ? undefined : parserOf(socket)
      if (parser !== undefined) countIn(Object.getPrototypeOf(parser))
    })

/** The parser that undici has given a socket, under a symbol that it does not export; none if it did not take it. */
function parserOf(socket: object): object | undefined {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser')
  const parser: unknown = key && Reflect.get(socket, key)
  return typeof parser === 'object' && parser !== null ? parser : undefined
}

function countIn(parsers: Parser): void {
  if (counting.has(parsers)) return
  counting.add(parsers)
  countInformational(parsers)
  for (const part of ['onHeaderField', 'onHeaderValue'] as const) {
    const keep = parsers[part]
    parsers[part] = function (bytes) {
      this.headersSize += ENTRY_BYTES
      if (part === 'onHeaderValue') this.headersSize += namedBytes(this.headers)
      const ending = keep.call(this, bytes)
      // Also what undici has put together of two, in memory that all connections share.
      this.headers.push(copied(this, this.headers.pop()!))
      return this.socket.destroyed ? -1 : ending
    }
  }
}

function countInformational(parsers: Parser): void {
  const { onHeadersComplete: complete } = parsers
  parsers.onHeadersComplete = function (status, isUpgrade, keepsAlive) {
    if (status >= 200) informational.delete(this)
    else {
      const heads = (informational.get(this) ?? 0) + 1
      informational.set(this, heads)
      if (heads > MOST_INFORMATIONAL) {
        this.socket.destroy(new ManyHeads())
        return -1
      }
    }
    return complete.call(this, status, isUpgrade, keepsAlive)
  }
}

/** Bytes that the last name takes in undici's record of the head. It is whole, and alone, when the value begins. */
function namedBytes(headers: readonly Buffer[]): number {
  const name = headers.length % 2 === 1 ? headers.at(-1)! : undefined
  return name !== undefined && name.length <= INDEX_CHARS ? arrayBytes(name.toString('latin1')) : 0
}

/** A copy in memory of the parser's own: in Node's pool one byte that is held would hold what was beside it. */
function copied(parser: Parser, entry: Buffer): Buffer {
  // Of its own: an idle connection keeps its piece.
  if (entry.length > PIECE_BYTES) return copyInto(Buffer.allocUnsafeSlow(entry.length), entry)
  let piece = pieces.get(parser)
  if (piece === undefined || piece.bytes.length - piece.taken < entry.length) {
    piece = { bytes: Buffer.allocUnsafeSlow(PIECE_BYTES), taken: 0 }
    pieces.set(parser, piece)
  }
  const copy = piece.bytes.subarray(piece.taken, piece.taken + entry.length)
  piece.taken += entry.length
  return copyInto(copy, entry)
}

function copyInto(to: Buffer, entry: Buffer): Buffer {
  entry.copy(to)
  return to
}
