import { WideIn } from './wide-in.ts'

/** Limits on the shape of a JSON text. */
export interface ShapeLimits {
  /** Most levels of arrays and objects. */
  readonly depth: number
  /** Most lists that stand directly in each other: what makes a text of them copies it once for each. */
  readonly lists: number
  readonly values: number
  /** Most bytes of the arrays that names which are indices make (arrayBytes). */
  readonly arrays: number
}

/**
 * Checks the shape of a JSON text. The cost is in the number of values: ten megabytes of small values take a second to
 * parse and walk through, a string of the same size some milliseconds. Takes linear time, and ignores the content of
 * strings.
 * @returns `deep` for levels or lists, or `wide`, for the limit that is exceeded
 */
export function shapeFault(text: string, limits: ShapeLimits): 'deep' | 'wide' | undefined {
  // Every level needs two characters, and every value one.
  if (text.length < 2 * limits.depth && text.length < limits.values) return undefined
  const levels = new Levels(limits)
  // Each value except the first follows a comma, or is the first in an array or object.
  let values = 1
  let arrays = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    switch (code) {
      case 0x22: {
        const end = endOfString(text, at)
        arrays += arrayBytes(text, at, end)
        at = end
        break
      }
      case 0x2c:
        values++
        break
      case 0x5b:
      case 0x7b:
        if (!levels.open(code)) return 'deep'
        values++
        break
      case 0x5d:
      case 0x7d:
        levels.close()
        continue
      default:
        continue
    }
    if (values > limits.values || arrays > limits.arrays) return 'wide'
  }
  return undefined
}

/** The arrays and objects around a place in a text. */
class Levels {
  readonly #limits: ShapeLimits
  #depth = 0
  /** Lists that stand directly in each other up to each level. */
  readonly #lists: Uint8Array

  constructor(limits: ShapeLimits) {
    this.#limits = limits
    this.#lists = new Uint8Array(limits.depth + 1)
  }

  /** @param bracket its code @returns false if that is one too many */
  open(bracket: number): boolean {
    if (++this.#depth > this.#limits.depth) return false
    const lists = bracket === 0x5b ? (this.#lists[this.#depth - 1] ?? 0) + 1 : 0
    this.#lists[this.#depth] = lists
    return lists <= this.#limits.lists
  }

  close(): void {
    this.#depth--
  }
}

/** Bytes of memory that a JSON value takes, besides its characters; `{}` takes more. */
const VALUE_BYTES = 64

/**
 * About how much memory the value of a JSON text takes, in bytes. Takes linear time. Each string of the value takes one
 * or two bytes for each of its characters, whatever others take.
 */
export function weightOf(text: string): number {
  let values = 1
  let arrays = 0
  let more = 0
  const wide = new WideIn(text)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      const end = endOfString(text, at)
      arrays += arrayBytes(text, at, end)
      if (wide.between(at, end)) more += end - at
      at = end
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) values++
  }
  return text.length + more + VALUE_BYTES * values + arrays
}

/** Names from this number on make no array. */
const MAX_INDEX = 10_000
/** An escape takes six characters. */
const MAX_INDEX_CHARS = 6 * String(MAX_INDEX).length

/**
 * Bytes that a string takes as the name of a field, besides those of any value, if it is a number. V8 keeps such fields
 * in an array with room for all smaller numbers and half as many again: `{"1000":0}` takes 12 KB once it is copied or
 * comes from another thread.
 */
function arrayBytes(text: string, from: number, end: number): number {
  const first = text.charCodeAt(from + 1)
  const mayBe = (first >= 0x30 && first <= 0x39) || first === 0x5c
  if (!mayBe || end - from > MAX_INDEX_CHARS) return 0
  let next = end + 1
  while (isBlank(text.charCodeAt(next))) next++
  if (text.charCodeAt(next) !== 0x3a) return 0
  const index = indexIn(text.slice(from + 1, end))
  return index < MAX_INDEX ? 8 * (1.5 * (index + 1) + 16) : 0
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** The number that the text of a name is; infinite if it is none. */
function indexIn(raw: string): number {
  const name = raw.replaceAll(/\\u00(3\d)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16))
  )
  return /^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : Number.POSITIVE_INFINITY
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
