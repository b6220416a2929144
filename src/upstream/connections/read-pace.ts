import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { holderOf } from '../../edge/address.ts'
import { TurnEnd } from '../../edge/turn-end.ts'

/**
 * Bytes that are read at once. What they cost is known only afterwards: as the body of an answer they cost nothing, as
 * headers beyond all bounds, informational answers or chunks of a byte milliseconds.
 */
const PIECE_BYTES = 4 * 1024

/** Milliseconds of a turn of the event loop that reading takes; who answers as forges do hardly ever needs them all. */
const BUDGET_MS = 2

/** Milliseconds that a piece counts for at most, as none takes longer: it was the machine that stood still. */
const DEAREST_MS = 4

/** What of a socket is used here. */
export type Readable = Pick<Socket, 'destroyed' | 'readableLength' | 'read' | 'emit'>

/**
 * Bounds how long the connections of forges may keep the event loop by what is sent over them: once reading has taken
 * its time in a turn, the rest waits where it came in until as long has gone by, and then goes on with a piece of each
 * holder after the other.
 */
export class ReadPace {
  readonly #budgetMs: number
  readonly #now: () => number
  readonly #pause: (next: () => void, ms: number) => void
  readonly #turnEnd: TurnEnd
  /** By holder, the one whose turn is next first. */
  readonly #waiting = new Map<string, Set<Readable>>()
  /** Milliseconds in this turn. */
  #spent = 0
  #isPaused = false
  /** When a piece was handed over: what goes by until the next is asked for is its cost. */
  #handedAt: number | undefined
  /** Whose turn it is: it gets one piece while others wait. */
  #serving: Readable | undefined
  #hasPiece = false

  /**
   * @param budgetMs milliseconds of a turn
   * @param now clock in milliseconds
   * @param soon calls what it is given in the next turn
   * @param pause calls what it is given after so many milliseconds
   */
  constructor(
    budgetMs = BUDGET_MS,
    now: () => number = () => performance.now(),
    soon?: (next: () => void) => void,
    pause: (next: () => void, ms: number) => void = setTimeout
  ) {
    this.#budgetMs = budgetMs
    this.#now = now
    this.#pause = pause
    this.#turnEnd = new TurnEnd(() => this.#next(), soon)
  }

  /**
   * A connector whose connections are read at this pace.
   * @param byName holders are hosts, as where a proxy is connected to for all of them; else addresses
   */
  connector =
    (connect: buildConnector.connector, byName = false): buildConnector.connector =>
    (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        this.keep(socket, byName ? target.hostname : holderOf(socket.remoteAddress))
        callback(null, socket)
      })

  /** Stands before whoever reads a socket as undici does: on `readable`, until there is nothing. */
  keep(socket: Readable, holder: string): void {
    const read = socket.read
    socket.read = size => {
      // Node's own look whether there is more, which takes nothing.
      if (size === 0) return read.call(socket, 0)
      this.#settle()
      // Undici would go on with what came before it was destroyed.
      if (socket.destroyed) return null
      const length = socket.readableLength
      if (length > 0 && !this.#mayRead(socket)) {
        this.#await(socket, holder)
        return null
      }
      const piece = read.call(socket, length > PIECE_BYTES ? PIECE_BYTES : undefined)
      if (piece !== null) {
        this.#hasPiece = true
        this.#handedAt = this.#now()
        this.#turnEnd.await()
      }
      return piece
    }
  }

  #mayRead(socket: Readable): boolean {
    if (this.#spent >= this.#budgetMs) return false
    return this.#serving !== socket || !this.#hasPiece || this.#waiting.size === 0
  }

  #settle(): void {
    if (this.#handedAt === undefined) return
    this.#spent += Math.min(this.#now() - this.#handedAt, DEAREST_MS)
    this.#handedAt = undefined
  }

  #await(socket: Readable, holder: string): void {
    const sockets = this.#waiting.get(holder)
    if (sockets === undefined) this.#waiting.set(holder, new Set([socket]))
    else sockets.add(socket)
    this.#turnEnd.await()
  }

  #next(): void {
    this.#handedAt = undefined
    if (this.#isPaused) return
    if (this.#spent >= this.#budgetMs) {
      this.#isPaused = true
      this.#pause(() => this.#serve(), this.#spent)
    } else this.#serve()
  }

  #serve(): void {
    this.#isPaused = false
    this.#spent = 0
    for (const [holder, sockets] of this.#waiting) {
      if (this.#spent >= this.#budgetMs) break
      const [socket] = sockets
      sockets.delete(socket!)
      // To the end of the line, with what is left.
      this.#waiting.delete(holder)
      if (sockets.size > 0) this.#waiting.set(holder, sockets)
      this.#serving = socket
      this.#hasPiece = false
      socket!.emit('readable')
      this.#settle()
    }
    this.#serving = undefined
    if (this.#waiting.size > 0) this.#turnEnd.await()
  }
}
