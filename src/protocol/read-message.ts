import { isUtf8 } from 'node:buffer'
import { type ReadMessage, readMessageText, type WeighedMessage } from './message-text.ts'
import { misshapen, unparsable } from './refusal.ts'

/**
 * The text of a message. Read as if it were UTF-8, one in another encoding would lose every letter beyond ASCII, and
 * what a call writes would be in the forge without them.
 * @throws Refusal
 */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw unparsable('the message is in another encoding than UTF-8: send it in UTF-8.')
  return bytes.toString()
}

/** Reads a line of stdio: who writes one by hand, or with a header before it, is told what a line is. @throws Refusal */
export function readLine(line: Buffer): unknown {
  const read = readMessageText(textOf(line))
  return messageOf(
    read.fault === 'broken'
      ? { ...read, why: `${read.why.replace(/\.$/, '')}. Over stdio each line is a whole message.` }
      : read
  ).message
}

/** @throws Refusal where a text was no message */
export function messageOf(read: ReadMessage): WeighedMessage {
  if (read.fault === undefined) return read
  throw read.fault === 'broken' ? unparsable(read.why) : misshapen(read.fault)
}
