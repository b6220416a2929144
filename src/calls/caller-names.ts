import { DAY_MS } from '../base/units.ts'
import { SharedCache } from '../collections/shared-cache.ts'
import type { Session } from '../session/store.ts'
import type { Forges } from '../upstream/forges.ts'
import { busyShare, Gate } from '../upstream/guard/gate.ts'
import type { CallScope } from '../upstream/upstream.ts'

export const nameLimits = {
  /**
   * How many names are kept, and for how long, in milliseconds: people change their names. Beyond that number, the
   * address with the most loses its oldest.
   */
  names: 10_000,
  keptMs: DAY_MS,
  /** Milliseconds for which a name is not requested again after a request gave none. */
  missedMs: 600_000,
  /** Requests at once, shared among addresses: one address has at most half of them. */
  asking: 8,
  /**
   * How many requests wait for their turn, and for how long, in milliseconds. Beyond that, a name is requested with a
   * later call of the same token.
   */
  waiting: 64,
  waitMs: 5_000
} as const

/** The form of names at a forge: none is longer, or has other characters. */
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
 * The names of callers at their forges (principalAt), for the audit line and to tell whether a session is a caller's. A
 * name is requested once per token and forge, after the forge has served or forbidden a call with the token. So made-up
 * tokens cause no requests, and calls do not wait.
 */
export class CallerNames {
  readonly #names: SharedCache<{ readonly name: string | undefined }>
  readonly #asking = new Set<string>()
  readonly #turns = new Gate(
    { limit: nameLimits.asking, queue: nameLimits.waiting, waitMs: nameLimits.waitMs, shared: true },
    busyShare('for names of callers')
  )

  /** @param now clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#names = new SharedCache(nameLimits.names, nameLimits.keptMs, now)
  }

  /** @param principal as from principalAt */
  nameOf(principal: string): string | undefined {
    return this.#names.get(principal)?.name
  }

  /**
   * Requests the name of a caller, unless it is known or already requested.
   * @param principal as from principalAt
   * @param from the holder that the request counts for (base/holders.ts)
   * @param ask returns the forge's name of the user; a rejection counts as no name
   * @param onNamed called with that name, because a token may be used for a single call only
   */
  learn(principal: string, from: string, ask: () => Promise<unknown>, onNamed: (user: string) => void): void {
    if (this.#names.get(principal) !== undefined || this.#asking.has(principal)) return
    this.#asking.add(principal)
    this.#askInTurn(from, ask)
      .then(
        found => {
          if (typeof found === 'string' && name.test(found)) {
            this.#names.set(principal, { name: found }, from)
            onNamed(found)
          } else this.#names.set(principal, { name: undefined }, from, nameLimits.missedMs)
        },
        // The request got no turn.
        () => undefined
      )
      .finally(() => this.#asking.delete(principal))
  }

  /** @throws ForgeError busy, as a rejection */
  async #askInTurn(from: string, ask: () => Promise<unknown>): Promise<unknown> {
    await this.#turns.enter(from)
    return ask()
      .catch(() => undefined)
      .finally(() => this.#turns.leave(from))
  }
}
