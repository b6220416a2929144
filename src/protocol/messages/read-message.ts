import { isUtf8 } from 'node:buffer'
import { misshapen, unparsable } from './body-refusals.ts'
import { type ReadMessage, readMessageText, type WeighedMessage } from './message-text.ts'

/**
 * Returns the text of a message. Encodings other than UTF-8 are refused: read as UTF-8, such a text would lose every
 * letter beyond ASCII, and a call would write the damaged text to the forge.
 * @throws Refusal
 */
export function messageTextOf(bytes: Buffer): string {
  // UTF-16 of plain letters is valid UTF-8 with a NUL beside each letter, which no JSON has.
  if (!isUtf8(bytes) || bytes.includes(0))
    throw unparsable('the message is in another encoding than UTF-8: send it in UTF-8.')
  return bytes.toString()
}

/**
 * Reads a line of stdio. If the line was written by hand, or has a header before it, the error explains what a line
 * must be.
 * @throws Refusal
 */
export function readLine(line: Buffer): unknown {
  const read = readMessageText(messageTextOf(line))
  return messageOf(
    read.fault === 'broken'
      ? { ...read, why: `${read.why.replace(/\.$/, '')}. Over stdio each line is a whole message.` }
      : read
  ).message
}

/** @throws Refusal if the text was not a message */
export function messageOf(read: ReadMessage): WeighedMessage {
  if (read.fault === undefined) return read
  throw read.fault === 'broken' ? unparsable(read.why) : misshapen(read.fault)
}
