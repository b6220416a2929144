import { matchPatterns } from '../engine/match-patterns.ts'
import { readMessageText } from '../protocol/message-text.ts'
import { writeAnswer } from '../results/write-answer.ts'
import { readAnswerText } from '../upstream/answers/answer-text.ts'

/** A value as the bytes of its JSON. */
const jsonBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

/**
 * What can be done off the event loop: functions of data alone. They throw nothing that is meant for anybody, and what
 * they load makes the start of a worker slow.
 */
export const jobs = {
  jsonBytes,
  matchPatterns,
  readAnswerText,
  readMessageText,
  writeAnswer
}

export type Jobs = typeof jobs
export type JobName = keyof Jobs
