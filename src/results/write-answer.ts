import { isRecordOrList } from '../json/records.ts'
import { type ReadAnswer, readAnswerText } from '../upstream/answers/answer-text.ts'
import { isOfOddValue } from '../upstream/errors.ts'
import { type ResultOf, type ResultPolicy, type ToolOutput, type ToolResult, writeResult } from './result.ts'

/** A large answer that is only shown, with the settings for that. */
export interface ShownAnswer {
  readonly bytes: Uint8Array
  /** The output without its value. */
  readonly output: ToolOutput
  readonly policy: ResultPolicy
  readonly tool: ResultOf
}

/** The result, and notices about what did not fit into it; or why the answer cannot be read. */
export type WrittenAnswer =
  | { readonly result: ToolResult; readonly cuts: readonly string[]; readonly fault?: undefined }
  | Extract<ReadAnswer, { fault: string }>
  | { readonly fault: 'odd'; readonly cause: unknown }

/** Parses an answer and writes it as a result, in a worker. */
export function writeAnswer({ bytes, output, policy, tool }: ShownAnswer): WrittenAnswer {
  const read = readAnswerText(bytes)
  if (read.fault !== undefined) return read
  const cuts: string[] = []
  if (!isRecordOrList(read.value)) return { fault: 'odd', cause: new TypeError('not of records') }
  try {
    const result = writeResult({ ...output, value: read.value }, policy, tool, cut => cuts.push(cut))
    return { result, cuts }
  } catch (cause) {
    if (isOfOddValue(cause)) return { fault: 'odd', cause }
    throw cause
  }
}
