import type { CancelSignal } from '../../cancellation.ts'
import { ForgeError } from '../errors.ts'
import { CallerGates } from './caller-gates.ts'
import { Gate, type Stage } from './gate.ts'

/** Gives back what was taken, once. */
export type Give = () => void

const queue = { queue: 1_024, waitMs: 30_000 }

/** Answers of one holder that are unpacked at once: each has some hundred bytes before, and up to HEAVY_BYTES then. */
const ANSWERS = { ...queue, limit: 8 }

/**
 * Pieces in the threads that unpack, of which Node has four: what callers' forges send keeps one of them, and names are
 * looked up and what the operator's own forge has sent is unpacked beside it.
 */
const PIECES = { own: { ...queue, limit: 3 }, callers: { ...queue, limit: 1 } }

// Not `busy`: the request was sent, and what it did is done.
const tooMany = () =>
  new ForgeError(
    'too-large',
    'The forge’s answer is compressed, and too many of those are being read. Ask for less, or again later.'
  )

/** Who may unpack, and when. Shared by all callers. */
export class UnpackTurns {
  readonly #answers = new CallerGates(ANSWERS, tooMany)
  readonly #own = new Gate(PIECES.own, tooMany)
  readonly #callers = new Gate(PIECES.callers, tooMany)

  /** Waits for room to unpack an answer that may be a small one. @param holder as of AnswerRoom @throws ForgeError too-large */
  answer(holder: string): Promise<Give> {
    return taken(this.#answers, holder)
  }

  /**
   * Waits for the turn of a piece; holders have theirs one after another.
   * @param holder as of AnswerRoom, which the caller is itself where the forge is the operator's
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
