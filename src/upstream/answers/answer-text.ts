import { hasMoreNames, type ShapeLimits, shapeFault, weightOf } from '../../json-shape.ts'

/** Of an answer that is large: a hundred threads of twenty notes each have half as many values. */
const answerShape: ShapeLimits = { depth: 64, values: 200_000 }

/**
 * Different names of fields in it: records have dozens, and what a tool makes of one with 200,000 takes half a second of the
 * event loop, in one go.
 */
const MOST_NAMES = 5_000

/** The value of an answer, its characters and about what it takes of memory, or why it is not to be had. */
export type ReadAnswer =
  | { readonly value: unknown; readonly size: number; readonly weight: number; readonly fault?: undefined }
  | { readonly fault: 'deep' | 'wide' | 'broken' | 'markup' }

/** Reads the JSON of a large answer, whose bytes are not to be used any more. Its bytes are bounded, but not what they cost: its shape is checked before. */
export function readAnswerText(bytes: Uint8Array): ReadAnswer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  // Given back at once, where Node can: it would take its room until memory is collected.
  ;(bytes.buffer as { transfer?: (length: number) => unknown }).transfer?.(0)
  const fault = shapeFault(text, answerShape)
  if (fault === undefined) {
    try {
      const value: unknown = JSON.parse(text)
      if (hasMoreNames(value, MOST_NAMES)) return { fault: 'wide' }
      return { value, size: text.length, weight: weightOf(text) }
    } catch {
      // Told below.
    }
  }
  return { fault: isMarkup(text) ? 'markup' : (fault ?? 'broken') }
}

/** Whether a text is a page rather than JSON. */
export const isMarkup = (text: string): boolean => /^\s*</.test(text)
