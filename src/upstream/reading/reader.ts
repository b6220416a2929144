import type { CancelSignal } from '../../base/cancellation.ts'
import type { Keeping } from '../answers/unparsed.ts'
import type { Whose } from '../guard/whose.ts'
import type { AnswerRoom } from './answer-room.ts'
import type { LargeAnswers } from './large-answers.ts'

/**
 * Whose answer it is, where its memory is counted, and how large answers take turns. Once the answer has begun, its
 * holder is the address that it comes from.
 */
export interface Reader extends Whose {
  readonly largeAnswers: LargeAnswers
  readonly room: AnswerRoom
  /**
   * Gives up an answer that waits to be read. For a read it is the signal of the request; a write is never given up.
   */
  readonly signal: CancelSignal | undefined
  /**
   * If given, a large answer is not parsed: its value is an UnparsedAnswer, which is kept here. Default: it is parsed.
   */
  readonly unparsed?: Keeping | undefined
}
