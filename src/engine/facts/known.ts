import { ownText } from '../../collections/own-text.ts'
import { SharedCache } from '../../collections/shared-cache.ts'
import { textBytes } from '../../collections/text-bytes.ts'

/** How long a fact about the forge is kept, in milliseconds, by default. */
const FRESH_MS = 60_000
/**
 * Most bytes of the texts of one fact, and of all facts of all callers, including their keys. Each fact counts for a
 * minimum.
 */
const MAX_FACT_BYTES = 2_000
const MAX_BYTES = 4_000_000
const MIN_BYTES = 400
/** Most bytes for one holder: with a forge of one's own, a caller could learn any number of names. */
const MAX_HOLDER_BYTES = MAX_BYTES / 4

/** A fact is small: an id, a name, a short record. */
export type Fact = string | number | object

/** The facts that one caller has learned about one forge. */
export interface Known {
  /**
   * @param freshMs milliseconds for which the fact is kept; default a minute
   * @returns what `ask` returned within that time, or returns now. Failures are not kept, nor are values that are not
   *   small facts
   * @throws what `ask` throws
   */
  remember<Value extends Fact>(what: string, ask: () => Promise<Value>, freshMs?: number): Promise<Value>
  /** A fact that was learned and is still kept. */
  recall(what: string): Fact | undefined
  /**
   * A counter that changes with each reported change of the caller: names may then stand for other things than before.
   */
  readonly changes: number
  /** To be called when the caller has changed something, or when remembered names are in doubt. */
  changed(): void
}

/** Small facts about forges, kept for a while, each only for the caller who learned it. */
export class KnownFacts {
  readonly #facts: SharedCache<Fact>
  /** Counts the changes of all callers, so that no number occurs twice. */
  #changes = 0

  /** @param now clock of durations in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#facts = new SharedCache({ all: MAX_BYTES, each: MAX_HOLDER_BYTES }, FRESH_MS, now)
  }

  /**
   * @param scope the caller and the forge: facts are never shared between scopes
   * @param holder whose room the facts take, such as the caller's address; default the scope
   */
  of(scope: string, holder = scope): Known {
    const facts = this.#facts
    const keyOf = (what: string) => `${scope}\n${what}`
    const last = keyOf('last change')
    return {
      remember: async <Value extends Fact>(what: string, ask: () => Promise<Value>, freshMs = FRESH_MS) => {
        const key = keyOf(what)
        const known = facts.get(key)
        if (known !== undefined) return known as Value
        const fact = await ask()
        this.#keep(key, fact, holder, freshMs)
        return fact
      },
      recall: what => facts.get(keyOf(what)),
      get changes() {
        return (facts.get(last) as number | undefined) ?? 0
      },
      // Kept as long as any fact from before may be remembered.
      changed: () => this.#keep(last, ++this.#changes, holder, FRESH_MS)
    }
  }

  #keep(key: string, fact: Fact, holder: string, ttl: number): void {
    const size = Math.max(MIN_BYTES, textBytes(key) + bytesOf(fact))
    if (size > MAX_FACT_BYTES) return
    // Copied, because key and fact may be slices of a long text, which would be kept in memory with them.
    this.#facts.set(ownText(key), typeof fact === 'string' ? ownText(fact) : fact, holder, ttl, size)
  }
}

/** The size of a number, or of any other value without a length. */
const PLAIN_BYTES = 8

/** Bytes of a fact. For a record, these are the bytes of its fields, which must not be records themselves. */
function bytesOf(fact: unknown): number {
  if (typeof fact === 'string') return textBytes(fact)
  if (typeof fact !== 'object' || fact === null) return PLAIN_BYTES
  return Object.values(fact).reduce<number>(
    (sum, value) => sum + (typeof value === 'object' && value !== null ? MAX_FACT_BYTES : bytesOf(value)),
    PLAIN_BYTES
  )
}
