import { siteOf } from '../../base/holders.ts'
import { MIB } from '../../base/units.ts'
import { tally } from '../../collections/tally.ts'
import { upstreamLimits } from '../connections/dispatcher.ts'
import type { Gate, Stage } from '../guard/gate.ts'
import { answerRoomLimits } from './answer-room.ts'

/**
 * How often slow answers are looked for while others wait, in milliseconds, and how many bytes have to arrive between
 * two looks for an answer not to be slow.
 */
const look = { ms: 100, bytes: 256 * 1024 }

/** Bytes that may still arrive of an answer that has lost its turn before it needs another. */
export const AWAY_BYTES = 64 * 1024

/** Room for what has arrived of answers that wait for their first turn, in bytes. */
const WAITING_BYTES = 20 * MIB

/**
 * The memory of answers that have turns and of those that have lost theirs, and the most that one answer takes, in
 * bytes. The more memory is held without turns, the fewer turns there are.
 */
const memory = { all: answerRoomLimits.all - WAITING_BYTES, each: upstreamLimits.maxJsonBytes }

/** There are at least this many turns, however much memory is held without turns. */
const MIN_TURNS = 2

/**
 * An answer is late if fewer bytes than these have arrived in this many milliseconds, on average since it became slow.
 * A late answer is given up if there is no room for one that loses its turn. At this pace an answer of the greatest
 * size would not be complete in time (COLLECT_MS).
 */
const late = { ms: 5_000, bytes: 2.5 * MIB }

/** An answer that is arriving. */
export interface Arriving {
  /** The holder that it counts for: the address of its caller, as from turnHolderOf. */
  readonly from: string
  /** The bytes that have arrived. */
  readonly bytes: number
  /** Whether it waits for its forge. It does not while it waits for a turn, nor once it is complete. */
  readonly isAwaited: boolean
  /** Others have its turn from now on. AWAY_BYTES more of it may arrive. */
  loseTurn(): void
  /** Gives the answer up because it takes too long. Calls SlowArrivals.end. */
  giveUp(): void
}

/** Turns that may be left to others for a time. */
export interface LendableTurns extends Stage {
  lend?(): void
}

type SharedGate = Pick<Gate, 'enter' | 'leave' | 'lend' | 'resize'>

/** How many bytes of an answer had arrived at a time. */
interface Mark {
  readonly at: number
  readonly bytes: number
}

interface Arrival {
  /** What it was like at the last look. */
  seen: Mark
  /** What it was like when it last became slow; undefined if it is not slow. */
  slow: Mark | undefined
}

/**
 * The forge decides how long its answer takes to arrive: it may send the beginning at once and then a few bytes a
 * second. So a slow answer keeps none of the few turns while others wait for one. It goes on without a turn, and is
 * paused once enough bytes have arrived to be worth another turn.
 *
 * If answers without turns hold too much memory for that, a slow answer keeps its turn, and an answer is given up
 * instead: one that hardly moves. If there is none, but an address waits that has no slow answers, it is one of an
 * address that has several: of the address whose slow answers hold the most bytes.
 */
export class SlowArrivals {
  readonly #holding = new Map<Arriving, Arrival>()
  readonly #away = new Map<Arriving, Arrival>()
  readonly #now: () => number
  readonly #after: (ms: number, next: () => void) => void
  readonly #turns: SharedGate
  readonly #most: number
  /** How many answers wait for a turn, by the site of their address. */
  readonly #waiting = new Map<string, number>()
  #isLooking = false

  /**
   * @param turns the gate that all share
   * @param most its turns while nothing is held without one
   * @param now clock in milliseconds
   * @param after calls back after so many milliseconds, once the data that has come by then is read
   */
  constructor(
    turns: SharedGate,
    most: number,
    now: () => number = () => performance.now(),
    after: (ms: number, next: () => void) => void = (ms, next) => setTimeout(setImmediate, ms, next).unref()
  ) {
    this.#turns = turns
    this.#most = most
    this.#now = now
    this.#after = after
  }

  /**
   * Turns under the name of a holder. While somebody waits for one of these, slow answers lose theirs.
   * @param from as in Arriving
   */
  turnsOf(holder: string, from: string): LendableTurns {
    const turns = this.#turns
    return {
      enter: (_caller, signal) => this.#counted(siteOf(from), turns.enter(holder, signal)),
      leave: () => turns.leave(holder),
      lend: () => turns.lend(holder)
    }
  }

