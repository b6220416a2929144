import { MIB } from '../../base/units.ts'
import { hasMoreNames, type ShapeLimits, shapeOf } from '../../json/shape.ts'

/**
 * Limits of the JSON of an answer. A hundred threads of twenty notes each have half as many values. Depth is limited in
 * small answers, too: converting a value of 3,000 levels to text takes four milliseconds. Tables are lists of lists,
 * and no answer nests lists more deeply than `lists`: 60 lists around a text of nine megabytes took 400 milliseconds
 * wherever a field was compared as text.
 */
const answerShape: ShapeLimits = { depth: 64, lists: 3, values: 200_000, arrays: MIB }

/**
 * Most different field names in an answer. Records have dozens. Processing a record with 200,000 names would block the
 * event loop for half a second, and one with 12,000 for thirty milliseconds.
 */
const MAX_NAMES = 5_000

/** Characters of the shortest text with more names: each name has its quotes, colon, value and comma. */
const MIN_CHARS = 6 * MAX_NAMES

/** The JSON of an answer. */
export interface Parsed {
  readonly value: unknown
  /** Length of its text, in characters. */
  readonly size: number
  /** The memory that it takes, in bytes, estimated. */
  readonly weight: number
}

/** The JSON of an answer, or why it could not be read. */
export type ReadAnswer =
  | (Parsed & { readonly fault?: undefined })
  | { readonly fault: 'deep' | 'wide' | 'broken' | 'markup' }

/** Reads the JSON of a large answer. Its bytes must not be used afterwards. */
export function readAnswerText(bytes: Uint8Array): ReadAnswer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  // Frees the memory at once, where Node can; otherwise it would be held until garbage collection.
  ;(bytes.buffer as { transfer?: (length: number) => unknown }).transfer?.(0)
  return readJson(text)
}

/**
 * Reads the JSON of an answer. Its size is bounded, but not what it costs to parse, so its shape is checked first.
 * Together this takes half as much again as parsing alone.
 */
export function readJson(text: string): ReadAnswer {
  const shape = shapeOf(text, answerShape)
  if (shape.fault === undefined) {
    try {
      const value: unknown = JSON.parse(text)
      const hasTooMany = text.length > MIN_CHARS && hasMoreNames(value, MAX_NAMES)
      return hasTooMany ? { fault: 'wide' } : { value, size: text.length, weight: shape.weight }
    } catch {
      // The error's message quotes the text, and would go to the log as a cause.
    }
  }
  return { fault: isMarkup(text) ? 'markup' : (shape.fault ?? 'broken') }
}

/** Whether a text is a page rather than JSON. */
export const isMarkup = (text: string): boolean => /^\s*</.test(text)
