import { type UnpackedInto, type Unpacking, unpack } from '../answers/unpack.ts'
import { ForgeError } from '../errors.ts'
import { LARGE_ANSWER_BYTES } from './answer-cost.ts'
import type { LargeTurn } from './large-turn.ts'

/**
 * Decompresses an answer that has arrived. Only the result shows whether it is a large answer, which needs a turn.
 * @param turn default: the answer needs none
 * @param tooLong called for an answer that is not small, before the wait for its turn
 * @throws as `unpack`, and as LargeTurn.begin
 */
export async function unpackInTurn(
  bytes: Buffer,
  maxBytes: number,
  unpacking: Unpacking | undefined,
  into: UnpackedInto,
  turn?: LargeTurn,
  tooLong?: () => void
): Promise<Buffer> {
  if (turn === undefined || turn.begun) return unpack(bytes, maxBytes, unpacking, into)
  try {
    return await unpack(bytes, Math.min(maxBytes, LARGE_ANSWER_BYTES), unpacking, into)
  } catch (error) {
    if (maxBytes <= LARGE_ANSWER_BYTES || !(error instanceof ForgeError) || error.fault !== 'too-large')
      throw error
  }
  tooLong?.()
  await turn.begin()
  return unpack(bytes, maxBytes, unpacking, into)
}
