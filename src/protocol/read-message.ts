import { type ReadMessage, readMessageText } from './message-text.ts'
import { misshapen, unparsable } from './refusal.ts'

/** Reads the text of a body or line, the same over every transport. @throws Refusal */
export const readMessage = (text: string): unknown => messageOf(readMessageText(text))

/** @throws Refusal where a text was no message */
export function messageOf(read: ReadMessage): unknown {
  if (read.fault === undefined) return read.message
  throw read.fault === 'broken' ? unparsable(read.why) : misshapen(read.fault)
}
