import { tally } from '../collections/tally.ts'

/**
 * Memory, in bytes, that bodies which are completely read and being processed may hold, including their parsed values.
 * A call holds about three times as much: its arguments, the request to the forge, and that request as bytes.
 */
const workLimits = {
  /** Of one credential. */
  credential: 16 * 1024 * 1024,
  /** Of one client address. */
  address: 24 * 1024 * 1024,
  all: 48 * 1024 * 1024
} as const

interface WorkLimits {
  readonly credential: number
  readonly address: number
  readonly all: number
}

interface Sender {
  /** The holder of the address; see holderOf. */
  readonly address: string
  readonly credential: string | undefined
}

/**
 * Bounds the memory of bodies that are completely read and being processed. A call to a forge may last a minute, and a
 * write that was sent is never aborted, so memory in use cannot be reclaimed. Instead, a sender that holds a lot is
 * refused more. When the total is used up, an address may still have its share, which shrinks as more addresses hold
 * something.
 */
export class BodiesAtWork {
  readonly #limits: WorkLimits
  readonly #credentials = new Map<string, number>()
  readonly #addresses = new Map<string, number>()
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
  take({ address, credential }: Sender, bytes: number): (() => void) | undefined {
    const ofAddress = (this.#addresses.get(address) ?? 0) + bytes
    const ofCredential = credential === undefined ? 0 : (this.#credentials.get(credential) ?? 0) + bytes
    const { all, ...each } = this.#limits
    if (ofCredential > each.credential || ofAddress > each.address) return undefined
    const isPart = ofAddress <= all / (this.#addresses.size + 1)
    if (this.#all + bytes > all && !isPart) return undefined
    const give = (by: number) => {
      this.#all += by
      tally(this.#addresses, address, by)
      if (credential !== undefined) tally(this.#credentials, credential, by)
    }
    give(bytes)
    let held = true
    return () => {
      if (held) give(-bytes)
      held = false
    }
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
