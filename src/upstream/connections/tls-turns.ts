import { LRUCache } from 'lru-cache'
import { siteOf } from '../../base/holders.ts'
import { atMost } from '../../collections/at-most.ts'
import { UsedTimes } from '../../fairness/used-times.ts'
import { WaitingLines } from '../../fairness/waiting-lines.ts'

/*
 * Pieces of TLS wait in lanes: a Lane has what waits for the rest of one holder in the time of one payer, who is the holder
 * itself for records, and for handshakes the address that asks for them. Of the lanes that may run, that of who has used
 * least is next. Three rests bound how much runs at all, each of which begins once so much was used:
 *
 * | rest of                 | who counts in it                       | for how long        | who passes                |
 * | ----------------------- | -------------------------------------- | ------------------- | ------------------------- |
 * | a holder, after 1 ms    | its handshakes, or its records         | the square of it    | nobody                    |
 * | dear holders, the same  | all records of those with two of them  | the square of it    | nobody                    |
 * | all, after 2 ms (pause) | everything, also what passes in it,    | as long as was used | who used 1 ms less than   |
 * |                         | which counts for the time after it     |                     | others, 1 ms in all       |
 *
 * Data is counted in all of them, and paid for, like anything else: a record of one byte takes as long as one of a hundred.
 * Only what a piece of it may count as is bounded more tightly.
 */

/** Returns whether it was of data alone. */
type Work = () => boolean

/** Milliseconds that a holder may use before it has to rest. */
const EACH_MS = 1
/** The same for all holders together, who then rest for as long as they used. */
const ALL_MS = 2

/**
 * The first piece of a holder in a minute counts as this many milliseconds at most: garbage may have been collected
 * meanwhile.
 */
const DOUBT_MS = 10
const DOUBT_FOR_MS = 60_000

/** The most that data can take. Longer times have another cause, such as garbage collection. */
const DATA_MS = 3

/** How long holders with a dear record rest together: two tickets, as forges send them, take a tenth of EACH_MS. */
const DEAR_FOR_MS = 60_000

/** Most holders whose use is remembered; others count as having used nothing. */
const MAX_HOLDERS = 4_000

/** Milliseconds of credit over others who used more lately: some handshakes. */
const CREDIT_MS = 10

/** Who has used so many milliseconds less than those being served need not wait for a pause of all to end. */
const LEAD_MS = 1

/** Milliseconds in a pause for those. */
const PASSING_MS = 1

/** What rests after what it used. */
interface Resting {
  spentMs: number
  rests: boolean
}

/** Whose connections rest together. */
interface Holder extends Resting {
  readonly name: string
  /** Whether it recently had the benefit of the doubt. */
  doubted: boolean
  /** What waits for its rest to end, by whose time it takes. */
  readonly lanes: Map<string, Lane>
}

/** What waits for the same rest, and takes the time of the same. */
interface Lane {
  readonly holder: Holder
  /** Whose time it takes, of these. */
  readonly whose: string
  readonly times: UsedTimes
  readonly waiting: WaitingLines<Work>
}

type Holders = LRUCache<string, Holder>

/** Turns for pieces of TLS (handshakes.ts), each of which runs now or, while its holder or all have to rest, later. */
export class TlsTurns {
  readonly #begin: () => () => number
  readonly #after: (ms: number, next: () => void) => void
  readonly #beginning: Holders = new LRUCache(atMost(MAX_HOLDERS))
  readonly #secure: Holders = new LRUCache(atMost(MAX_HOLDERS))
  /**
   * Holders of secure connections who lately had a record beside data that was a reason to rest by itself, and whether it
   * was not the first: garbage may have been collected meanwhile.
   */
  readonly #dear: LRUCache<string, boolean>
  /** All of these rest after what one of them used: so many addresses have no more of the time than one. */
  readonly #dearRest: Resting = { spentMs: 0, rests: false }
  /** Of who asks for handshakes, and of the holders of secure connections. */
  readonly #times = { beginning: new UsedTimes(CREDIT_MS), secure: new UsedTimes(CREDIT_MS) }
  /** All that wait. */
  readonly #line = new Set<Lane>()
  /** Those of them that may be next, in order of their arrival. */
  readonly #due = new Set<Lane>()
  #spentMs = 0
  #pauses = false
  /** Milliseconds used since the last pause began. */
  #passedMs = 0
  #isServing = false

  /**
   * @param begin begins to measure a piece of work, and returns what gives the milliseconds since
   * @param after calls back after so many milliseconds
   * @param now clock in milliseconds
   */
  constructor(begin: () => () => number, after: (ms: number, next: () => void) => void, now?: () => number) {
    this.#begin = begin
    this.#after = after
    this.#dear = new LRUCache(atMost(MAX_HOLDERS, DEAR_FOR_MS, now))
  }

  /**
   * Goes on with a handshake. Of what waits, that of who has used least time is next.
   * @param name of the holder: an address that is connected to, or a domain
   * @param asker who asks for it, as from holderOf (base/holders.ts)
   */
  handshake(name: string, asker: string, run: () => void): void {
    const lane = laneOf(holderIn(this.#beginning, name), siteOf(asker), this.#times.beginning)
    this.#add(lane, asker, () => {
      run()
      return false
    })
  }

  /**
   * The same for a piece of a secure connection, of which each has one at a time.
   * @param run returns whether it was of data alone, which counts as a few milliseconds at most
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

  /** Runs the work of those that may be next, one piece after another, until none may. */
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

  /** Those that may run, in order of what they used; of equals in order of their arrival. What has to rest is due again afterwards. */
  #ready(): Lane[] {
    const ready: { lane: Lane; ahead: number }[] = []
    for (const lane of this.#due) {
      const ahead = aheadOf(lane)
      if (this.#mayRun(lane, ahead)) ready.push({ lane, ahead })
      else this.#due.delete(lane)
    }
    return ready.sort((a, b) => a.ahead - b.ahead).map(({ lane }) => lane)
  }

  /** Runs a piece of each that may still run. */
  #runEach(lanes: readonly Lane[]): void {
    for (const lane of lanes) if (this.#mayRun(lane, aheadOf(lane))) this.#run(lane)
  }

  /** @param ahead milliseconds that it has used more than those being served */
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
      // All, as who waited for this may rest alone by now.
      this.#serve(this.#line)
    })
  }

  /** Counts milliseconds for all: what passes in a pause, for the time after it. */
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

/** Milliseconds that it has used more than those being served. */
const aheadOf = ({ times, whose }: Lane): number => times.of(whose) - times.level

/** What waits for a holder's rest in somebody's time; a new one is the holder's once something waits in it. */
const laneOf = (holder: Holder, whose: string, times: UsedTimes): Lane =>
  holder.lanes.get(whose) ?? { holder, whose, times, waiting: new WaitingLines() }

function holderIn(holders: Holders, name: string): Holder {
  const known = holders.get(name)
  if (known !== undefined) return known
  const holder: Holder = { name, spentMs: 0, rests: false, doubted: false, lanes: new Map() }
  holders.set(name, holder)
  return holder
}
