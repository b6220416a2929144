import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

/*
 * Names are looked up in lanes that know nothing of each other: whoever chooses names under a name server that keeps
 * silent holds up his own lane, and within it the dispatchers of his own forges.
 */

export interface LaneLimits {
  /** Look-ups at once of one dispatcher. */
  readonly atOnce: number
  /** Look-ups of one dispatcher that wait; more fail at once. */
  readonly queue: number
  /** Milliseconds for which an answer is used without asking again. */
  readonly freshMs: number
  /** Milliseconds after that for which it is used while, or because, there is no newer one. */
  readonly staleMs: number
  /** Milliseconds that a newer answer is waited for where there is an older one. */
  readonly graceMs: number
  /** Milliseconds that anybody waits where there is none: nobody connects with a later one. */
  readonly waitMs: number
  /** Milliseconds after which a look-up that hangs counts no more. */
  readonly hangMs: number
  /** Names that are remembered. */
  readonly names: number
}

const common = { queue: 256, freshMs: 30_000, graceMs: 200, waitMs: 5_000, names: 1_000 }

/** Of the operator's own names, FORGE_API_URL and the proxies, which have to be found while a name server is ill. */
export const ownNames: LaneLimits = { ...common, atOnce: 8, staleMs: 24 * 3_600_000, hangMs: 15_000 }

/** Of the names that callers choose. */
export const callersNames: LaneLimits = { ...common, atOnce: 8, staleMs: 0, hangMs: 5_000 }

/** Of the names that anybody chooses, in the ids of client documents: all of them have one dispatcher. */
export const documentNames: LaneLimits = { ...callersNames, atOnce: 256 }

/** Told of a name whose older answer stands in, as it is not found any more. */
export type OnStale = (hostname: string, error: Error) => void

type Callback = Parameters<LookupFunction>[2]
type Options = Parameters<LookupFunction>[1]

interface Answer {
  readonly found: string | LookupAddress[]
  readonly family: number | undefined
  readonly at: number
}

/** One look-up, for all who want the name. */
interface Search {
  readonly key: string
  readonly begin: () => void
  readonly waiters: Set<Callback>
  /** On the clock; undefined while it waits for a slot. */
  begun: number | undefined
  slots: Slots
}

/** What one dispatcher has under way. */
interface Slots {
  running: number
  readonly waiting: Set<Search>
}

const failure = (code: string, message: string) =>
  Object.assign(new Error(message), { code, syscall: 'getaddrinfo' })

const late = () => failure('ETIMEDOUT', 'the name was not resolved in time')

/**
 * A resolver that asks once a name however many want it and remembers what it found for a short time. Nobody waits
 * for longer than a connection may take; a look-up whose callers have gone before it began is dropped. Who connects
 * checks every answer, remembered or not (addresses.ts).
 */
export class NameLane {
  readonly #ask: LookupFunction
  readonly #limits: LaneLimits
  readonly #now: () => number
  readonly #onStale: OnStale | undefined
  readonly #answers = new Map<string, Answer>()
  readonly #searches = new Map<string, Search>()

  /**
   * @param ask the resolver behind it
   * @param now clock in milliseconds
   */
  constructor(ask: LookupFunction, limits: LaneLimits, now: () => number = Date.now, onStale?: OnStale) {
    this.#ask = ask
    this.#limits = limits
    this.#now = now
    this.#onStale = onStale
  }

  /** A resolver with slots of its own, for one dispatcher. */
  lookup(): LookupFunction {
    const slots: Slots = { running: 0, waiting: new Set() }
    return (hostname, options, callback) => this.#find(slots, hostname, options, callback)
  }

  #find(slots: Slots, hostname: string, options: Options, callback: Callback): void {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0} ${options.all === true}`
    const known = this.#answers.get(key)
    const age = known === undefined ? 0 : this.#now() - known.at
    if (known !== undefined && age < this.#limits.freshMs) {
      process.nextTick(callback, null, known.found, known.family)
      return
    }
    const search = this.#searches.get(key) ?? this.#open(key, slots, hostname, options)
    if (search === undefined) {
      process.nextTick(callback, failure('EBUSY', 'too many look-ups'), '')
      return
    }
    this.#await(search, this.#isUsable(known) ? known : undefined, callback)
    // A dispatcher with a free slot does not wait in the queue of another one.
    if (search.begun === undefined && slots.running < this.#limits.atOnce) this.#begin(search, slots)
  }

  /** Whether it stands in for a newer answer. */
  #isUsable(known: Answer | undefined): known is Answer {
    const { freshMs, staleMs } = this.#limits
    return known !== undefined && this.#now() - known.at < freshMs + staleMs
  }

  /** @param stale what stands in for an answer that is late or none */
  #await(search: Search, stale: Answer | undefined, callback: Callback): void {
    const { graceMs, waitMs } = this.#limits
    const waited = this.#now() - (search.begun ?? this.#now())
    const patienceMs = stale === undefined ? waitMs : Math.max(0, graceMs - waited)
    const waiter: Callback = (error, found, family) => {
      clearTimeout(timer)
      if (error !== null && stale !== undefined) callback(null, stale.found, stale.family)
      else callback(error, found, family)
    }
    const timer = setTimeout(() => {
      this.#leave(search, waiter)
      waiter(late(), '')
    }, patienceMs).unref()
    search.waiters.add(waiter)
  }

  #leave(search: Search, waiter: Callback): void {
    search.waiters.delete(waiter)
    if (search.waiters.size === 0 && search.begun === undefined) this.#close(search)
  }

  /** @returns undefined where the dispatcher has too many that wait */
  #open(key: string, slots: Slots, hostname: string, options: Options): Search | undefined {
    const { atOnce, queue } = this.#limits
    const isFree = slots.running < atOnce
    if (!isFree && slots.waiting.size >= queue) return undefined
    const search: Search = {
      key,
      begin: () => this.#run(search, hostname, options),
      waiters: new Set(),
      begun: undefined,
      slots
    }
    this.#searches.set(key, search)
    if (!isFree) slots.waiting.add(search)
    return search
  }

  #begin(search: Search, slots: Slots): void {
    search.slots.waiting.delete(search)
    search.slots = slots
    search.begun = this.#now()
    slots.running++
    search.begin()
  }

  #run(search: Search, hostname: string, options: Options): void {
    const tell = (error: Error) => {
      if (this.#isUsable(this.#answers.get(search.key))) this.#onStale?.(hostname, error)
    }
    const timer = setTimeout(() => {
      tell(late())
      this.#end(search)
    }, this.#limits.hangMs).unref()
    this.#ask(hostname, options, (error, found, family) => {
      clearTimeout(timer)
      // An answer that comes after all have given up is one none the less.
      if (error === null) this.#remember(search.key, { found, family, at: this.#now() })
      else tell(error)
      this.#end(search, error, found, family)
    })
  }

  #remember(key: string, answer: Answer): void {
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    if (this.#answers.size > this.#limits.names) this.#answers.delete(this.#answers.keys().next().value!)
  }

  /** Frees its slot; what is given goes to those who still wait. */
  #end(search: Search, ...[error, found, family]: Parameters<Callback> | []): void {
    if (this.#searches.get(search.key) !== search) return
    this.#close(search)
    search.slots.running--
    const [next] = search.slots.waiting
    if (next !== undefined) this.#begin(next, search.slots)
    for (const waiter of search.waiters) {
      if (error === null) waiter(null, found!, family)
      else waiter(error ?? late(), '')
    }
  }

  #close(search: Search): void {
    if (this.#searches.get(search.key) === search) this.#searches.delete(search.key)
    search.slots.waiting.delete(search)
  }
}
