import { matchPatterns } from '../engine/match-patterns.ts'
import { readMessageText } from '../protocol/messages/message-text.ts'
import { writeAnswer } from '../results/write-answer.ts'
import { readAnswerText } from '../upstream/answers/answer-text.ts'

/** The JSON of a value, as bytes. */
const jsonBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

/**
 * The jobs that run outside the event loop: functions that depend only on their data. Their errors are not shown to
 * callers, and every module that they load makes the start of a worker slower.
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
