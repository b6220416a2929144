import { siteOf } from '../../base/holders.ts'
import { MIB } from '../../base/units.ts'
import { tally } from '../../collections/tally.ts'
import { upstreamLimits } from '../connections/dispatcher.ts'
import type { Gate, Stage } from '../guard/gate.ts'
import { answerRoomLimits } from './answer-room.ts'

/** How often slow answers are looked for while others wait, in milliseconds, and the bytes of one that is not slow. */
const look = { ms: 100, bytes: 256 * 1024 }

/** What may still arrive of an answer that has lost its turn before it needs another, in bytes. */
export const AWAY_BYTES = 64 * 1024

/** Room for what has arrived of answers that wait for their first turn, in bytes. */
const WAITING_BYTES = 20 * MIB

/**
 * The memory of answers that have turns and of those that have lost theirs, and the most that one of them takes, in bytes:
 * the more is held without, the fewer turns there are.
 */
const memory = { all: answerRoomLimits.all - WAITING_BYTES, each: upstreamLimits.maxJsonBytes }

/** So many turns are left however much is held without. */
const FEWEST_TURNS = 2

/**
 * The pace at which an answer is given up where there is no room for one that loses its turn: after so many milliseconds
 * with fewer bytes. One of the greatest size would not be whole in time (COLLECT_MS).
 */
const late = { ms: 5_000, bytes: 2.5 * MIB }

/** An answer that is arriving. */
export interface Arriving {
  /** Whom it counts for: the address of its caller, as from turnHolderOf. */
  readonly from: string
  /** What has arrived. */
  readonly bytes: number
  /** Whether it waits for its forge: not while it waits for a turn, nor once it is whole. */
  readonly isAwaited: boolean
  /** Others have its turn from now on. It may go on for AWAY_BYTES. */
  loseTurn(): void
  /** It takes too long. Calls SlowArrivals.end. */
  giveUp(): void
}

/** Turns that may be left to others for a time. */
export interface LendableTurns extends Stage {
  lend?(): void
}

type SharedGate = Pick<Gate, 'enter' | 'leave' | 'lend' | 'resize'>

/** How much had arrived of an answer at a time. */
interface Mark {
  readonly at: number
  readonly bytes: number
}

interface Arrival {
  /** When it was looked at last. */
  seen: Mark
  /** Since when it has been slow each time. */
  slow: Mark | undefined
}

/**
 * How long an answer arrives is up to its forge, which may send the beginning at once and then a few bytes a second. So
 * one that is slow holds none of the few turns while others wait for one: it goes on without, and is paused once as much
 * has arrived as is worth another. Where such answers hold too much, a slow one keeps its turn unless it hardly moves, or
 * another of its address is slow, too, while an address waits of which none is: then that whose slow answers hold most
 * gives one up.
 */
export class SlowArrivals {
  readonly #holding = new Map<Arriving, Arrival>()
  readonly #away = new Map<Arriving, Arrival>()
  readonly #now: () => number
  readonly #after: (ms: number, next: () => void) => void
  readonly #turns: SharedGate
  readonly #most: number
  /** How many wait for a turn, by address. */
  readonly #waiting = new Map<string, number>()
  #isLooking = false

  /**
   * @param turns the gate that all share
   * @param most turns that it has while nothing is held without
   * @param now clock in milliseconds
   * @param after calls back after so many milliseconds, once what has come is read
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
   * Turns under the name of a holder; for those who wait for one, slow answers lose theirs.
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

  /** @returns whether the answer has left its turn to another: not where there is no room for it without */
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
    this.#turns.resize(Math.max(FEWEST_TURNS, Math.min(turns, this.#most)))
  }

  #hasRoom({ bytes }: Arriving): boolean {
    return this.#aside + bytes + AWAY_BYTES <= memory.all - FEWEST_TURNS * memory.each
  }

  /** Bytes of answers without a turn, with what may still arrive of them. */
  get #aside(): number {
    let aside = 0
    for (const { bytes } of this.#away.keys()) aside += bytes + AWAY_BYTES
    return aside
  }

  /** Of those that are late the one that has been slow for longest. */
  #latest(now: number): Arriving | undefined {
    const found = [...this.#away, ...this.#holding].flatMap(([answer, { slow }]) =>
      slow !== undefined && isLate(answer, slow, now) ? [{ answer, since: slow.at }] : []
    )
    return found.sort((a, b) => a.since - b.since)[0]?.answer
  }

  /**
   * The first one that is slow, of the address that has most, if that has several. Undefined if nobody waits whose address
   * has none. What has lost its turn and waits for another counts, too, but loses nothing: it would be read.
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

/** A look that comes late, as the process is busy, asks for no more: what has come may not be read yet. */
function judge({ bytes, isAwaited }: Arriving, arrival: Arrival, now: number): void {
  const isSlow = isAwaited && bytes - arrival.seen.bytes < look.bytes
  arrival.slow = isSlow ? (arrival.slow ?? arrival.seen) : undefined
  arrival.seen = { at: now, bytes }
}
