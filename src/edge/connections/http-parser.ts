import type { Socket } from 'node:net'

/*
 * Hooks into Node's own HTTP parser. None of this is documented, but there is no other way to learn what a request
 * costs to read: Node consumes the bytes of a connection without any event, even those of a body that nobody reads. If
 * the parser is not as expected here, nothing is reported and nothing is stopped.
 */

/** Callbacks for the data that is read from a connection. */
export interface ParserWatch {
  /** A head begins to arrive. */
  readonly onHead: () => void
  /**
   * The number of names and values that the parser hands over, of a head or of trailers, before all of them have
   * arrived.
   */
  readonly onFields: (texts: number) => void
  /** The length of a piece of a body: a chunk, or the part of a chunk that has arrived. */
  readonly onPiece: (bytes: number) => void
  /** Called after each read, of at most 64 KiB, has been parsed; 0 bytes if the data was not HTTP. */
  readonly onRead: (bytes: number) => void
}

/** The callbacks of a parser are stored under numbers. */
type Parser = Record<number, unknown> & {
  readonly socket?: Socket | null
  /** Headers that have arrived and do not belong to a request yet, and the target that arrived with them. */
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
 * Watches the data that a server reads from a connection that it has just accepted. Trailers, which nothing reads, are
 * dropped.
 */
export function watchParser(socket: Socket, watch: ParserWatch): void {
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { kOnBody, kOnExecute, kOnHeaders, kOnMessageBegin, kOnMessageComplete } = numbersOf(parser)
  wrap(parser, kOnExecute, read => readWith(read, watch))
  // Node has no callback there, and clears this one with each new connection.
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
 * These are separate functions on purpose. Parsers outlive connections. A closure created next to others would share
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
    // Otherwise the request would keep the trailers in memory as long as it lives.
    this._headers = []
    // Node clears this only if it finds trailers. Otherwise it would put this text before the target of the
    // connection's next request, which behind a proxy is somebody else's.
    this._url = ''
    return complete.call(this)
  }

/**
 * Stops parsing for a connection that is destroyed. Otherwise Node would go on to make requests and pieces of all that
 * it has already read, hundreds or thousands at once. It would also treat a body whose remaining pieces are missing as
 * complete.
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
    // By then Node has returned the parser to its pool, where the next connection takes it.
    socket.once('close', () => {
      parser[number] = callback
    })
  }
}
