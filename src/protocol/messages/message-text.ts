import { parse } from 'secure-json-parse'
import { MIB } from '../../base/units.ts'
import { hasMoreNames, type ShapeLimits, shapeOf } from '../../json/shape.ts'
import { exampleMessage } from './jsonrpc.ts'

/**
 * Limits of a message over any transport. A call has a few dozen values; large calls are large because of a text. No
 * tool has arguments whose names are numbers.
 */
export const messageShape: ShapeLimits = { depth: 64, lists: 64, values: 20_000, arrays: MIB }

/**
 * Most different field names in a message. A new name costs five times as much to read as a value, and as much again to
 * pass to another thread. All tools together have several hundred.
 */
export const MAX_NAMES = 1_000

/** Limits of a message that takes tenths of a millisecond to read. It cannot have more names than values. */
export const smallShape: ShapeLimits = { ...messageShape, values: MAX_NAMES }

/** A message and its memory in bytes: many small values take twenty times their characters. */
export interface WeighedMessage {
  readonly message: unknown
  readonly weight: number
}

/** A message, or the reason why its text is none: its shape, or the parser's error message. */
export type ReadMessage =
  | (WeighedMessage & { readonly fault?: undefined })
  | { readonly fault: 'deep' | 'wide' | 'names' }
  | { readonly fault: 'broken'; readonly why: string }

/**
 * How a message begins after cmd.exe or PowerShell has changed its quotation marks in a command: with the single quotes
 * of other shells, or without the double quotes.
 */
const requoted = /^\s*(?:'|\{\s*(?:\\"|\w+\s*:))/
const useFile = (noun: string) =>
  `A shell may have changed the quotation marks: put the ${noun} into a file, and send that (curl: -d @file).`

/** What a text should be, and what its sender is told to send instead. */
export interface Wanted {
  readonly noun: string
  readonly send: string
}

const oneMessage: Wanted = { noun: 'message', send: `send one JSON-RPC message, such as ${exampleMessage}.` }

/**
 * Reads the text of a message. Its shape is checked on the text, before its values are examined. Names that reach into
 * prototypes are refused as invalid JSON.
 */
export function readMessageText(text: string, shape = messageShape, wanted = oneMessage): ReadMessage {
  const read = shapeOf(text, shape)
  if (read.fault !== undefined) return read
  const { noun, send } = wanted
  if (text.trim() === '') return { fault: 'broken', why: `there is no ${noun}: ${send}` }
  try {
    const message: unknown = parse(text)
    return shape.values > MAX_NAMES && hasMoreNames(message, MAX_NAMES)
      ? { fault: 'names' }
      : { message, weight: read.weight }
  } catch (error) {
    const why = (error as Error).message
    return { fault: 'broken', why: requoted.test(text) ? `${why}. ${useFile(noun)}` : `${why}: ${send}` }
  }
}
