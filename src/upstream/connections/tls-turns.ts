import { LRUCache } from 'lru-cache'
import { siteOf } from '../../base/holders.ts'
import { atMost } from '../../collections/at-most.ts'
import { UsedTimes } from '../../fairness/used-times.ts'
import { WaitingLines } from '../../fairness/waiting-lines.ts'

/*
 * Pieces of TLS wait in lanes. A lane (Lane) holds the work that waits for the rest of one holder and uses the time of
 * one payer. For records the payer is the holder itself, for handshakes the site of the address that asks for them. Of
 * the lanes that may run, the one whose payer has used the least time is next. Three kinds of rest bound how much runs
 * at all. Each begins once so much time was used:
 *
 * | rest of                 | what counts for it                     | for how long        | who need not wait        |
 * | ----------------------- | -------------------------------------- | ------------------- | ------------------------ |
 * | a holder, after 1 ms    | its handshakes, or its records         | the square of it    | nobody                   |
 * | expensive holders, 1 ms | all records of holders that have sent  | the square of it    | nobody                   |
 * |                         | two expensive ones                     |                     |                          |
 * | all, after 2 ms (pause) | everything; what runs in a pause       | as long as was used | who used 1 ms less than  |
 * |                         | counts for the time after it           |                     | others, 1 ms in all      |
 *
 * Data counts for all of these rests, and is paid for, like anything else: a record of one byte takes as long as one of
 * a hundred. Only the time that a piece of data may count as is bounded more tightly (DATA_MS).
 */

/** Runs a piece. @returns whether it held nothing but data */
type Work = () => boolean

/** Milliseconds that a holder may use before it has to rest. */
const EACH_MS = 1
/** The same for all holders together, who then rest for as long as they have used. */
const ALL_MS = 2

/**
 * Once a minute, a longer piece of a holder counts only as this many milliseconds: garbage may have been collected
 * meanwhile.
 */
const DOUBT_MS = 10
const DOUBT_FOR_MS = 60_000

/** The most that data can take. Longer times have another cause, such as garbage collection. */
const DATA_MS = 3

/**
 * How long holders with an expensive record rest together. Two tickets, as forges send them, take a tenth of EACH_MS.
 */
const DEAR_FOR_MS = 60_000

/** Most holders whose use is remembered; others count as having used nothing. */
const MAX_HOLDERS = 4_000

/** Most milliseconds of credit over others who used more lately: enough for some handshakes. */
const CREDIT_MS = 10

/** Whoever has used this many milliseconds less than those being served need not wait until a pause of all ends. */
const LEAD_MS = 1

/** Milliseconds of a pause that they may use together. */
const PASSING_MS = 1

/** Something that rests for a time that depends on what it used. */
interface Resting {
  spentMs: number
  rests: boolean
}

/** Connections that rest together. */
interface Holder extends Resting {
  readonly name: string
  /** Whether it recently had the benefit of the doubt. */
  doubted: boolean
  /** Work that waits for its rest to end, by the payer whose time it uses. */
  readonly lanes: Map<string, Lane>
}

/** Work that waits for the same rest, and uses the time of the same payer. */
interface Lane {
  readonly holder: Holder
  /** The payer, by its name in `times`. */
  readonly whose: string
  readonly times: UsedTimes
  readonly waiting: WaitingLines<Work>
}

type Holders = LRUCache<string, Holder>

/** Gives turns to pieces of TLS (handshakes.ts). Each runs now or, while its holder or all have to rest, later. */
export class TlsTurns {
  readonly #begin: () => () => number
  readonly #after: (ms: number, next: () => void) => void
  readonly #beginning: Holders = new LRUCache(atMost(MAX_HOLDERS))
  readonly #secure: Holders = new LRUCache(atMost(MAX_HOLDERS))
  /**
   * Holders of secure connections that lately had a record without data that took long enough for a rest by itself. The
   * value tells whether it was not their first one: garbage may have been collected during the first.
   */
  readonly #dear: LRUCache<string, boolean>
  /** All holders with several such records share this rest, so that many addresses get no more of the time than one. */
  readonly #dearRest: Resting = { spentMs: 0, rests: false }
  /** Times used by those who ask for handshakes, and by the holders of secure connections. */
  readonly #times = { beginning: new UsedTimes(CREDIT_MS), secure: new UsedTimes(CREDIT_MS) }
  /** All lanes in which work waits. */
  readonly #line = new Set<Lane>()
  /** Those lanes that may be next, in order of their arrival. */
  readonly #due = new Set<Lane>()
  #spentMs = 0
  #pauses = false
  /** Milliseconds used since the last pause began. */
  #passedMs = 0
  #isServing = false

  /**
   * @param begin begins to measure a piece of work, and returns a function that gives the milliseconds since then
   * @param after calls `next` after `ms` milliseconds
   * @param now clock in milliseconds
   */
  constructor(begin: () => () => number, after: (ms: number, next: () => void) => void, now?: () => number) {
    this.#begin = begin
    this.#after = after
    this.#dear = new LRUCache(atMost(MAX_HOLDERS, DEAR_FOR_MS, now))
  }

