import { siteOf } from '../base/holders.ts'
import { MIB } from '../base/units.ts'
import { tally } from '../collections/tally.ts'

/** How much memory, in bytes, may be at work. */
export interface WorkLimits {
  /** Of one credential. */
  readonly credential: number
  /** Of one client address. */
  readonly address: number
  /** Of all, until which each may have as much as is its own. */
  readonly plenty: number
  /** Of all, whoever they are. */
  readonly all: number
}

/**
 * Of bodies that are completely read and being processed, including their parsed values. A call holds about three times
 * as much: its arguments, the request to the forge, and that request as bytes.
 */
export const bodyWorkLimits: WorkLimits = {
  credential: 16 * MIB,
  address: 24 * MIB,
  plenty: 48 * MIB,
  all: 64 * MIB
}

/**
 * Of requests that are worked for, as their heads count (edge/requests/request-head.ts). An address has room for as
 * many as its connections may hold at once (connectionLimits.heads), and for some whose callers have gone.
 */
export const requestWorkLimits: WorkLimits = {
  credential: Number.POSITIVE_INFINITY,
  address: 20 * MIB,
  plenty: 48 * MIB,
  all: 64 * MIB
}

/**
 * Of all that is at work, by what it takes of memory: bodies of calls, requests to forges, requests, and the answers
 * that are held. Each has bounds of its own, and alone meets those first. Filled one after the other they would take
 * more than a container has beside the service itself.
 */
export const allWorkLimits: WorkLimits = {
  credential: Number.POSITIVE_INFINITY,
  address: 64 * MIB,
  plenty: 96 * MIB,
  all: 136 * MIB
}

/**
 * How much more of memory a request takes while it waits for its forge than its head counts: the head counts before
 * anything is known of the request, and a whole company at one address has to have room for its calls.
 */
export const REQUEST_COST = 3

/** Whose a body or a request is. */
export interface Sender {
  /** The holder of the address; see holderOf. */
  readonly address: string
  /** A digest of the token; undefined where none is needed, or none is told apart. */
  readonly credential: string | undefined
}

/** What something at work is a part of, with all else that is. */
export interface PartOf {
  readonly whole: AtWork
  /** What it takes there for each of its bytes; default 1. */
  readonly cost?: number
}

/**
 * Bounds the memory of what is worked for. A call to a forge may last a minute, and a write that was sent is never
 * aborted, also when its caller has gone, so memory in use cannot be reclaimed. Instead, a sender that holds a lot is
 * refused more. Once there is no longer plenty, an address may have its share of what the others leave: with three
 * others, a quarter. Those in one network (siteOf) have one share, and no more than one of them. However many come, all
 * of them together stay below the total, and some of it is left for the next.
 */
export class AtWork {
  readonly #limits: WorkLimits
  readonly #credentials = new Map<string, number>()
  readonly #addresses = new Map<string, number>()
  /** By network, or address in none. */
  readonly #sites = new Map<string, number>()
  #all = 0
  readonly #part: PartOf | undefined
  #beside = () => 0

  /** @param part what else must have room for it */
  constructor(limits: WorkLimits, part?: PartOf) {
    this.#limits = limits
    this.#part = part
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#all
  }

  /** Sets what is held beside it, in bytes: it leaves less for all, and is refused nothing here. */
  leaves(beside: () => number): void {
    this.#beside = beside
  }

  /**
   * @returns a function that gives the room back (further calls do nothing); undefined if there is none for this sender
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

  /** Whose work has the room where `take` finds none, as words of a refusal. */
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
