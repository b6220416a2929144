import type { ToolContext } from './context.ts'

/** Milliseconds before the second look; each further pause is twice the one before, up to the longest. */
const FIRST_MS = 1_000
const LONGEST_MS = 8_000
/** Less time than this is no use for another look. */
const LEAST_MS = 100

/**
 * Polls something that the forge does in the background, with growing pauses, until it is done or the time is over. The
 * last look is at the end of the time.
 * @param isDone asked of each look; one that is not the last is followed by a pause
 * @param totalMs by the context's clock, looks included
 * @returns what was seen last
 * @throws ForgeError cancelled; what looking throws
 */
export async function pollUntil<Seen>(
  look: () => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  totalMs: number,
  context: Pick<ToolContext, 'pause' | 'now'>
): Promise<Seen> {
  const end = context.now() + totalMs
  for (let ms = FIRST_MS; ; ms = Math.min(2 * ms, LONGEST_MS)) {
    let seen: Seen | undefined = await look()
    const left = end - context.now()
    if (isDone(seen) || left < LEAST_MS) return seen
    // It may be an answer of megabytes, which nobody looks at again.
    seen = undefined
    await context.pause(Math.min(ms, left))
  }
}
