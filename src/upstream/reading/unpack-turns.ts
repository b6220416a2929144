import type { CancelSignal } from '../../base/cancellation.ts'
import { turnHolderOf } from '../../base/holders.ts'
import { ForgeError } from '../errors.ts'
import { CallerGates } from '../guard/caller-gates.ts'
import { Gate, type GateLimits, type Stage } from '../guard/gate.ts'
import { AmongAddresses, ByAddress, Turns } from '../guard/turns.ts'
import { isOperators, type Whose } from '../guard/whose.ts'

/** Gives back what was taken; to be called once. */
type Give = () => void

const queue = { queue: 1_024, waitMs: 30_000 }

/**
 * Answers of one address that are decompressed at once: each can grow from a few hundred bytes to LARGE_ANSWER_BYTES.
 */
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
  readonly #answers = new ByAddress(new CallerGates(ANSWERS, tooMany))
  readonly #own = piecesOf(PIECES.own)
  readonly #callers = piecesOf(PIECES.callers)

  /**
   * Waits for room to decompress an answer that may be a small one.
   * @param signal ends the wait
   * @throws ForgeError too-large or cancelled
   */
  answer(whose: Whose, signal?: CancelSignal): Promise<Give> {
    return taken(this.#answers, whose, signal)
  }

  /**
   * Waits for the turn of a piece. Addresses take turns, and within each address its holders.
   * @param signal ends the wait
   * @throws ForgeError too-large or cancelled
   */
  piece(whose: Whose, signal?: CancelSignal): Promise<Give> {
    return taken(isOperators(whose) ? this.#own : this.#callers, whose, signal)
  }
}

const piecesOf = (limits: GateLimits): Stage =>
  new Turns(new ByAddress(new CallerGates(limits, tooMany)), new AmongAddresses(new Gate(limits, tooMany)))

async function taken(stage: Stage, whose: Whose, signal?: CancelSignal): Promise<Give> {
  const { holder } = whose
  const address = turnHolderOf(whose)
  await stage.enter(holder, signal, address)
  let isIn = true
  return () => {
    if (isIn) stage.leave(holder, address)
    isIn = false
  }
}
