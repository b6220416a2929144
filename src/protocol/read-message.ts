import { parse } from 'secure-json-parse'
import { shapeFault } from '../json-shape.ts'
import { bodyShape, misshapen, unparsable } from './refusal.ts'

/**
 * Reads the text of a body or line, the same over every transport. Its shape is checked on the text, before anything
 * looks at each value, and names that reach into prototypes are no JSON here.
 * @throws Refusal
 */
export function readMessage(text: string): unknown {
  const fault = shapeFault(text, bodyShape)
  if (fault !== undefined) throw misshapen(fault)
  if (text.trim() === '') throw unparsable('there is no message.')
  try {
    return parse(text)
  } catch (error) {
    throw unparsable((error as Error).message)
  }
}
