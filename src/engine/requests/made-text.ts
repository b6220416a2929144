import type { ToolContext } from '../context.ts'

/** Bytes for each character, at most, until it is sent: in the text, in the request, and in the request as bytes. */
const BYTES_EACH = 6

/**
 * Counts a text that a tool has made of an answer for what it is to write, until the call is over. A few hundred
 * characters of arguments may make a million of it, which no limit on the arguments bounds; so it is to be counted before
 * anything is waited for.
 * @throws ForgeError too-large if too much is kept for this caller
 */
export function keepMade(text: string, { forge }: Pick<ToolContext, 'forge'>): void {
  forge.keep(text.length * BYTES_EACH)
}
