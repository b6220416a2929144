import { type Place, type RoomLimits, SharedRoom } from '../../shared-room.ts'
import { ForgeError } from '../errors.ts'

/**
 * What of forges' answers is held at once, in bytes. `each` is of one caller, or of one address of callers' own
 * forges: anybody can make up callers of those.
 */
const answerRoomLimits = { all: 64 * 1024 * 1024, each: 32 * 1024 * 1024 } as const

/** What an exchange takes whatever its answer is: a connection, headers, timers. */
const EXCHANGE_BYTES = 16 * 1024
/** A stream has some pieces ahead of its reader besides, and what unpacks them. */
const STREAM_BYTES = 256 * 1024

/**
 * Whom an answer counts for: of callers' forges the address that it comes from. What DNS says of a name is for its owner
 * to say, and to say otherwise the next time: other addresses beside its own, or just those of somebody else's forge.
 * @param holder whom it counts for where that is not known; of the operator's forge the caller itself
 * @param source as of Flight
 */
export const holderOfAnswer = (
  { caller, holder }: { readonly caller: string; readonly holder: string },
  source: string | undefined
): string => (holder === caller ? caller : (source ?? holder))

/** In what an answer is held; it is given back when the answer is done with. */
export type Held = Place

/**
 * Bounds the memory that answers take while they arrive: a forge that sends half of each and then waits would fill
 * this process by a few thousand of them. Who goes too far loses its oldest answer.
 */
export class AnswerRoom {
  readonly #room: SharedRoom

  constructor(limits: RoomLimits = answerRoomLimits) {
    this.#room = new SharedRoom(limits)
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#room.size
  }

  /** @param onLost called when the answer has to go; it holds nothing by then */
  exchange(holder: string, onLost: (error: ForgeError) => void): Held {
    return this.#take(holder, EXCHANGE_BYTES, onLost)
  }

  /** The same for one that is read as it arrives: what its reader keeps is for the reader to tell. */
  stream(holder: string, onLost: (error: ForgeError) => void): Held {
    return this.#take(holder, STREAM_BYTES, onLost)
  }

  /** For what a call keeps of answers until it is over. */
  kept(holder: string, onLost: (error: ForgeError) => void): Held {
    return this.#take(holder, 0, onLost)
  }

  #take(holder: string, bytes: number, onLost: (error: ForgeError) => void): Held {
    return this.#room.take(holder, bytes, () => onLost(tooMuchHeld()))
  }
}

const tooMuchHeld = () =>
  new ForgeError(
    'too-large',
    'Too many large answers of the forge are being read at once, and this one was given up for lack of memory. Narrow the call (a smaller per_page, a filter, a part of the file), or repeat it when others of yours are done.'
  )
