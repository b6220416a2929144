import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'
import { holderOf } from '../../base/holders.ts'
import { TurnEnd } from '../../fairness/turn-end.ts'
import { UsedTimes } from '../../fairness/used-times.ts'

/**
 * Bytes that are read at once. Their cost is known only afterwards: as the body of an answer they cost nothing, but as
 * excessive headers, informational answers or one-byte chunks they cost milliseconds.
 */
const PIECE_BYTES = 4 * 1024

/** Milliseconds that reading may take in a turn of the event loop; normal forges hardly ever need all of them. */
const BUDGET_MS = 2

/** The most that a piece counts as, in milliseconds. None really takes longer: beyond that, the machine stalled. */
const MAX_PIECE_MS = 4

/**
 * Most milliseconds of credit that a holder can have over others whose recent data took longer to read: enough for a
 * few large answers, or one that arrived while the machine stalled.
 */
const CREDIT_MS = 4

/**
 * A holder whose reading took this many milliseconds less than that of those being served need not wait for a pause to
 * end. The reading times of holders with expensive pieces differ by less than that.
 */
const LEAD_MS = 1

/** The part of a socket that is used here. */
export type Readable = Pick<Socket, 'destroyed' | 'readableLength' | 'read' | 'emit'>

/**
 * Bounds how long reading from forges may block the event loop. Once reading has used its time in a turn, the rest
 * waits in the sockets until a pause of the same length is over. Then reading continues with the holder whose data has
 * taken the least time so far (start-time fair queueing). Holders whose data took clearly less time than that of those
 * being served need not wait for the pause to end: half a turn's time is available for them during the pause.
 */
export class ReadPace {
  readonly #budgetMs: number
  readonly #now: () => number
  readonly #pause: (next: () => void, ms: number) => void
  readonly #turnEnd: TurnEnd
  /** Sockets by holder, longest waiting first. */
  readonly #waiting = new Map<string, Set<Readable>>()
  readonly #times = new UsedTimes(CREDIT_MS)
  /** Milliseconds used in this turn, or this pause. */
  #spent = 0
  #isPaused = false
  /** When a piece was handed over, and whose it was: the time until the next is requested is its cost. */
  #handedAt: number | undefined
  #reading = ''
  /** While holders are served: how far the current one may go, which is the reading time of the next. */
  #upTo = Number.POSITIVE_INFINITY

  /**
   * @param budgetMs milliseconds of a turn
   * @param now clock in milliseconds
   * @param soon calls `next` in the next turn
   * @param pause calls `next` after so many milliseconds
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
   * @param holder default the address that is connected to
   */
  connector =
    (connect: buildConnector.connector, holder?: string): buildConnector.connector =>
    (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        this.keep(socket, holder ?? holderOf(socket.remoteAddress))
        callback(null, socket)
      })

  /** Puts itself between a socket and a reader that reads like undici: on `readable`, until there is nothing left. */
  keep(socket: Readable, holder: string): void {
    // The stream's `read`, not the socket's own: on a connection with `onread` (forge-queues.ts) that one begins to read
    // from the kernel again at each call, however much waits.
    const read = socket.read === Socket.prototype.read ? Duplex.prototype.read : socket.read
    socket.read = size => {
      // With a size of 0, Node only checks whether there is more, and takes nothing.
      if (size === 0) return read.call(socket, 0)
      this.#settle()
      // Undici would go on with data that arrived before the socket was destroyed.
      if (socket.destroyed) return null
      const length = socket.readableLength
      if (length > 0 && !this.#mayRead(holder)) {
        this.#await(socket, holder)
        return null
      }
      const piece = read.call(socket, length > PIECE_BYTES ? PIECE_BYTES : undefined)
      if (piece !== null) {
        this.#times.serve(holder)
        this.#reading = holder
        this.#handedAt = this.#now()
        this.#turnEnd.await()
      }
      return piece
    }
  }

  /** The holder of the piece that is being processed, or was last. */
  get reading(): string {
    return this.#reading
  }

  get #isSpent(): boolean {
    return this.#spent >= (this.#isPaused ? this.#budgetMs / 2 : this.#budgetMs)
  }

  #mayRead(holder: string): boolean {
    if (this.#isSpent) return false
    const used = this.#times.of(holder)
    return used <= this.#upTo && (!this.#isPaused || used <= this.#times.level - LEAD_MS)
  }

  #settle(): void {
    if (this.#handedAt === undefined) return
    const ms = Math.min(this.#now() - this.#handedAt, MAX_PIECE_MS)
    this.#handedAt = undefined
    this.#spent += ms
    this.#times.pay(this.#reading, ms)
  }

  #await(socket: Readable, holder: string): void {
    const sockets = this.#waiting.get(holder)
    if (sockets === undefined) this.#waiting.set(holder, new Set([socket]))
    else sockets.add(socket)
    this.#turnEnd.await()
  }

  #next(): void {
    this.#handedAt = undefined
    if (!this.#isPaused) {
      this.#isPaused = this.#isSpent
      if (this.#isPaused) this.#pause(() => this.#resume(), this.#spent)
      this.#spent = 0
    }
    this.#serve()
  }

  /** Time used in the pause is deducted from the turn that follows. */
  #resume(): void {
    this.#isPaused = false
    this.#serve()
    this.#turnEnd.await()
  }

  /**
   * Serves waiting holders. Those that are not reached wait for the next turn, which every read requests, or for the
   * end of the pause.
   */
  #serve(): void {
    const line = this.#isSpent
      ? []
      : [...this.#waiting].map(([holder]) => ({ holder, used: this.#times.of(holder) }))
    line.sort((a, b) => a.used - b.used)
    for (const [at, { holder }] of line.entries()) {
      this.#upTo = line[at + 1]?.used ?? Number.POSITIVE_INFINITY
      const sockets = this.#waiting.get(holder)!
      for (const socket of sockets) {
        if (!this.#mayRead(holder)) break
        // If it has something left, it joins the end of the line by itself.
        sockets.delete(socket)
        socket.emit('readable')
        this.#settle()
      }
      if (sockets.size === 0) this.#waiting.delete(holder)
    }
    this.#upTo = Number.POSITIVE_INFINITY
  }
}