  /**
   * Runs a piece of a handshake, now or later. Of all that waits, the piece of whoever has used the least time is next.
   * @param name of the holder: an address that is connected to, or a domain
   * @param asker who asks for the handshake, as from holderOf (base/holders.ts)
   */
  handshake(name: string, asker: string, run: () => void): void {
    const lane = laneOf(holderIn(this.#beginning, name), siteOf(asker), this.#times.beginning)
    this.#add(lane, asker, () => {
      run()
      return false
    })
  }

  /**
   * Does the same for a piece of a secure connection. Each connection has one piece at a time.
   * @param run returns whether the piece held nothing but data, which counts as a few milliseconds at most
   */
  data(name: string, run: () => boolean): void {
    this.#add(laneOf(holderIn(this.#secure, name), name, this.#times.secure), '', run)
  }

  #add(lane: Lane, asker: string, work: Work): void {
    lane.holder.lanes.set(lane.whose, lane)
    lane.waiting.add(asker, work)
    this.#line.add(lane)
    this.#serve([lane])
  }

  /** Runs the work of lanes that may be next, one piece after another, until none may run. */
  #serve(lanes: Iterable<Lane>): void {
    for (const lane of lanes) this.#due.add(lane)
    if (this.#isServing) return
    this.#isServing = true
    try {
      for (let lanes = this.#ready(); lanes.length > 0; lanes = this.#ready()) this.#runEach(lanes)
    } finally {
      this.#isServing = false
    }
  }

  /**
   * The lanes that may run, in order of what their payers have used; among equals, in order of arrival. A lane that has
   * to rest is added again after the rest.
   */
  #ready(): Lane[] {
    const ready: { lane: Lane; ahead: number }[] = []
    for (const lane of this.#due) {
      const ahead = aheadOf(lane)
      if (this.#mayRun(lane, ahead)) ready.push({ lane, ahead })
      else this.#due.delete(lane)
    }
    return ready.sort((a, b) => a.ahead - b.ahead).map(({ lane }) => lane)
  }

  /** Runs a piece of each lane that may still run. */
  #runEach(lanes: readonly Lane[]): void {
    for (const lane of lanes) if (this.#mayRun(lane, aheadOf(lane))) this.#run(lane)
  }

  /** @param ahead milliseconds that the payer has used more than those being served */
  #mayRun({ holder, waiting }: Lane, ahead: number): boolean {
    if (waiting.size === 0 || holder.rests || this.#restOf(holder).rests) return false
    return !this.#pauses || (ahead <= -LEAD_MS && this.#passedMs < PASSING_MS)
  }

  #restOf(holder: Holder): Resting {
    const isSecure = this.#secure.peek(holder.name) === holder
    return isSecure && this.#dear.peek(holder.name) === true ? this.#dearRest : holder
  }

  #run(lane: Lane): void {
    const { holder, times, waiting, whose } = lane
    const work = waiting.take(() => 0)!
    this.#due.delete(lane)
    if (waiting.size > 0) this.#due.add(lane)
    else {
      this.#line.delete(lane)
      holder.lanes.delete(whose)
    }
    times.serve(whose)
    const taken = this.#begin()
    const isData = work()
    const ms = taken()
    const counted = isData ? Math.min(ms, DATA_MS) : this.#counted(holder, ms)
    this.#tire(this.#restOf(holder), counted)
    times.pay(whose, counted)
    if (!isData && times === this.#times.secure && counted >= EACH_MS)
      this.#dear.set(whose, this.#dear.has(whose))
    const allMs = isData ? counted : ms
    this.#passedMs += allMs
    this.#spend(allMs)
  }

  #tire(one: Resting, ms: number): void {
    one.spentMs += ms
    if (one.spentMs < EACH_MS) return
    const rest = one.spentMs ** 2
    one.spentMs = 0
    one.rests = true
    this.#after(rest, () => {
      one.rests = false
      // All lanes are tried: a holder that waited for this rest may by now rest alone.
      this.#serve(this.#line)
    })
  }

  /** Counts milliseconds towards the pause of all. What is used in a pause counts for the time after it. */
  #spend(ms: number): void {
    this.#spentMs += ms
    if (this.#pauses || this.#spentMs < ALL_MS) return
    const pause = this.#spentMs
    this.#spentMs = 0
    this.#passedMs = 0
    this.#pauses = true
    this.#after(pause, () => {
      this.#pauses = false
      this.#spend(0)
      this.#serve(this.#line)
    })
  }

  #counted(holder: Holder, ms: number): number {
    if (ms <= DOUBT_MS || holder.doubted) return ms
    holder.doubted = true
    this.#after(DOUBT_FOR_MS, () => {
      holder.doubted = false
    })
    return DOUBT_MS
  }
}

/** Milliseconds that the lane's payer has used more than those being served. */
const aheadOf = ({ times, whose }: Lane): number => times.of(whose) - times.level

/** The lane for a holder's rest and a payer's time. A new lane is added to the holder once work waits in it. */
const laneOf = (holder: Holder, whose: string, times: UsedTimes): Lane =>
  holder.lanes.get(whose) ?? { holder, whose, times, waiting: new WaitingLines() }

function holderIn(holders: Holders, name: string): Holder {
  const known = holders.get(name)
  if (known !== undefined) return known
  const holder: Holder = { name, spentMs: 0, rests: false, doubted: false, lanes: new Map() }
  holders.set(name, holder)
  return holder
}
