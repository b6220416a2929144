import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'
import type { Session } from '../session/store.ts'
import type { Forges } from '../upstream/forges.ts'
import type { CallScope } from '../upstream/upstream.ts'

export const userLimits = {
  /** Names that are kept, and for how long, in milliseconds: people change theirs. */
  names: 10_000,
  keptMs: 24 * 3_600_000,
  /** How long nothing is asked after there was no name. */
  missedMs: 600_000,
  /** Questions at once; more are left for a later call of the same token. */
  asking: 4
} as const

/** No name is longer at a forge, and none has other characters. */
const name = /^[\p{L}\p{N}._@-]{1,255}$/u

/** Asks a forge whose a credential is, in a turn of its caller. @throws ForgeError, ForgeStatusError, PoolCapacityError */
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
 * The names of those who call, for the audit line: asked once for each token after a call of it was served, so that
 * neither made-up tokens nor calls wait for it.
 */
export class AuditUsers {
  readonly #names: LRUCache<string, { readonly name: string | undefined }>
  readonly #asking = new Set<string>()

  readonly #onNamed: (principal: string, user: string) => void

  /**
   * @param onNamed told whose a token is, once that is known: a call may be the only one of its token
   * @param now clock in milliseconds
   */
  constructor(
    onNamed: (principal: string, user: string) => void,
    now: () => number = () => performance.now()
  ) {
    this.#onNamed = onNamed
    this.#names = new LRUCache(atMost(userLimits.names, userLimits.keptMs, now))
  }

  /** @param principal a digest of the token */
  nameOf(principal: string): string | undefined {
    return this.#names.get(principal)?.name
  }

  /** @param ask gives what the forge calls its user; a rejection is no name */
  learn(principal: string, ask: () => Promise<unknown>): void {
    if (this.#names.has(principal) || this.#asking.has(principal)) return
    if (this.#asking.size >= userLimits.asking) return
    this.#asking.add(principal)
    ask()
      .catch(() => undefined)
      .then(found => {
        this.#asking.delete(principal)
        if (typeof found === 'string' && name.test(found)) {
          this.#names.set(principal, { name: found })
          this.#onNamed(principal, found)
        } else this.#names.set(principal, { name: undefined }, { ttl: userLimits.missedMs })
      })
  }
}
