import { matchPatterns } from '../engine/match-patterns.ts'
import { readMessageText } from '../protocol/messages/message-text.ts'
import { writeAnswer } from '../results/write-answer.ts'
import { readAnswerText } from '../upstream/answers/answer-text.ts'

/** The JSON of a value, as bytes. */
const jsonBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

/**
 * The jobs that run off the event loop: functions of data alone. Their errors are not shown to callers, and every
 * module they load makes the start of a worker slower.
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
