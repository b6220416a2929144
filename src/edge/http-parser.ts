import type { Socket } from 'node:net'

/*
 * Node's own parser of HTTP. None of this is documented, and there is no other place where one learns what a request
 * costs to read: Node takes the bytes from the connection without a word, also those of a body that nobody wants. Where
 * it is not as it is here, nothing is told, and nothing is stopped.
 */

/** Told of what is read from a connection. */
export interface ParserWatch {
  /** A piece of a body: a chunk, or what has come of it. */
  readonly onPiece: (bytes: number) => void
  /** All is parsed that was there to be read at once, 64 KiB at most; 0 bytes where it was no HTTP. */
  readonly onRead: (bytes: number) => void
}

/** What it calls is found by numbers. */
type Parser = Record<number, unknown> & {
  readonly socket?: Socket | null
  /** What has come of headers and is of no request yet. */
  _headers?: string[]
  onIncoming?: ((request: unknown) => number) | null
}

const parserOf = (socket: Socket): Parser | undefined =>
  (socket as Socket & { parser?: Parser | null }).parser ?? undefined

const numbersOf = (parser: Parser) =>
  parser.constructor as Readonly<Partial<Record<'kOnBody' | 'kOnExecute' | 'kOnMessageComplete', number>>>

const watches = new WeakMap<Socket, ParserWatch>()
/** Parsers are used again for other connections, with what they call for bodies. */
const watched = new WeakSet<Parser>()

/** Watches what a server reads from a connection that it has just taken. Trailers, which nobody asks for, are dropped. */
export function watchParser(socket: Socket, watch: ParserWatch): void {
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { kOnBody, kOnExecute, kOnMessageComplete } = numbersOf(parser)
  wrap(parser, kOnExecute, read => readWith(read, watch))
  watches.set(socket, watch)
  if (watched.has(parser)) return
  watched.add(parser)
  wrap(parser, kOnBody, takeWatched)
  wrap(parser, kOnMessageComplete, completeBare)
}

type Callback = (this: Parser, ...given: unknown[]) => unknown

function wrap(parser: Parser, number: number | undefined, wrapper: (inner: Callback) => Callback): void {
  const inner = parser[number ?? -1]
  if (number !== undefined && typeof inner === 'function') parser[number] = wrapper(inner as Callback)
}

/*
 * Functions of their own: what a parser keeps for all connections would else keep all that the functions beside it
 * know, and with it the first of them, as long as the parser is used.
 */

const readWith = (read: Callback, watch: ParserWatch): Callback =>
  function (...result) {
    watch.onRead(typeof result[0] === 'number' ? result[0] : 0)
    return read.apply(this, result)
  }

const takeWatched = (take: Callback): Callback =>
  function (piece) {
    if (this.socket) watches.get(this.socket)?.onPiece((piece as Uint8Array).length)
    return take.call(this, piece)
  }

const completeBare = (complete: Callback): Callback =>
  function () {
    // Its request would keep them, for as long as it is kept.
    this._headers = []
    return complete.call(this)
  }

/**
 * Stops the reading of a connection that is destroyed: else Node makes requests and pieces of all that it has read from
 * it, hundreds and thousands at once.
 */
export function stopParsing(socket: Socket): void {
  const parser = parserOf(socket)
  if (parser === undefined) return
  // 2 tells it that what follows is no HTTP.
  if (typeof parser.onIncoming === 'function') parser.onIncoming = () => 2
  const { kOnBody } = numbersOf(parser)
  if (kOnBody === undefined) return
  const take = parser[kOnBody]
  parser[kOnBody] = undefined
  // By then Node has put the parser back, for the next connection.
  socket.once('close', () => {
    parser[kOnBody] = take
  })
}
