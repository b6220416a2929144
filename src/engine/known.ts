import { LRUCache } from 'lru-cache'

/** Milliseconds for which a fact of the forge is not asked for again. */
const FRESH_MS = 60_000
/** Facts of all callers together; each is an id or a short record. */
const MAX_FACTS = 10_000

/** A fact is small: an id, a name, a short record. */
export type Fact = string | number | object

/** What one caller has learned of one forge: ids by name, mostly. */
export interface Known {
  /** @returns what `ask` gave within the last minute, or gives now; a failure is not kept. @throws what `ask` throws */
  remember<Value extends Fact>(what: string, ask: () => Promise<Value>): Promise<Value>
}

/** Small facts of forges, kept for a minute, each for the caller who was told it only. */
export class KnownFacts {
  readonly #facts = new LRUCache<string, Fact>({ max: MAX_FACTS, ttl: FRESH_MS })

  /** @param scope the caller and the forge: facts do not pass from one to another */
  of(scope: string): Known {
    return {
      remember: async <Value extends Fact>(what: string, ask: () => Promise<Value>) => {
        const key = `${scope}\n${what}`
        const known = this.#facts.get(key)
        if (known !== undefined) return known as Value
        const fact = await ask()
        this.#facts.set(key, fact)
        return fact
      }
    }
  }
}
