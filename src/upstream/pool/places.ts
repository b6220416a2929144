import { siteOf } from '../../base/holders.ts'
import { PoolCapacityError } from './pool.ts'
import { Shares } from './shares.ts'

/** Pools smaller than this are not divided. */
const MIN_DIVIDED = 8

/** A claim to a place in the pool for a forge, for as long as a call runs. */
export interface Claim {
  readonly url: string
  /** What callers are told apart by. */
  readonly caller: string
  /** The caller's address on the network; none over stdio. */
  readonly from: string | undefined
  /** Whether the forge has served nobody recently: anybody can name such forges, with made-up tokens. */
  readonly isStranger: boolean
}

/**
 * Divides the places of the pool. One caller, one caller address and one forge address can each have at most half of
 * them. All forges that have not served anybody yet have half together, of which one caller address can have half
 * again. So whatever one of them names, there is room for others, and always for forges that work.
 *
 * Anybody can name somebody else's forge at a port where nothing answers, or point a name of their own at its address.
 * So at each forge address, another quarter of the pool is kept for caller addresses that have no place there. Another
 * quarter is kept in the same way for forges that have not served anybody yet. Caller addresses in one network (siteOf)
 * count as one.
 */
export class Places {
  readonly #callers: Shares
  readonly #addresses: Shares
  readonly #hosts: Shares
  readonly #strangers: Shares
  readonly #strangersOf: Shares

  /** @param poolSize FORGE_POOL_MAX_SIZE */
  constructor(poolSize: number) {
    const quarter = Math.ceil(poolSize / 4)
    const part = (divisor: number, spare = 0) =>
      new Shares(Math.max(MIN_DIVIDED, Math.ceil(poolSize / divisor)), spare)
    this.#callers = part(2)
    this.#addresses = part(2)
    this.#hosts = part(2, quarter)
    this.#strangers = part(2, quarter)
    this.#strangersOf = part(4)
  }

  /**
   * Takes the claim's places from the shares of its caller.
   * @returns a function that gives them back
   * @throws PoolCapacityError
   */
  ask({ url, caller, from, isStranger }: Claim): () => void {
    const site = from && siteOf(from)
    return take(url, site, [
      [this.#callers, caller],
      ...(site === undefined ? [] : ([[this.#addresses, site]] as const)),
      ...(isStranger ? ([[this.#strangers, '']] as const) : []),
      ...(isStranger && site !== undefined ? ([[this.#strangersOf, site]] as const) : [])
    ])
  }

  /**
   * Takes the claim's places from the shares of the forge's addresses.
   * @param addresses of the forge's host, or its name if they are not known
   * @param from as in Claim
   * @returns a function that gives them back
   * @throws PoolCapacityError
   */
  at(addresses: readonly string[], url: string, from?: string): () => void {
    return take(
      url,
      from && siteOf(from),
      addresses.map(address => [this.#hosts, address] as const)
    )
  }
}

/** Takes all wanted places, or none. @throws PoolCapacityError */
function take(
  url: string,
  from: string | undefined,
  wanted: readonly (readonly [shares: Shares, holder: string])[]
): () => void {
  const taken: (readonly [Shares, string])[] = []
  const giveBack = () => {
    for (const [shares, holder] of taken.splice(0)) shares.give(holder, url, from)
  }
  for (const one of wanted) {
    const [shares, holder] = one
    if (!shares.take(holder, url, from)) {
      giveBack()
      throw new PoolCapacityError()
    }
    taken.push(one)
  }
  return giveBack
}
