import { siteOf } from '../base/holders.ts'
import { MIB } from '../base/units.ts'
import { tally } from '../collections/tally.ts'

/** How much memory, in bytes, the work in progress may take. */
interface WorkLimits {
  /** For one credential. */
  readonly credential: number
  /** For one client address. */
  readonly address: number
  /** For all together: up to this sum each sender may use its own limits in full. */
  readonly plenty: number
  /** For all senders together. */
  readonly all: number
}

/**
 * For bodies that are completely read and being processed, including their parsed values. A call holds about three
 * times the size of its body: its arguments, the request to the forge, and that request as bytes.
 */
export const bodyWorkLimits: WorkLimits = {
  credential: 16 * MIB,
  address: 24 * MIB,
  plenty: 48 * MIB,
  all: 64 * MIB
}

/**
 * For requests in progress, counted by the size of their heads (edge/requests/request-head.ts). An address has room for
 * as many as its connections may hold at once (connectionLimits.heads), and for some whose callers have gone.
 */
export const requestWorkLimits: WorkLimits = {
  credential: Number.POSITIVE_INFINITY,
  address: 20 * MIB,
  plenty: 48 * MIB,
  all: 64 * MIB
}

/**
 * For everything in progress, by the memory that it takes: bodies of calls, requests to forges, requests, and answers
 * that are held. Each kind has its own limits and reaches those first. Filled one after the other, the kinds would take
 * more than a container has beside the service itself.
 */
export const allWorkLimits: WorkLimits = {
  credential: Number.POSITIVE_INFINITY,
  address: 64 * MIB,
  plenty: 96 * MIB,
  all: 136 * MIB
}

/**
 * How many times the size of its head a request takes in memory while it waits for its forge. The head is counted
 * before anything else is known of the request, and all calls of a company that has one address must fit.
 */
export const REQUEST_COST = 3

/** The sender of a body or a request. */
export interface Sender {
  /** The holder of the address; see holderOf. */
  readonly address: string
  /** A digest of the token; undefined where no token is needed, or where tokens are not told apart. */
  readonly credential: string | undefined
}

/** A larger bound that the same work counts for as well. */
export interface PartOf {
  readonly whole: AtWork
  /** Bytes that count there for each byte of the work; default 1. */
  readonly cost?: number
}

/**
 * Bounds the memory of work in progress. A call to a forge may last a minute, and a write that was sent is never
 * aborted, even when its caller has gone. So memory in use cannot be reclaimed. Instead, a sender that holds a lot is
 * refused more. Beyond `plenty`, an address may have an equal share of what the others leave: with three others, a
 * quarter. All addresses of one network (siteOf) have one share together, and no more than one address may have.
 * However many senders come, together they stay below the total, and some of it is left for the next sender.
 */
export class AtWork {
  readonly #limits: WorkLimits
  readonly #credentials = new Map<string, number>()
  readonly #addresses = new Map<string, number>()
  /** By network, or by address if it is in none. */
  readonly #sites = new Map<string, number>()
  #all = 0
  readonly #part: PartOf | undefined
  #beside = () => 0

  /** @param part a larger bound that must have room as well */
  constructor(limits: WorkLimits, part?: PartOf) {
    this.#limits = limits
    this.#part = part
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#all
  }

  /** Sets a function that returns bytes held elsewhere. They leave less room for all, but are never refused here. */
  leaves(beside: () => number): void {
    this.#beside = beside
  }

  /**
   * @returns a function that gives the room back (further calls do nothing); undefined if there is no room for this
   * sender
   */
  take(sender: Sender, bytes: number): (() => void) | undefined {
    const memory = bytes * (this.#part?.cost ?? 1)
    const whole = this.#part?.whole
    if (!this.#fits(sender, bytes) || (whole !== undefined && !whole.#fits(sender, memory))) return undefined
    const give = (by: number) => {
      this.#give(sender, by * bytes)
      if (whole !== undefined) whole.#give(sender, by * memory)
    }
    give(1)
    let held = true
    return () => {
      if (held) give(-1)
      held = false
    }
  }

  #fits({ address, credential }: Sender, bytes: number): boolean {
    const site = siteOf(address)
    const ofAddress = (this.#addresses.get(address) ?? 0) + bytes
    const ofSite = (this.#sites.get(site) ?? 0) + bytes
    const ofOthers = this.#all + this.#beside() + bytes - ofSite
    const ofCredential = credential === undefined ? 0 : (this.#credentials.get(credential) ?? 0) + bytes
    const { all, plenty, ...each } = this.#limits
    if (ofCredential > each.credential || ofAddress > each.address) return false
    const part = (all - ofOthers) / (this.#othersThan(site) + 1)
    return ofOthers + ofSite <= plenty || ofSite <= Math.min(part, each.address)
  }

  #give({ address, credential }: Sender, bytes: number): void {
    this.#all += bytes
    tally(this.#addresses, address, bytes)
    tally(this.#sites, siteOf(address), bytes)
    if (credential !== undefined) tally(this.#credentials, credential, bytes)
  }

  #othersThan(site: string): number {
    return this.#sites.size - (this.#sites.has(site) ? 1 : 0)
  }

  /** Says, in words for a refusal, whose work uses the room when `take` finds none. */
  takenBy({ address, credential }: Sender, bytes: number): string {
    const fills = (held = 0, limit: number) => held + bytes > limit
    const { credential: ofCaller, address: ofAddress } = this.#limits
    if (credential !== undefined && fills(this.#credentials.get(credential), ofCaller))
      return 'of this caller'
    if (fills(this.#addresses.get(address), ofAddress)) return 'of this address'
    const { whole, cost = 1 } = this.#part ?? {}
    return whole?.takenBy({ address, credential: undefined }, bytes * cost) ?? 'of this address and of others'
  }
}
