import { parse } from 'secure-json-parse'
import { type ShapeLimits, shapeFault } from '../json-shape.ts'

/** Of a message, whichever transport it comes by: a call has some dozens of values; large ones are large by a text. */
export const messageShape: ShapeLimits = { depth: 64, values: 20_000 }

/** A message, or why its text is none: its shape, or the parser's words. */
export type ReadMessage =
  | { readonly message: unknown; readonly fault?: undefined }
  | { readonly fault: 'deep' | 'wide' }
  | { readonly fault: 'broken'; readonly why: string }

/**
 * Reads the text of a message. Its shape is checked on the text, before anything looks at each value, and names that
 * reach into prototypes are no JSON here.
 */
export function readMessageText(text: string): ReadMessage {
  const fault = shapeFault(text, messageShape)
  if (fault !== undefined) return { fault }
  if (text.trim() === '') return { fault: 'broken', why: 'there is no message.' }
  try {
    return { message: parse(text) }
  } catch (error) {
    return { fault: 'broken', why: (error as Error).message }
  }
}
