import type { buildConnector } from 'undici'
import { arrayBytes, INDEX_CHARS } from '../../json/index-names.ts'
import { MANY_HEADS } from './connect-failure.ts'

/**
 * Bytes that each name and each value of a head counts in addition to its own length, for the Buffer that holds it.
 * With 32 KiB this leaves room for 256 lines; forges send some dozens.
 */
const ENTRY_BYTES = 64

/**
 * Names and values of a connection are copied into blocks of this many bytes. A block holds nothing of other
 * connections.
 */
const PIECE_BYTES = 4 * 1024

/** Most informational heads (RFC 9110 section 15.2) before an answer: servers send one or two. */
const MAX_INFORMATIONAL = 16

/**
 * The other side keeps sending heads that are no answer. The code is one of those that mean invalid HTTP
 * (connect-failure.ts).
 */
class ManyHeads extends Error {
  readonly code = MANY_HEADS
  constructor() {
    super(`more than ${MAX_INFORMATIONAL} informational heads before an answer`)
    this.name = 'ManyHeads'
  }
}

/** The part of undici's parser that is used here. Its callbacks return a number other than 0 to end the parsing. */
interface Parser {
  readonly socket: { readonly destroyed: boolean; destroy(error: Error): unknown }
  /** Names and values alternate. */
  readonly headers: Buffer[]
  /** Bytes of the head or the trailers, compared with the dispatcher's `maxHeaderSize`. */
  headersSize: number
  onHeaderField(this: Parser, bytes: Buffer): number
  onHeaderValue(this: Parser, bytes: Buffer): number
  onHeadersComplete(this: Parser, status: number, isUpgrade: boolean, keepsAlive: boolean): number
}

/** The current block of a parser's connection, and how many bytes of it are used. */
const pieces = new WeakMap<Parser, { readonly bytes: Buffer; taken: number }>()

/** How many informational heads have arrived for the current request of a parser. */
const informational = new WeakMap<Parser, number>()

/** Prototypes of parsers that already count in this way: one, as long as there is one copy of undici. */
const counting = new WeakSet<object>()

/**
 * A connector for undici whose connections count the heads and trailers of answers by the memory that they take. Undici
 * (8.12) keeps each name and value as a view of the chunk in which it arrived, but counts only its own bytes: `a:`,
 * 60,000 blanks and `b` count as two, a line of `a:` as one. Past its limit it goes on parsing, and creates an error
 * for each further line. It accepts any number of informational heads, each of which restarts its time-out. Undici has
 * no option for any of this, so methods of its parser are replaced, once for all connections.
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

/**
 * The parser that undici has attached to a socket, under a symbol that it does not export; undefined if undici did not
 * take the socket.
 */
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
      // This also copies entries that undici has joined from two chunks, in memory that all connections share.
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
      if (heads > MAX_INFORMATIONAL) {
        this.socket.destroy(new ManyHeads())
        return -1
      }
    }
    return complete.call(this, status, isUpgrade, keepsAlive)
  }
}

/**
 * Bytes that the last name takes in undici's record of the head. When a value begins, its name is complete, and is the
 * last entry.
 */
function namedBytes(headers: readonly Buffer[]): number {
  const name = headers.length % 2 === 1 ? headers.at(-1)! : undefined
  return name !== undefined && name.length <= INDEX_CHARS ? arrayBytes(name.toString('latin1')) : 0
}

/** A copy in memory of the parser's own. In Node's pool, a single byte that is kept would keep everything beside it. */
function copied(parser: Parser, entry: Buffer): Buffer {
  // A long entry gets a block of its own, because an idle connection keeps its current block.
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
