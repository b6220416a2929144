import { hasMoreNames, type ShapeLimits, shapeFault, weightOf } from '../../json/shape.ts'

/**
 * Limits of an answer: a hundred threads of twenty notes each have half as many values. Small answers may be deep, too:
 * to convert a value of 3,000 levels to text takes four milliseconds.
 * Tables are lists of lists, and no answer has more of them in each other: 60 around a text of nine megabytes took 400
 * milliseconds wherever a field was compared as text.
 */
const answerShape: ShapeLimits = { depth: 64, lists: 3, values: 200_000, arrays: 16 * 1024 * 1024 }

/**
 * Most different field names in it. Records have dozens; processing one with 200,000 would block the event loop for
 * half a second, and with 12,000 for thirty milliseconds.
 */
const MOST_NAMES = 5_000

/** Characters of the shortest text with more: a name has its quotes, colon, value and comma. */
const LEAST_CHARS = 6 * MOST_NAMES

/** The value of an answer with its length in characters and its approximate memory, or why it could not be read. */
export type ReadAnswer =
  | { readonly value: unknown; readonly size: number; readonly weight: number; readonly fault?: undefined }
  | { readonly fault: 'deep' | 'wide' | 'broken' | 'markup' }

/**
 * Reads the JSON of a large answer. Its bytes must not be used afterwards. The size of an answer is bounded, but not
 * what it costs to parse, so its shape is checked first.
 */
export function readAnswerText(bytes: Uint8Array): ReadAnswer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  // Frees the memory at once, where Node can; otherwise it would be held until garbage collection.
  ;(bytes.buffer as { transfer?: (length: number) => unknown }).transfer?.(0)
  const read = readJson(text)
  if (read.fault !== undefined) return read
  return { value: read.value, size: text.length, weight: weightOf(text) }
}

/** Reads the JSON of an answer. It costs half as much again as to parse it alone. */
export function readJson(
  text: string
): { readonly value: unknown; readonly fault?: undefined } | Extract<ReadAnswer, { fault: string }> {
  const fault = shapeFault(text, answerShape)
  if (fault === undefined) {
    try {
      const value: unknown = JSON.parse(text)
      return text.length > LEAST_CHARS && hasMoreNames(value, MOST_NAMES) ? { fault: 'wide' } : { value }
    } catch {
      // Its message quotes the text, and would go to the log as a cause.
    }
  }
  return { fault: isMarkup(text) ? 'markup' : (fault ?? 'broken') }
}

/** Whether a text is a page rather than JSON. */
export const isMarkup = (text: string): boolean => /^\s*</.test(text)
