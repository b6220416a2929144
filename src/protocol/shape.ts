export const MAX_DEPTH = 64

/** A call has some dozens; large ones are large by a text. */
export const MAX_VALUES = 20_000

/**
 * What is wrong with the shape of a JSON text: arrays and objects nested deeper than MAX_DEPTH, or more than
 * MAX_VALUES of values. Values are what costs: a body of small ones takes a second to parse and look through, one of
 * the same size that is a text some milliseconds. Linear, and blind to what stands in strings.
 */
export function shapeFault(text: string): 'deep' | 'wide' | undefined {
  // Every level takes two characters.
  if (text.length < 2 * MAX_DEPTH) return undefined
  let depth = 0
  // Each value but the first comes after a comma or is the first of something that was opened.
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at)
        break
      case 0x2c:
        if (++values > MAX_VALUES) return 'wide'
        break
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return 'deep'
        if (++values > MAX_VALUES) return 'wide'
        break
      case 0x5d:
      case 0x7d:
        depth--
    }
  }
  return undefined
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
