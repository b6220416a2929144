import { parse } from 'secure-json-parse'
import { hasMoreNames, type ShapeLimits, shapeFault, weightOf } from '../json-shape.ts'

/** Of a message, whichever transport it comes by: a call has some dozens of values; large ones are large by a text. */
export const messageShape: ShapeLimits = { depth: 64, values: 20_000 }

/**
 * Different names of fields in a message: one that was not there before costs five times what a value does to read, and
 * as much again to hand to another thread. All tools together have some hundreds.
 */
export const MOST_NAMES = 1_000

/** Of a message that is read in tenths of a millisecond; it cannot have more names than values. */
export const smallShape: ShapeLimits = { ...messageShape, values: MOST_NAMES }

/** A message, and what it takes of memory, in bytes: many small values take twenty times their characters. */
export interface WeighedMessage {
  readonly message: unknown
  readonly weight: number
}

/** A message, or why its text is none: its shape, or the parser's words. */
export type ReadMessage =
  | (WeighedMessage & { readonly fault?: undefined })
  | { readonly fault: 'deep' | 'wide' | 'names' }
  | { readonly fault: 'broken'; readonly why: string }

/**
 * Reads the text of a message. Its shape is checked on the text, before anything looks at each value, and names that
 * reach into prototypes are no JSON here.
 */
export function readMessageText(text: string, shape = messageShape): ReadMessage {
  const fault = shapeFault(text, shape)
  if (fault !== undefined) return { fault }
  if (text.trim() === '') return { fault: 'broken', why: 'there is no message.' }
  try {
    const message: unknown = parse(text)
    return shape.values > MOST_NAMES && hasMoreNames(message, MOST_NAMES)
      ? { fault: 'names' }
      : { message, weight: weightOf(text) }
  } catch (error) {
    return { fault: 'broken', why: (error as Error).message }
  }
}
