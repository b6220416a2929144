import { type CancelSignal, onAbort } from '../../base/cancellation.ts'
import type { WorkOwner } from '../../fairness/fair-queue.ts'
import type { ShownAnswer, WrittenAnswer } from '../../results/write-answer.ts'
import type { ReplyHeaders } from '../connections/reply-headers.ts'
import { OddAnswer } from '../errors.ts'
import type { AnswerOwner } from '../reading/large-answers.ts'
import { answerFault, parsedOf } from './answer.ts'
import type { ReadAnswer } from './answer-text.ts'

type Result = Extract<WrittenAnswer, { fault?: undefined }>

/** Reads large answers where they do not hold up others. Both methods throw ForgeError, as for any large answer. */
export interface AnswerReader {
  read(bytes: Buffer, owner: AnswerOwner): Promise<ReadAnswer>
  write(shown: ShownAnswer, owner: WorkOwner): Promise<WrittenAnswer>
}

/** What counts the memory of a call's answers, and drops them once there is no room (KeptAnswers). */
export interface Keeping {
  /** Aborts when it drops them, and when the call is over. */
  readonly stop: CancelSignal
  /** @throws ForgeError too-large if there is no room for so many bytes more */
  keep(bytes: number): void
  /** Waits for a promise, and fails as soon as the answers are dropped, with the reason. */
  orLost<T>(asked: Promise<T>): Promise<T>
}

/**
 * A large answer that has not been parsed. If it is only shown, it is parsed and formatted in one go off the event
 * loop, and its value never comes to this thread. It can be used once, for one of the two.
 */
export class UnparsedAnswer {
  readonly #bytes: Buffer
  readonly #headers: ReplyHeaders
  readonly #largeAnswers: AnswerReader
  readonly #owner: AnswerOwner
  readonly #keeping: Keeping
  readonly #done: () => void

  /**
   * @param whose the caller that it is read for
   * @param keeping counts its bytes already
   * @param done called once it is read or dropped. Until then it has the turn in which it was collected. Otherwise more
   * answers would be collected meanwhile than there is room for
   */
  constructor(
    bytes: Buffer,
    headers: ReplyHeaders,
    largeAnswers: AnswerReader,
    { caller, from }: Pick<WorkOwner, 'caller' | 'from'>,
    keeping: Keeping,
    done: () => void
  ) {
    this.#bytes = bytes
    this.#headers = headers
    this.#largeAnswers = largeAnswers
    this.#owner = { caller, from, signal: keeping.stop, grow: bytes => keeping.keep(bytes) }
    this.#keeping = keeping
    const forget = onAbort(keeping.stop, done)
    this.#done = () => {
      forget()
      done()
    }
  }

  /** Whether it begins like a list. */
  get isList(): boolean {
    return /^\s*\[/.test(this.#bytes.toString('latin1', 0, 1_000))
  }

  /** @throws ForgeError as for any large answer */
  async value(): Promise<unknown> {
    const read = this.#largeAnswers.read(this.#bytes, this.#owner).finally(this.#done)
    return parsedOf(await this.#keeping.orLost(read), this.#headers).value
  }

  /** The answer as the result of a tool. @throws as `value` */
  async written(how: Omit<ShownAnswer, 'bytes'>): Promise<Result> {
    const writing = this.#largeAnswers.write({ ...how, bytes: this.#bytes }, this.#owner).finally(this.#done)
    const written = await this.#keeping.orLost(writing)
    if (written.fault === 'odd') throw new OddAnswer(written.cause)
    if (written.fault !== undefined) throw answerFault(written.fault, this.#headers)
    return written
  }
}
