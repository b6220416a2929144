import type { ToolContext } from './context.ts'

/** Milliseconds before the second look; each further pause is twice the one before, up to the longest. */
const FIRST_MS = 1_000
const LONGEST_MS = 8_000
/** Less time than this is no use for another look. */
const LEAST_MS = 100

/**
 * For what the forge does in its own time: looks how far it is, with growing pauses, until it is done or the time is
 * over. The last look is at its end.
 * @param isDone asked of each look; one that is not the last is followed by a pause
 * @param totalMs by the context's clock, looks included
 * @returns what was seen last
 * @throws ForgeError cancelled; what looking throws
 */
export async function lookUntil<Seen>(
  look: () => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  totalMs: number,
  context: Pick<ToolContext, 'pause' | 'now'>
): Promise<Seen> {
  const end = context.now() + totalMs
  let seen = await look()
  for (let ms = FIRST_MS; !isDone(seen); ms = Math.min(2 * ms, LONGEST_MS)) {
    const left = end - context.now()
    if (left < LEAST_MS) break
    await context.pause(Math.min(ms, left))
    seen = await look()
  }
  return seen
}
