import { isStatus } from '../results/failure.ts'
import type { ToolContext } from './context.ts'

/** Milliseconds before the second look; each further pause is twice the one before, up to the longest. */
const FIRST_MS = 1_000
const MAX_PAUSE_MS = 8_000
/** With less time than this left, another look is not worthwhile. */
const MIN_LEFT_MS = 100
/** Statuses of a forge that is in trouble for a moment, as while it is updated. */
const passing = [500, 502, 503, 504]

/**
 * Polls something that the forge does in the background, with growing pauses, until it is done or the time is over. The
 * last look is at the end of the time.
 * @param isDone called for each look; a pause follows each look except the last
 * @param totalMs by the context's clock, including the looks
 * @returns the result of the last look
 * @throws ForgeError cancelled, and what `look` throws; but for trouble of the forge that passes, if it is not the
 *   first or the last look
 */
export async function pollUntil<Seen>(
  look: () => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  totalMs: number,
  context: Pick<ToolContext, 'pause' | 'now'>
): Promise<Seen> {
  const end = context.now() + totalMs
  let isFirst = true
  for (let ms = FIRST_MS; ; ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
    let seen: { readonly value: Seen } | undefined
    try {
      seen = { value: await look() }
    } catch (error) {
      if (isFirst || !isStatus(error, passing) || end - context.now() < MIN_LEFT_MS) throw error
    }
    isFirst = false
    const left = end - context.now()
    if (seen !== undefined && (isDone(seen.value) || left < MIN_LEFT_MS)) return seen.value
    // Released before the pause: it may be an answer of megabytes.
    seen = undefined
    await context.pause(Math.min(ms, left))
  }
}