  #counted(site: string, turn: Promise<void> | undefined): Promise<void> | undefined {
    if (turn === undefined) return undefined
    tally(this.#waiting, site, 1)
    this.#lookIn(0)
    return turn.finally(() => tally(this.#waiting, site, -1))
  }

  /** The answer has a turn from now on. */
  hold(answer: Arriving): void {
    this.#holding.set(answer, { seen: { at: this.#now(), bytes: answer.bytes }, slow: undefined })
    if (this.#away.delete(answer)) this.#resize()
  }

  /** The answer has been read, or given up. */
  end(answer: Arriving): void {
    this.#holding.delete(answer)
    if (this.#away.delete(answer)) this.#resize()
  }

  #lookIn(ms: number): void {
    if (this.#isLooking) return
    this.#isLooking = true
    this.#after(ms, () => {
      this.#isLooking = false
      if (this.#waiting.size === 0) return
      this.#look()
      this.#lookIn(look.ms)
    })
  }

  #look(): void {
    const now = this.#now()
    for (const answers of [this.#holding, this.#away])
      for (const [answer, arrival] of answers)
        if (now - arrival.seen.at >= look.ms) judge(answer, arrival, now)
    let wanted = [...this.#waiting.values()].reduce((sum, count) => sum + count, 0)
    for (const [answer, { slow }] of this.#holding)
      if (slow !== undefined && wanted > 0 && this.#makesWay(answer, now)) wanted--
  }

  /**
   * @returns whether the answer has left its turn to another; it keeps the turn if there is no room for it without one
   */
  #makesWay(answer: Arriving, now: number): boolean {
    if (!this.#hasRoom(answer)) (this.#latest(now) ?? this.#crowding())?.giveUp()
    if (!this.#holding.has(answer)) return true
    if (!this.#hasRoom(answer)) return false
    this.#leave(answer)
    return true
  }

  #leave(answer: Arriving): void {
    this.#away.set(answer, this.#holding.get(answer)!)
    this.#holding.delete(answer)
    this.#resize()
    answer.loseTurn()
  }

  #resize(): void {
    const turns = Math.floor((memory.all - this.#aside) / memory.each)
    this.#turns.resize(Math.max(MIN_TURNS, Math.min(turns, this.#most)))
  }

  #hasRoom({ bytes }: Arriving): boolean {
    return this.#aside + bytes + AWAY_BYTES <= memory.all - MIN_TURNS * memory.each
  }

  /** Bytes of answers without a turn, including those that may still arrive. */
  get #aside(): number {
    let aside = 0
    for (const { bytes } of this.#away.keys()) aside += bytes + AWAY_BYTES
    return aside
  }

  /** The late answer that has been slow for longest. */
  #latest(now: number): Arriving | undefined {
    const found = [...this.#away, ...this.#holding].flatMap(([answer, { slow }]) =>
      slow !== undefined && isLate(answer, slow, now) ? [{ answer, since: slow.at }] : []
    )
    return found.sort((a, b) => a.since - b.since)[0]?.answer
  }

  /**
   * Chooses an answer to give up: the first one that waits for its forge, of the address with the most bytes among
   * those with several slow answers. Undefined if each address that waits has a slow answer itself. An answer that has
   * lost its turn and waits for another is counted, too, but not chosen: it would be read.
   */
  #crowding(): Arriving | undefined {
    const holding = [...this.#holding].filter(([, { slow }]) => slow !== undefined)
    const answers = [...this.#away, ...holding].map(([answer]) => answer)
    const bySite = Map.groupBy(answers, ({ from }) => siteOf(from))
    if ([...this.#waiting.keys()].every(site => bySite.has(site))) return undefined
    const several = [...bySite.values()].filter(({ length }) => length > 1)
    const most = several.sort((a, b) => bytesOf(b) - bytesOf(a))
    return most.flat().find(({ isAwaited }) => isAwaited)
  }
}

const bytesOf = (answers: readonly Arriving[]): number => answers.reduce((sum, { bytes }) => sum + bytes, 0)

function isLate({ bytes }: Arriving, slow: Mark, now: number): boolean {
  const ms = now - slow.at
  return ms >= late.ms && (bytes - slow.bytes) * late.ms < late.bytes * ms
}

/**
 * Updates whether an answer is slow. If a look comes late, because the process is busy, no more bytes are expected:
 * some that have arrived may not be read yet.
 */
function judge({ bytes, isAwaited }: Arriving, arrival: Arrival, now: number): void {
  const isSlow = isAwaited && bytes - arrival.seen.bytes < look.bytes
  arrival.slow = isSlow ? (arrival.slow ?? arrival.seen) : undefined
  arrival.seen = { at: now, bytes }
}
