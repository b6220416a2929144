/** Limits on the shape of a JSON text. */
export interface ShapeLimits {
  /** Most levels of arrays and objects. */
  readonly depth: number
  readonly values: number
}

/**
 * Checks the shape of a JSON text. The cost is in the number of values: ten megabytes of small values take a second to
 * parse and walk through, a string of the same size some milliseconds. Takes linear time, and ignores the content of
 * strings.
 * @returns `deep` or `wide` for the limit that is exceeded
 */
export function shapeFault(text: string, limits: ShapeLimits): 'deep' | 'wide' | undefined {
  // Every level needs two characters, and every value one.
  if (text.length < 2 * limits.depth && text.length < limits.values) return undefined
  let depth = 0
  // Each value except the first follows a comma, or is the first in an array or object.
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

/** Bytes of memory that a JSON value takes, besides its characters; `{}` takes more. */
const VALUE_BYTES = 64

/** About how much memory the value of a JSON text takes, in bytes. Takes linear time. */
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
 * Whether the fields in a value have more than `most` different names.
 * @param met names in values that were checked before
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
  // A new search after each escaped quote would cost more than looking at each character.
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at++
  }
  return text.length
}
