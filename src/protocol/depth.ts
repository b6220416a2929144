export const MAX_DEPTH = 64

/** Whether a JSON text nests arrays and objects deeper than MAX_DEPTH; linear, and blind to brackets in strings. */
export function exceedsDepth(text: string): boolean {
  // Every level takes two characters.
  if (text.length < 2 * MAX_DEPTH) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at)
        break
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return true
        break
      case 0x5d:
      case 0x7d:
        depth--
    }
  }
  return false
}

/** Index of the quote that ends the string starting at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return quote
    at = quote + 1
  }
}
