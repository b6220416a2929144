import type { ToolContext } from '../context.ts'

/** Most bytes for each character until it is sent: in the text, in the request, and in the request as bytes. */
const BYTES_EACH = 6

/**
 * Counts a text that a tool has made from an answer in order to write it, until the call is over. A few hundred
 * characters of arguments may produce a million characters, and no limit on the arguments bounds that. So the text must
 * be counted before the call waits for anything.
 * @throws ForgeError too-large if too much is kept for this caller
 */
export function keepMade(text: string, { forge }: Pick<ToolContext, 'forge'>): void {
  forge.keep(text.length * BYTES_EACH)
}
