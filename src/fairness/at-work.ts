import { siteOf } from '../collections/network.ts'
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

const MEBIBYTE = 1024 * 1024

/**
 * Of bodies that are completely read and being processed, including their parsed values. A call holds about three times
 * as much: its arguments, the request to the forge, and that request as bytes.
 */
export const bodyWorkLimits: WorkLimits = {
  credential: 16 * MEBIBYTE,
  address: 24 * MEBIBYTE,
  plenty: 48 * MEBIBYTE,
  all: 64 * MEBIBYTE
}

/**
 * Of requests that are worked for, as their heads count (edge/request-head.ts). An address has room for as many as its
 * connections may hold at once (connectionLimits.heads), and for some whose callers have gone.
 */
export const requestWorkLimits: WorkLimits = {
  credential: Number.POSITIVE_INFINITY,
  address: 20 * MEBIBYTE,
  plenty: 48 * MEBIBYTE,
  all: 64 * MEBIBYTE
}

/** Whose a body or a request is. */
export interface Sender {
  /** The holder of the address; see holderOf. */
  readonly address: string
  /** A digest of the token; undefined where none is needed, or none is told apart. */
  readonly credential: string | undefined
}

/**
 * Bounds the memory of what is worked for. A call to a forge may last a minute, and a write that was sent is never aborted,
 * also when its caller has gone, so memory in use cannot be reclaimed. Instead, a sender that holds a lot is
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

  constructor(limits: WorkLimits) {
    this.#limits = limits
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#all
  }

  /**
   * @returns a function that gives the room back (further calls do nothing); undefined if there is none for this sender
   */
  take({ address, credential }: Sender, bytes: number): (() => void) | undefined {
    const site = siteOf(address)
    const ofAddress = (this.#addresses.get(address) ?? 0) + bytes
    const ofSite = (this.#sites.get(site) ?? 0) + bytes
    const ofOthers = this.#all + bytes - ofSite
    const ofCredential = credential === undefined ? 0 : (this.#credentials.get(credential) ?? 0) + bytes
    const { all, plenty, ...each } = this.#limits
    if (ofCredential > each.credential || ofAddress > each.address) return undefined
    const part = (all - ofOthers) / (this.#othersThan(site) + 1)
    if (ofOthers + ofSite > plenty && ofSite > Math.min(part, each.address)) return undefined
    const give = (by: number) => {
      this.#all += by
      tally(this.#addresses, address, by)
      tally(this.#sites, site, by)
      if (credential !== undefined) tally(this.#credentials, credential, by)
    }
    give(bytes)
    let held = true
    return () => {
      if (held) give(-bytes)
      held = false
    }
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
    return fills(this.#addresses.get(address), ofAddress)
      ? 'of this address'
      : 'of this address and of others'
  }
}

/** What a request holds, from its last byte until its work is done and its answer is given. */
export class Work {
  #bodyBytes = 0
  readonly #gives: (() => void)[] = []
  #isGoingOn = false
  #isAnswered = false

  /** What is counted of its body: 0 for a small one, which counts with the request. */
  get bodyBytes(): number {
    return this.#bodyBytes
  }

  /** Adds to what it holds. @param give gives that room back; further calls do nothing */
  hold(give: () => void): void {
    this.#gives.push(give)
    this.#giveIfOver()
  }

  /** Adds what is counted of its body. @param give as in `hold` */
  holdBody(bytes: number, give: () => void): void {
    this.#bodyBytes += bytes
    this.hold(give)
  }

  /** Begins a piece of work. @returns to be called when it is done */
  begin(): () => void {
    this.#isGoingOn = true
    return () => {
      this.#isGoingOn = false
      this.#giveIfOver()
    }
  }

  /** The answer is given, or its caller has gone. */
  answered(): void {
    this.#isAnswered = true
    this.#giveIfOver()
  }

  #giveIfOver(): void {
    if (this.#isAnswered && !this.#isGoingOn) for (const give of this.#gives) give()
  }
}
