import { turnHolderOf } from '../../base/holders.ts'
import { MIB } from '../../base/units.ts'
import { GroupedRoom } from '../../collections/grouped-room.ts'
import type { RoomLimits, RoomPlace } from '../../collections/shared-room.ts'
import { type ForgeError, tooMuchHeld, tooMuchKept } from '../errors.ts'
import type { Whose } from '../guard/whose.ts'

/**
 * Most bytes of forges' answers that are held at once. `each` is for one holder at an address. A single address may use
 * all of it, because everybody may be behind one address.
 */
export const answerRoomLimits = { all: 64 * MIB, each: 32 * MIB } as const

/** The memory of an exchange without its answer: a connection, headers, timers. */
const EXCHANGE_BYTES = 16 * 1024
/** The same for a stream, with some pieces that are ahead of its reader, and the decompressor. */
const STREAM_BYTES = 256 * 1024

/** The room that an answer takes; it is given back when the answer is no longer used. */
export type Held = RoomPlace

/**
 * Bounds the memory of answers while they arrive: a forge that sends half of each answer and then waits could fill this
 * process with a few thousand of them. A holder that exceeds its limit loses its oldest answer. If all together exceed
 * theirs, the biggest holder of the address with the most bytes loses its oldest answer.
 */
export class AnswerRoom {
  readonly #room: GroupedRoom

  constructor(limits: RoomLimits = answerRoomLimits) {
    this.#room = new GroupedRoom(limits)
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#room.size
  }

  /** @param onLost called when the answer must be dropped; it holds nothing by then */
  exchange(whose: Whose, onLost: (error: ForgeError) => void): Held {
    return this.#take(whose, EXCHANGE_BYTES, () => onLost(tooMuchHeld()))
  }

  /**
   * The same for an answer that is read as it arrives. What its reader keeps is counted in addition.
   * @param length as from plainLength: the reader can be behind by no more than this, as bytes and as their text
   */
  stream(whose: Whose, length: number, onLost: (error: ForgeError) => void): Held {
    return this.#take(whose, Math.min(EXCHANGE_BYTES + 2 * length, STREAM_BYTES), () => onLost(tooMuchHeld()))
  }

  /** Takes room for the answers that a call keeps until it is over, and for texts that it makes of them. */
  kept(whose: Whose, onLost: (error: ForgeError) => void): Held {
    return this.#take(whose, 0, () => onLost(tooMuchKept()))
  }

  #take(whose: Whose, bytes: number, onLost: () => void): Held {
    return this.#room.take(turnHolderOf(whose), whose.holder, bytes, onLost)
  }
}
