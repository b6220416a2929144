import type { CancelSignal } from '../../cancellation.ts'
import { ForgeError } from '../errors.ts'
import { CallerGates } from './caller-gates.ts'
import { Gate, type Stage } from './gate.ts'

/** Gives back what was taken; to be called once. */
export type Give = () => void

const queue = { queue: 1_024, waitMs: 30_000 }

/** Answers of one holder that are decompressed at once: each can grow from a few hundred bytes to HEAVY_BYTES. */
const ANSWERS = { ...queue, limit: 8 }

/**
 * Pieces in Node's thread pool, which has four threads: data of callers' forges uses one of them at most, so that name
 * lookups and data of the operator's own forge go on beside it.
 */
const PIECES = { own: { ...queue, limit: 3 }, callers: { ...queue, limit: 1 } }

// Not `busy`: the request was sent, and may have changed something.
const tooMany = () =>
  new ForgeError(
    'too-large',
    'The forge’s answer is compressed, and too many of those are being read. Ask for less, or again later.'
  )

/** Decides who may decompress, and when. Shared by all callers. */
export class UnpackTurns {
  readonly #answers = new CallerGates(ANSWERS, tooMany)
  readonly #own = new Gate(PIECES.own, tooMany)
  readonly #callers = new Gate(PIECES.callers, tooMany)

  /**
   * Waits for room to decompress an answer that may be a small one.
   * @param holder as in AnswerRoom
   * @throws ForgeError too-large
   */
  answer(holder: string): Promise<Give> {
    return taken(this.#answers, holder)
  }

  /**
   * Waits for the turn of a piece; holders take turns.
   * @param holder as in AnswerRoom; equal to the caller if the forge is the operator's
   * @param signal ends the wait
   * @throws ForgeError too-large or cancelled
   */
  piece(holder: string, caller: string, signal?: CancelSignal): Promise<Give> {
    return taken(holder === caller ? this.#own : this.#callers, holder, signal)
  }
}

async function taken(stage: Stage, holder: string, signal?: CancelSignal): Promise<Give> {
  await stage.enter(holder, signal)
  let isIn = true
  return () => {
    if (isIn) stage.leave(holder)
    isIn = false
  }
}
