import { MIB } from '../../base/units.ts'
import { SharedRoom } from '../../collections/shared-room.ts'
import type { Sender } from '../../fairness/at-work.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { type TurnShare, turnShares } from '../../fairness/turn-shares.ts'

/** Memory overhead of a piece of a body, in bytes: a body may arrive one byte at a time. */
export const PIECE_BYTES = 450

/** What bodies that are being read may hold, in bytes, and how slowly they may arrive. */
export const bodyLimits = {
  /** `each` is per client address. */
  address: { all: 32 * MIB, each: 24 * MIB },
  /** Per credential. */
  credential: { each: 16 * MIB },
  pieceBytes: PIECE_BYTES,
  /** Most pieces of a body, in addition to one for each `bytesEach` bytes of it. */
  pieces: { most: 1000, bytesEach: 64 },
  /** Lowest average rate of a body, in bytes per second, after its first `graceMs`. */
  rate: 8 * 1024,
  graceMs: 5_000,
  turns: turnShares.late as TurnShare
}

type BodyLimits = Readonly<typeof bodyLimits>

/**
 * Why reading a body was given up: its credential or its address holds too much, or it arrives too slowly, or in too
 * many tiny pieces.
 */
export type BodyLoss = 'caller' | 'address' | 'slow' | 'crumbs'

/** A body that is being read. */
interface Body {
  /** Reports that a piece of the body has arrived. */
  add(bytes: number): void
  /** Reports that the body is read, or never will be. Further calls do nothing. */
  end(): void
}

/**
 * Bounds the memory of bodies that are being read. The bytes that have arrived count, not the announced length, which
 * anybody can make up. A sender with too much in progress loses its oldest body. A body that hardly moves is given up.
 */
export class Bodies {
  readonly #addresses: SharedRoom
  readonly #credentials: SharedRoom
  readonly #limits: BodyLimits
  readonly #now: () => number
  readonly #coming = new Set<Coming>()
  readonly #turns: FairTurns

  /** @param now clock in milliseconds */
  constructor(now: () => number, limits: BodyLimits = bodyLimits) {
    this.#addresses = new SharedRoom(limits.address)
    this.#credentials = new SharedRoom(limits.credential)
    this.#limits = limits
    this.#now = now
    this.#turns = new FairTurns(limits.turns)
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#addresses.size
  }

  /** @param onLost called when reading the body is given up; the body has ended by then */
  begin({ address, credential }: Sender, onLost: (why: BodyLoss) => void): Body {
    const lose = (why: BodyLoss) => {
      coming.end()
      onLost(why)
    }
    const places = [this.#addresses.take(address, 0, () => lose('address'))]
    if (credential !== undefined) places.push(this.#credentials.take(credential, 0, () => lose('caller')))
    const coming: Coming = {
      address,
      began: this.#now(),
      isOver: false,
      received: 0,
      pieces: 0,
      lose,
      add: bytes => {
        coming.received += bytes
        coming.pieces++
        if (this.#isCrumbs(coming)) return lose('crumbs')
        for (const place of places) place.grow(bytes + this.#limits.pieceBytes)
      },
      end: () => {
        coming.isOver = true
        this.#coming.delete(coming)
        for (const place of places) place.leave()
      }
    }
    this.#coming.add(coming)
    return coming
  }

  /** Gives up bodies that arrive too slowly. To be called about once a second. */
  sweep(): void {
    const { graceMs, rate } = this.#limits
    const now = this.#now()
    for (const coming of this.#coming) {
      const age = now - coming.began
      // Bodies are in order of their beginning: all that follow are still within their grace period.
      if (age < graceMs) return
      if (coming.received >= (age / 1000) * rate) continue
      this.#coming.delete(coming)
      // A thousand may be late at once.
      this.#turns.run(coming.address, () => (coming.isOver ? false : coming.lose('slow')))
    }
  }

  #isCrumbs({ pieces, received }: Coming): boolean {
    const { bytesEach, most } = this.#limits.pieces
    return pieces > most + received / bytesEach
  }
}

interface Coming extends Body {
  readonly address: string
  readonly began: number
  isOver: boolean
  received: number
  pieces: number
  readonly lose: (why: BodyLoss) => void
}
