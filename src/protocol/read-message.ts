import { type ReadMessage, readMessageText } from './message-text.ts'
import { misshapen, unparsable } from './refusal.ts'

/** Reads a line of stdio: who writes one by hand, or with a header before it, is told what a line is. @throws Refusal */
export function readLine(text: string): unknown {
  const read = readMessageText(text)
  return messageOf(
    read.fault === 'broken'
      ? { ...read, why: `${read.why.replace(/\.$/, '')}. Over stdio each line is a whole message.` }
      : read
  )
}

/** @throws Refusal where a text was no message */
export function messageOf(read: ReadMessage): unknown {
  if (read.fault === undefined) return read.message
  throw read.fault === 'broken' ? unparsable(read.why) : misshapen(read.fault)
}
