import { DAY_MS } from '../base/units.ts'
import { SharedCache } from '../collections/shared-cache.ts'
import type { Session } from '../session/store.ts'
import type { Forges } from '../upstream/forges.ts'
import { busyShare, Gate } from '../upstream/guard/gate.ts'
import type { CallScope } from '../upstream/upstream.ts'

export const nameLimits = {
  /**
   * Names that are kept, of which the address with the most loses the oldest, and for how long, in milliseconds: people
   * change theirs.
   */
  names: 10_000,
  keptMs: DAY_MS,
  /** How long no name is asked for after there was none, in milliseconds. */
  missedMs: 600_000,
  /** Requests at once, shared among addresses: one has half of them. */
  asking: 8,
  /**
   * Requests that wait for their turn, and for how long, in milliseconds; beyond that, a name is asked for with a later
   * call of the same token.
   */
  waiting: 64,
  waitMs: 5_000
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
   * @param principal as from principalAt
   * @param from the holder that it is asked for (base/holders.ts)
   * @param ask returns the forge's name of the user; a rejection counts as no name
   * @param onNamed called with that name: a token may be used for a single call only
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
        // It had no turn.
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
