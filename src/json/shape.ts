import { arrayBytes, INDEX_CHARS } from './index-names.ts'
import { WideIn } from './wide-in.ts'

/** Limits on the shape of a JSON text. */
export interface ShapeLimits {
  /** Most levels of arrays and objects. */
  readonly depth: number
  /** Most lists that stand directly in each other: serializing copies the text once per level. */
  readonly lists: number
  readonly values: number
  /** Most bytes of the arrays that names which are numbers make (index-names.ts), and 64 KiB of each without a hash. */
  readonly arrays: number
}

/** What a JSON text takes as a value, in bytes, or the limit that it exceeds: `deep` for levels or lists, or `wide`. */
type JsonShape = { readonly weight: number; readonly fault?: undefined } | { readonly fault: 'deep' | 'wide' }

/** Bytes of memory that a JSON value takes, besides its characters; `{}` takes more. */
export const VALUE_BYTES = 64

/**
 * Checks and weighs a JSON text, without parsing it. The cost is in the number of values: ten megabytes of small values
 * take a second to parse and walk through, a string of the same size some milliseconds. Takes linear time, and ignores
 * the content of strings, of which each takes one or two bytes for each of its characters, whatever others take.
 * @param limits default none
 */
export function shapeOf(text: string, limits?: ShapeLimits): JsonShape {
  const { values: mostValues, arrays: mostArrays } = limits ?? none
  const levels = limits && new Levels(limits)
  const wide = new WideIn(text)
  // Each value except the first follows a comma, or is the first in an array or object.
  let values = 1
  let arrays = 0
  let more = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    switch (code) {
      case 0x22: {
        const end = endOfString(text, at)
        arrays += bytesOfName(text, at, end)
        if (wide.between(at, end)) more += end - at
        at = end
        break
      }
      case 0x2c:
        values++
        break
      case 0x5b:
      case 0x7b:
        if (levels?.open(code) === false) return { fault: 'deep' }
        values++
        break
      case 0x5d:
      case 0x7d:
        levels?.close()
        continue
      default:
        continue
    }
    if (values > mostValues || arrays > mostArrays) return { fault: 'wide' }
  }
  return { weight: text.length + more + VALUE_BYTES * values + arrays }
}

const none = { values: Number.POSITIVE_INFINITY, arrays: Number.POSITIVE_INFINITY }

/** About how much memory the value of a JSON text takes, in bytes, as shapeOf weighs it. */
export function weightOf(text: string): number {
  const shape = shapeOf(text)
  // Without limits there is no fault.
  return shape.fault === undefined ? shape.weight : Number.POSITIVE_INFINITY
}

/** The arrays and objects around a place in a text. */
class Levels {
  readonly #limits: ShapeLimits
  /** For each of them, how many lists stand directly in each other up to it. */
  readonly #lists: number[] = []

  constructor(limits: ShapeLimits) {
    this.#limits = limits
  }

  /** @param bracket its code @returns false if that is one too many */
  open(bracket: number): boolean {
    const lists = bracket === 0x5b ? (this.#lists.at(-1) ?? 0) + 1 : 0
    return this.#lists.push(lists) <= this.#limits.depth && lists <= this.#limits.lists
  }

  close(): void {
    this.#lists.pop()
  }
}

/** An escape takes six characters. */
const MAX_NAME_CHARS = 6 * INDEX_CHARS

/** Of longer names V8 computes no hash, so that each is compared with all others of its length. */
const MAX_HASHED_CHARS = 16_383
/** What such a name counts for: a message or an answer may have sixteen. */
const UNHASHED_BYTES = 64 * 1024

/** Bytes that a string takes as the name of a field, besides those of any value, if it is a number or has no hash. */
function bytesOfName(text: string, from: number, end: number): number {
  if (end - from - 1 > MAX_HASHED_CHARS) return isName(text, end) ? UNHASHED_BYTES : 0
  const first = text.charCodeAt(from + 1)
  const mayBe = (first >= 0x30 && first <= 0x39) || first === 0x5c
  if (!mayBe || end - from > MAX_NAME_CHARS || !isName(text, end)) return 0
  return arrayBytes(unescaped(text.slice(from + 1, end)))
}

/** Whether the string that ends there is the name of a field. */
function isName(text: string, end: number): boolean {
  let next = end + 1
  while (isBlank(text.charCodeAt(next))) next++
  return text.charCodeAt(next) === 0x3a
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** A name with its escaped digits as digits. */
const unescaped = (raw: string): string =>
  raw.replaceAll(/\\u00(3\d)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

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
