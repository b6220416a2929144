import { ownText } from '../../collections/own-text.ts'
import { SharedCache } from '../../collections/shared-cache.ts'
import { textBytes } from '../../collections/text-bytes.ts'

/** How long a fact about the forge is kept, in milliseconds, by default. */
const FRESH_MS = 60_000
/** Bytes of the texts of one fact and of those of all callers together, with what they are known by; each counts for some. */
const MAX_FACT_BYTES = 2_000
const MAX_BYTES = 4_000_000
const LEAST_BYTES = 400
/** Most of them for one holder: with a forge of their own, somebody could learn any number of names. */
const MAX_HOLDER_BYTES = MAX_BYTES / 4

/** A fact is small: an id, a name, a short record. */
export type Fact = string | number | object

/** What one caller has learned of one forge. */
export interface Known {
  /**
   * @param freshMs milliseconds for which it holds; default a minute
   * @returns what `ask` returned within that time, or returns now; failures are not kept, nor are values that are not
   * small facts.
   * @throws what `ask` throws
   */
  remember<Value extends Fact>(what: string, ask: () => Promise<Value>, freshMs?: number): Promise<Value>
  /** What was learned and still holds. */
  recall(what: string): Fact | undefined
  /** Changes with each change of the caller that was reported: what stands for what may differ from before. */
  readonly changes: number
  /** To be called when the caller has changed something, or what is remembered of names is in doubt. */
  changed(): void
}

/** Small facts about forges, kept for a while, each only for the caller who learned it. */
export class KnownFacts {
  readonly #facts: SharedCache<Fact>
  /** Counts those of all callers, so that no number comes twice. */
  #changes = 0

  /** @param clock milliseconds, such as `performance` */
  constructor(clock: { now(): number } = performance) {
    this.#facts = new SharedCache({ all: MAX_BYTES, each: MAX_HOLDER_BYTES }, FRESH_MS, () => clock.now())
  }

  /**
   * @param scope the caller and the forge: facts do not pass from one to another
   * @param holder whose room they take, such as the caller's address; default the scope
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
      // As long as anything may be remembered from before.
      changed: () => this.#keep(last, ++this.#changes, holder, FRESH_MS)
    }
  }

  #keep(key: string, fact: Fact, holder: string, ttl: number): void {
    const size = Math.max(LEAST_BYTES, textBytes(key) + bytesOf(fact))
    if (size > MAX_FACT_BYTES) return
    // Copied, because key and fact may be slices of a long text, which would be kept in memory with them.
    this.#facts.set(ownText(key), typeof fact === 'string' ? ownText(fact) : fact, holder, ttl, size)
  }
}

/** What a number, or whatever else has no length, counts for. */
const PLAIN_BYTES = 8

/** Bytes of a fact: of a record those of its fields, which are no records in turn. */
function bytesOf(fact: unknown): number {
  if (typeof fact === 'string') return textBytes(fact)
  if (typeof fact !== 'object' || fact === null) return PLAIN_BYTES
  return Object.values(fact).reduce<number>(
    (sum, value) => sum + (typeof value === 'object' && value !== null ? MAX_FACT_BYTES : bytesOf(value)),
    PLAIN_BYTES
  )
}
