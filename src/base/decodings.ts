/** Nobody encodes a text by mistake more often than this. */
const MAX_ROUNDS = 4

/**
 * A part of a URL unchanged, and after each further decoding of its ASCII escapes, because a proxy on the way may
 * decode it once more. Undefined if it is encoded too many times.
 */
export function decodings(text: string): readonly string[] | undefined {
  const forms = [text]
  for (let now = text; forms.length <= MAX_ROUNDS; forms.push(now)) {
    const before = now
    now = now.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (now === before) return forms
  }
  return undefined
}
