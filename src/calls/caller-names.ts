import { LRUCache } from 'lru-cache'
import { atMost } from '../collections/at-most.ts'
import type { Session } from '../session/store.ts'
import type { Forges } from '../upstream/forges.ts'
import type { CallScope } from '../upstream/upstream.ts'

export const nameLimits = {
  /** Names that are kept, and for how long, in milliseconds: people change theirs. */
  names: 10_000,
  keptMs: 24 * 3_600_000,
  /** How long no name is asked for after there was none, in milliseconds. */
  missedMs: 600_000,
  /** Requests at once; beyond that, a name is asked for with a later call of the same token. */
  asking: 4
} as const

/** What a forge's names look like: none is longer, or has other characters. */
const name = /^[\p{L}\p{N}._@-]{1,255}$/u

/**
 * Asks a forge for the user of a credential, in a turn of its caller.
 * @throws ForgeError, ForgeStatusError, PoolCapacityError
 */
export async function askUser(
  forges: Pick<Forges, 'lease'>,
  session: Session,
  scope: CallScope
): Promise<unknown> {
  const { client, release } = await forges.lease(session, scope)
  try {
    const { value } = await client.send({ method: 'GET', path: '/user', template: '/user' })
    return (value as { username?: unknown } | null)?.username
  } finally {
    release()
  }
}

/**
 * The names of callers, for the audit line and to tell whether a session is theirs, each at its forge (principalAt). A
 * name is asked for once per token and forge, after a call with it was served, or forbidden: so made-up tokens cause no
 * requests, and calls do not wait.
 */
export class CallerNames {
  readonly #names: LRUCache<string, { readonly name: string | undefined }>
  readonly #asking = new Set<string>()

  /** @param now clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#names = new LRUCache(atMost(nameLimits.names, nameLimits.keptMs, now))
  }

  /** @param principal as from principalAt */
  nameOf(principal: string): string | undefined {
    return this.#names.get(principal)?.name
  }

  /**
   * @param principal as from principalAt
   * @param ask returns the forge's name of the user; a rejection counts as no name
   * @param onNamed called with that name: a token may be used for a single call only
   */
  learn(principal: string, ask: () => Promise<unknown>, onNamed: (user: string) => void): void {
    if (this.#names.has(principal) || this.#asking.has(principal)) return
    if (this.#asking.size >= nameLimits.asking) return
    this.#asking.add(principal)
    ask()
      .catch(() => undefined)
      .then(found => {
        this.#asking.delete(principal)
        if (typeof found === 'string' && name.test(found)) {
          this.#names.set(principal, { name: found })
          onNamed(found)
        } else this.#names.set(principal, { name: undefined }, { ttl: nameLimits.missedMs })
      })
  }
}
