import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { buildConnector } from 'undici'
import { atMost } from '../../at-most.ts'
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

/**
 * Milliseconds that a holder may have before the others, of whom more was read lately: a few large answers, or one that
 * came when the machine stood still.
 */
const CREDIT_MS = 4

/** So much less was read of whoever need not wait for a pause: those whose pieces cost much differ by less. */
const LEAD_MS = 1

/** Of whom it is known what was read; of all others it counts as nothing. */
const MAX_HOLDERS = 4_000

/** What of a socket is used here. */
export type Readable = Pick<Socket, 'destroyed' | 'readableLength' | 'read' | 'emit'>

/**
 * Bounds how long the connections of forges may keep the event loop by what is sent over them: once reading has taken
 * its time in a turn, the rest waits where it came in until as long has gone by. Then it goes on with the holder of whom
 * least was read, in milliseconds (start-time fair queueing). Holders of whom clearly less was read than of those who are
 * served need not wait for the pause to end: they have half a turn's time in it.
 */
export class ReadPace {
  readonly #budgetMs: number
  readonly #now: () => number
  readonly #pause: (next: () => void, ms: number) => void
  readonly #turnEnd: TurnEnd
  /** Sockets by holder, those that wait longest first. */
  readonly #waiting = new Map<string, Set<Readable>>()
  /** Milliseconds by holder, to be measured against the level. */
  readonly #used = new LRUCache<string, number>(atMost(MAX_HOLDERS))
  /** What was read of whoever was served, highest: nobody counts as far below it, however long they sent nothing. */
  #level = 0
  /** Milliseconds in this turn, or this pause. */
  #spent = 0
  #isPaused = false
  /** When a piece was handed over, and whose: what goes by until the next is asked for is its cost. */
  #handedAt: number | undefined
  #reading = ''
  /** While holders are served, how much may be read of one: as much as was of the next. */
  #upTo = Number.POSITIVE_INFINITY

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
      if (length > 0 && !this.#mayRead(holder)) {
        this.#await(socket, holder)
        return null
      }
      const piece = read.call(socket, length > PIECE_BYTES ? PIECE_BYTES : undefined)
      if (piece !== null) {
        this.#level = Math.max(this.#level, this.#usedBy(holder))
        this.#reading = holder
        this.#handedAt = this.#now()
        this.#turnEnd.await()
      }
      return piece
    }
  }

  /** Whose piece it is that is looked at just now, or was last. */
  get reading(): string {
    return this.#reading
  }

  #usedBy(holder: string): number {
    return Math.max(this.#used.get(holder) ?? 0, this.#level - CREDIT_MS)
  }

  get #isSpent(): boolean {
    return this.#spent >= (this.#isPaused ? this.#budgetMs / 2 : this.#budgetMs)
  }

  #mayRead(holder: string): boolean {
    if (this.#isSpent) return false
    const used = this.#usedBy(holder)
    return used <= this.#upTo && (!this.#isPaused || used <= this.#level - LEAD_MS)
  }

  #settle(): void {
    if (this.#handedAt === undefined) return
    const ms = Math.min(this.#now() - this.#handedAt, DEAREST_MS)
    this.#handedAt = undefined
    this.#spent += ms
    this.#used.set(this.#reading, this.#usedBy(this.#reading) + ms)
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

  /** What was read in the pause is taken from the turn that follows. */
  #resume(): void {
    this.#isPaused = false
    this.#serve()
    this.#turnEnd.await()
  }

  /** Whoever is not reached waits for the next turn, as whatever is read asks for one, or for the end of the pause. */
  #serve(): void {
    const line = this.#isSpent
      ? []
      : [...this.#waiting].map(([holder]) => ({ holder, used: this.#usedBy(holder) }))
    line.sort((a, b) => a.used - b.used)
    for (const [at, { holder }] of line.entries()) {
      this.#upTo = line[at + 1]?.used ?? Number.POSITIVE_INFINITY
      const sockets = this.#waiting.get(holder)!
      for (const socket of sockets) {
        if (!this.#mayRead(holder)) break
        // With something left it comes to the end of the line by itself.
        sockets.delete(socket)
        socket.emit('readable')
        this.#settle()
      }
      if (sockets.size === 0) this.#waiting.delete(holder)
    }
    this.#upTo = Number.POSITIVE_INFINITY
  }
}
