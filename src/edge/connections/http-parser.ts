import type { Socket } from 'node:net'

/*
 * Hooks into Node's own HTTP parser. None of this is documented, but there is no other way to learn what a request
 * costs to read: Node consumes the bytes of a connection without any event, also those of a body that nobody reads. If
 * the parser is not as expected here, nothing is reported and nothing is stopped.
 */

/** Called with what is read from a connection. */
export interface ParserWatch {
  /** A head begins to come. */
  readonly onHead: () => void
  /** Fields of a head, or trailers, that the parser hands over before all have come: so many names and values. */
  readonly onFields: (texts: number) => void
  /** A piece of a body: a chunk, or the part of one that has arrived. */
  readonly onPiece: (bytes: number) => void
  /** Called after each read, of 64 KiB at most, has been parsed; 0 bytes if it was not HTTP. */
  readonly onRead: (bytes: number) => void
}

/** Its callbacks are stored under numbers. */
type Parser = Record<number, unknown> & {
  readonly socket?: Socket | null
  /** Headers that have arrived and do not belong to a request yet, and the target that came with them. */
  _headers?: string[]
  _url?: string
  onIncoming?: ((request: unknown) => number) | null
}

const parserOf = (socket: Socket): Parser | undefined =>
  (socket as Socket & { parser?: Parser | null }).parser ?? undefined

const numbersOf = (parser: Parser) =>
  parser.constructor as Readonly<
    Partial<Record<`kOn${'Body' | 'Execute' | 'Headers' | 'MessageBegin' | 'MessageComplete'}`, number>>
  >

const watches = new WeakMap<Socket, ParserWatch>()
/** Parsers are reused for other connections, together with their callbacks for bodies. */
const watched = new WeakSet<Parser>()

/**
 * Watches what a server reads from a connection that it has just accepted. Trailers, which nobody asks for, are
 * dropped.
 */
export function watchParser(socket: Socket, watch: ParserWatch): void {
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { kOnBody, kOnExecute, kOnHeaders, kOnMessageBegin, kOnMessageComplete } = numbersOf(parser)
  wrap(parser, kOnExecute, read => readWith(read, watch))
  // Node has nothing there, and clears it with each connection.
  if (kOnMessageBegin !== undefined) parser[kOnMessageBegin] = beginWatched
  watches.set(socket, watch)
  if (watched.has(parser)) return
  watched.add(parser)
  wrap(parser, kOnHeaders, takeFields)
  wrap(parser, kOnBody, takeWatched)
  wrap(parser, kOnMessageComplete, completeBare)
}

type Callback = (this: Parser, ...given: unknown[]) => unknown

function wrap(parser: Parser, number: number | undefined, wrapper: (inner: Callback) => Callback): void {
  const inner = parser[number ?? -1]
  if (number !== undefined && typeof inner === 'function') parser[number] = wrapper(inner as Callback)
}

/*
 * These are separate functions on purpose. Parsers outlive connections: a closure created next to others would share
 * their scope, and keep the first connection in memory as long as the parser is used.
 */

const readWith = (read: Callback, watch: ParserWatch): Callback =>
  function (...result) {
    watch.onRead(typeof result[0] === 'number' ? result[0] : 0)
    return read.apply(this, result)
  }

function beginWatched(this: Parser): void {
  if (this.socket) watches.get(this.socket)?.onHead()
}

const takeFields = (take: Callback): Callback =>
  function (...given) {
    if (this.socket) watches.get(this.socket)?.onFields((given[0] as unknown[]).length)
    return take.apply(this, given)
  }

const takeWatched = (take: Callback): Callback =>
  function (piece) {
    if (this.socket) watches.get(this.socket)?.onPiece((piece as Uint8Array).length)
    return take.call(this, piece)
  }

const completeBare = (complete: Callback): Callback =>
  function () {
    // Otherwise the request would keep them in memory as long as it lives.
    this._headers = []
    // Node clears it where it finds trailers. What stays is put before the target of the connection's next request,
    // which behind a proxy is somebody else's.
    this._url = ''
    return complete.call(this)
  }

/**
 * Stops parsing for a connection that is destroyed. Otherwise Node would go on to make requests and pieces of all that
 * it has already read, hundreds or thousands at once, and of a body without the rest of its pieces a whole one.
 */
export function stopParsing(socket: Socket): void {
  const parser = parserOf(socket)
  if (parser === undefined) return
  // Returning 2 tells the parser that what follows is not HTTP.
  if (typeof parser.onIncoming === 'function') parser.onIncoming = () => 2
  const { kOnBody, kOnMessageComplete } = numbersOf(parser)
  for (const number of [kOnBody, kOnMessageComplete]) {
    const callback = parser[number ?? -1]
    if (number === undefined || callback === undefined) continue
    parser[number] = undefined
    // By then Node has returned the parser to its pool, for the next connection.
    socket.once('close', () => {
      parser[number] = callback
    })
  }
}
