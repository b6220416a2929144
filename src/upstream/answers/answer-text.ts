import { hasMoreNames, type ShapeLimits, shapeFault, weightOf } from '../../json-shape.ts'

/** Limits of a large answer: a hundred threads of twenty notes each have half as many values. */
const answerShape: ShapeLimits = { depth: 64, values: 200_000 }

/**
 * Most different field names in it. Records have dozens; processing one with 200,000 would block the event loop for
 * half a second.
 */
const MOST_NAMES = 5_000

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
  const fault = shapeFault(text, answerShape)
  if (fault === undefined) {
    try {
      const value: unknown = JSON.parse(text)
      if (hasMoreNames(value, MOST_NAMES)) return { fault: 'wide' }
      return { value, size: text.length, weight: weightOf(text) }
    } catch {
      // Reported below.
    }
  }
  return { fault: isMarkup(text) ? 'markup' : (fault ?? 'broken') }
}

/** Whether a text is a page rather than JSON. */
export const isMarkup = (text: string): boolean => /^\s*</.test(text)
