import { PoolCapacityError } from './pool.ts'
import { Shares } from './shares.ts'

/** Below this a pool is too small to be divided. */
const LEAST = 8

/** Who wants a forge's place in the pool, for as long as a call runs. */
export interface Claim {
  readonly url: string
  /** What callers are told apart by. */
  readonly caller: string
  /** The caller's address on the network; none over stdio. */
  readonly from: string | undefined
  /** The forge has served nobody lately: anybody can name such, with tokens that are made up. */
  readonly isStranger: boolean
}

/**
 * Divides the pool's places: half of them for one caller, one address of callers and one address of forges, and
 * half for all forges that have served nobody yet, of which one address of callers has half again. So whatever one of
 * them names, there is room for others, and for forges that are at work always. Anybody can name another's forge, at a
 * port where nobody answers, or have a name of his own lead to its address: of what is the forges' a quarter of the pool
 * more is left for addresses of callers that have none of it.
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
      new Shares(Math.max(LEAST, Math.ceil(poolSize / divisor)), spare)
    this.#callers = part(2)
    this.#addresses = part(2)
    this.#hosts = part(2, quarter)
    this.#strangers = part(2, quarter)
    this.#strangersOf = part(4)
  }

  /** Takes what the claim needs of who makes it. @returns what gives it back @throws PoolCapacityError */
  ask({ url, caller, from, isStranger }: Claim): () => void {
    return take(url, from, [
      [this.#callers, caller],
      ...(from === undefined ? [] : ([[this.#addresses, from]] as const)),
      ...(isStranger ? ([[this.#strangers, '']] as const) : []),
      ...(isStranger && from !== undefined ? ([[this.#strangersOf, from]] as const) : [])
    ])
  }

  /**
   * Takes what it needs of the forge.
   * @param addresses of the forge's host, or its name where they are not known
   * @param from as of a Claim
   * @returns what gives it back @throws PoolCapacityError
   */
  at(addresses: readonly string[], url: string, from?: string): () => void {
    return take(
      url,
      from,
      addresses.map(address => [this.#hosts, address] as const)
    )
  }
}

/** All of them, or none. */
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
