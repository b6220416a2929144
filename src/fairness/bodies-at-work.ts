import { siteOf } from '../collections/network.ts'
import { tally } from '../collections/tally.ts'

/**
 * Memory, in bytes, that bodies which are completely read and being processed may hold, including their parsed values.
 * A call holds about three times as much: its arguments, the request to the forge, and that request as bytes.
 */
export const workLimits = {
  /** Of one credential. */
  credential: 16 * 1024 * 1024,
  /** Of one client address. */
  address: 24 * 1024 * 1024,
  /** Of all, until which each may have as much as is its own. */
  plenty: 48 * 1024 * 1024,
  /** Of all, whoever they are. */
  all: 64 * 1024 * 1024
} as const

interface WorkLimits {
  readonly credential: number
  readonly address: number
  readonly plenty: number
  readonly all: number
}

/** Whose a body is. */
export interface BodySender {
  /** The holder of the address; see holderOf. */
  readonly address: string
  /** A digest of the token; undefined where none is needed. */
  readonly credential: string | undefined
}

/**
 * Bounds the memory of bodies that are completely read and being processed. A call to a forge may last a minute, and a
 * write that was sent is never aborted, so memory in use cannot be reclaimed. Instead, a sender that holds a lot is
 * refused more. Once there is no longer plenty, an address may have its share of what the others leave: with three
 * others, a quarter. Those in one network (siteOf) have one share, and no more than one of them. However many come, all
 * of them together stay below the total, and some of it is left for the next.
 */
export class BodiesAtWork {
  readonly #limits: WorkLimits
  readonly #credentials = new Map<string, number>()
  readonly #addresses = new Map<string, number>()
  /** By network, or address in none. */
  readonly #sites = new Map<string, number>()
  #all = 0

  constructor(limits: WorkLimits = workLimits) {
    this.#limits = limits
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#all
  }

  /**
   * @returns a function that gives the room back (further calls do nothing); undefined if there is none for this sender
   */
  take({ address, credential }: BodySender, bytes: number): (() => void) | undefined {
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
}

/** A body, from its last byte until its work is done and its answer is given. */
export class KeptBody {
  #bytes = 0
  readonly #gives: (() => void)[] = []
  #atWork = false
  #answered = false

  constructor(bytes: number, give: () => void) {
    this.grow(bytes, give)
  }

  /** What it holds. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds to what it holds. @param give gives that room back; further calls do nothing */
  grow(bytes: number, give: () => void): void {
    this.#bytes += bytes
    this.#gives.push(give)
    this.#giveIfOver()
  }

  /** Begins a piece of work. @returns to be called when it is done */
  work(): () => void {
    this.#atWork = true
    return () => {
      this.#atWork = false
      this.#giveIfOver()
    }
  }

  /** The answer is given, or its caller has gone. */
  answered(): void {
    this.#answered = true
    this.#giveIfOver()
  }

  #giveIfOver(): void {
    if (this.#answered && !this.#atWork) for (const give of this.#gives) give()
  }
}
