/** How much of a shape a JSON text may have. */
export interface ShapeLimits {
  /** Levels of arrays and objects. */
  readonly depth: number
  readonly values: number
}

/**
 * What is wrong with the shape of a JSON text. Values are what costs: a text of ten megabytes that is small ones takes
 * a second to parse and look through, one of the same size that is a string some milliseconds. Linear, and blind to
 * what stands in strings.
 */
export function shapeFault(text: string, limits: ShapeLimits): 'deep' | 'wide' | undefined {
  // Every level takes two characters, and every value one.
  if (text.length < 2 * limits.depth && text.length < limits.values) return undefined
  let depth = 0
  // Each value but the first comes after a comma or is the first of something that was opened.
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at)
        break
      case 0x2c:
        if (++values > limits.values) return 'wide'
        break
      case 0x5b:
      case 0x7b:
        if (++depth > limits.depth) return 'deep'
        if (++values > limits.values) return 'wide'
        break
      case 0x5d:
      case 0x7d:
        depth--
    }
  }
  return undefined
}

/** What a value of JSON takes of memory, besides its characters: `{}` takes more. */
const VALUE_BYTES = 64

/** What the value of a JSON text takes of memory, about. Linear. */
export function weightOf(text: string): number {
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x2c || code === 0x5b || code === 0x7b) values++
  }
  return text.length + VALUE_BYTES * values
}

/**
 * Whether the fields in a value have more different names than that.
 * @param met names of what was looked at before
 */
export function hasMoreNames(value: unknown, most: number, met = new Set<string>()): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(item => hasMoreNames(item, most, met))
  for (const name in value) {
    if (met.add(name).size > most) return true
    if (hasMoreNames((value as Record<string, unknown>)[name], most, met)) return true
  }
  return false
}

/** Index of the quote that ends the string starting at `from`. */
function endOfString(text: string, from: number): number {
  const quote = text.indexOf('"', from + 1)
  if (quote < 0) return text.length
  if (text.charCodeAt(quote - 1) !== 0x5c) return quote
  // Another search for each escaped quote would cost more than a look at each character.
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at++
  }
  return text.length
}
