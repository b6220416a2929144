import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { DAY_MS } from '../../base/units.ts'

/*
 * Names are looked up in separate lanes: the operator's names in one, and those that callers choose in one for each
 * dispatcher. So names under a name server that does not answer delay only the forge that leads to them. Nobody's names
 * push out the answers that others need. And nobody can tell from how soon an answer comes which names others have
 * asked for.
 */

export interface LaneLimits {
  /** Lookups at once. */
  readonly atOnce: number
  /** Lookups that may wait; more fail at once. */
  readonly queue: number
  /** Milliseconds for which an answer is used without asking again. */
  readonly freshMs: number
  /** The same, if none of its addresses accepts connections. */
  readonly doubtfulMs: number
  /** Milliseconds after that for which an answer may still be used while there is no newer one. */
  readonly staleMs: number
  /** Milliseconds to wait for a newer answer if there is an older one. */
  readonly graceMs: number
  /** Longest wait in milliseconds if there is none: a later answer would be too late to connect. */
  readonly waitMs: number
  /** Milliseconds after which a hanging lookup no longer takes a slot. */
  readonly hangMs: number
  /** Most names that are remembered. */
  readonly names: number
}

const common = { queue: 256, freshMs: 30_000, doubtfulMs: 5_000, graceMs: 200, waitMs: 5_000, names: 16 }

/** For the operator's own names, FORGE_API_URL and the proxies, which must be found even while a name server fails. */
export const operatorNames: LaneLimits = { ...common, atOnce: 8, staleMs: DAY_MS, hangMs: 15_000 }

/** For names that callers choose: the one of a forge, and those that it leads to. */
export const callersNames: LaneLimits = { ...common, atOnce: 8, staleMs: 0, hangMs: 5_000 }

/**
 * For names that anybody can choose, in the ids of client documents: all of these share one dispatcher. No answers are
 * used again, as the documents themselves are kept.
 */
export const documentNames: LaneLimits = { ...callersNames, atOnce: 512, freshMs: 0 }

/** Called when a name is no longer found and its older answer is used instead. */
export type OnStale = (hostname: string, error: Error) => void

type Callback = Parameters<LookupFunction>[2]
type Options = Parameters<LookupFunction>[1]

interface Answer {
  readonly found: string | LookupAddress[]
  readonly family: number | undefined
  readonly at: number
  /** Whether none of its addresses accepted a connection. */
  isDoubtful: boolean
}

/** One lookup, for all who want the name. */
interface Search {
  readonly key: string
  readonly begin: () => void
  readonly waiters: Set<Callback>
  /** When it began, by the clock; undefined while it waits for a slot. */
  begun: number | undefined
}

const failure = (code: string, message: string) =>
  Object.assign(new Error(message), { code, syscall: 'getaddrinfo' })

const late = () => failure('ETIMEDOUT', 'the name was not resolved in time')

/** The error code of a name that was not asked for, because too many others were. */
export const TOO_MANY_LOOKUPS = 'EBUSY'

const tooMany = () => failure(TOO_MANY_LOOKUPS, 'too many look-ups')

/**
 * A resolver that looks a name up once, however many want it, and remembers the answer for a short time. Nobody waits
 * longer than a connection may take; a lookup whose callers have gone before it began is dropped. Every answer,
 * remembered or not, is checked by whoever connects (addresses.ts).
 */
export class NameLane {
  readonly #ask: LookupFunction
  readonly #limits: LaneLimits
  readonly #now: () => number
  readonly #onStale: OnStale | undefined
  readonly #answers = new Map<string, Answer>()
  readonly #searches = new Map<string, Search>()
  /** The searches that wait for a slot. */
  readonly #waiting = new Set<Search>()
  #running = 0

  /**
   * @param ask the resolver behind it
   * @param now clock in milliseconds
   */
  constructor(
    ask: LookupFunction,
    limits: LaneLimits,
    onStale?: OnStale,
    now: () => number = () => performance.now()
  ) {
    this.#ask = ask
    this.#limits = limits
    this.#now = now
    this.#onStale = onStale
  }

  /** The resolver, as `net.connect` takes it. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    // The key leaves out the hints: only the system's resolver uses them, and all who ask it give the same ones
    // (names.ts).
    const key = `${hostname} ${options.family ?? 0} ${options.all === true}`
    const known = this.#answers.get(key)
    const age = known === undefined ? 0 : this.#now() - known.at
    const { freshMs, doubtfulMs } = this.#limits
    if (known !== undefined && age < (known.isDoubtful ? Math.min(doubtfulMs, freshMs) : freshMs)) {
      process.nextTick(callback, null, known.found, known.family)
      return
    }
    const search = this.#searches.get(key) ?? this.#open(key, hostname, options)
    if (search === undefined) {
      process.nextTick(callback, tooMany(), '')
      return
    }
    this.#await(search, this.#isUsable(known) ? known : undefined, callback)
    if (search.begun === undefined && this.#running < this.#limits.atOnce) this.#begin(search)
  }

  /** Reports that none of the addresses of a name accepts connections: the name may have others by now. */
  doubt(hostname: string): void {
    for (const [key, answer] of this.#answers) if (key.startsWith(`${hostname} `)) answer.isDoubtful = true
  }

  /** Whether a known answer may still stand in for a newer one. */
  #isUsable(known: Answer | undefined): known is Answer {
    const { freshMs, staleMs } = this.#limits
    return known !== undefined && this.#now() - known.at < freshMs + staleMs
  }

  /** @param stale an older answer, used if the new one is late or fails */
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
      waiter(search.begun === undefined ? tooMany() : late(), '')
    }, patienceMs).unref()
    search.waiters.add(waiter)
  }

  #leave(search: Search, waiter: Callback): void {
    search.waiters.delete(waiter)
    if (search.waiters.size === 0 && search.begun === undefined) this.#close(search)
  }

  /** @returns undefined if too many lookups wait */
  #open(key: string, hostname: string, options: Options): Search | undefined {
    const { atOnce, queue } = this.#limits
    const isFree = this.#running < atOnce
    if (!isFree && this.#waiting.size >= queue) return undefined
    const search: Search = {
      key,
      begin: () => this.#run(search, hostname, options),
      waiters: new Set(),
      begun: undefined
    }
    this.#searches.set(key, search)
    if (!isFree) this.#waiting.add(search)
    return search
  }

  #begin(search: Search): void {
    this.#waiting.delete(search)
    search.begun = this.#now()
    this.#running++
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
      // An answer that arrives after all have given up is still remembered.
      if (error === null) this.#remember(search.key, { found, family, at: this.#now(), isDoubtful: false })
      else tell(error)
      this.#end(search, error, found, family)
    })
  }

  #remember(key: string, answer: Answer): void {
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    if (this.#answers.size > this.#limits.names) this.#answers.delete(this.#answers.keys().next().value!)
  }

  /** Frees its slot, and passes the result to those who still wait. */
  #end(search: Search, ...[error, found, family]: Parameters<Callback> | []): void {
    if (this.#searches.get(search.key) !== search) return
    this.#close(search)
    this.#running--
    const [next] = this.#waiting
    if (next !== undefined) this.#begin(next)
    for (const waiter of search.waiters) {
      if (error === null) waiter(null, found!, family)
      else waiter(error ?? late(), '')
    }
  }

  #close(search: Search): void {
    if (this.#searches.get(search.key) === search) this.#searches.delete(search.key)
    this.#waiting.delete(search)
  }
}
