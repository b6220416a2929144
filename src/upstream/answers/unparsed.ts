import type { Owner } from '../../fairness/fair-queue.ts'
import type { ShownAnswer, WrittenAnswer } from '../../results/write-answer.ts'
import type { ReplyHeaders } from '../connections/flight.ts'
import { OddAnswer } from '../errors.ts'
import { answerFault, parsedOf } from './answer.ts'
import type { ReadAnswer } from './answer-text.ts'

type Result = Extract<WrittenAnswer, { fault?: undefined }>

/** Reads large answers where that does not hold up others. Both throw ForgeError, as for any large answer. */
export interface AnswerReader {
  read(bytes: Buffer, owner: Owner): Promise<ReadAnswer>
  write(shown: ShownAnswer, owner: Owner): Promise<WrittenAnswer>
}

/**
 * A large answer that has not been parsed. If it is only shown, it is parsed and formatted in one go off the event
 * loop, and its value never comes to this thread. It can be used once, for one of the two.
 */
export class UnparsedAnswer {
  readonly #bytes: Buffer
  readonly #headers: ReplyHeaders
  readonly #largeAnswers: AnswerReader
  readonly #owner: Owner

  constructor(bytes: Buffer, headers: ReplyHeaders, largeAnswers: AnswerReader, owner: Owner) {
    this.#bytes = bytes
    this.#headers = headers
    this.#largeAnswers = largeAnswers
    this.#owner = owner
  }

  /** Whether it begins as a list does. */
  get isList(): boolean {
    return /^\s*\[/.test(this.#bytes.toString('latin1', 0, 1_000))
  }

  /** @throws ForgeError as for any large answer */
  async value(): Promise<unknown> {
    return parsedOf(await this.#largeAnswers.read(this.#bytes, this.#owner), this.#headers).value
  }

  /** The answer as the result of a tool. @throws as `value` */
  async written(how: Omit<ShownAnswer, 'bytes'>): Promise<Result> {
    const written = await this.#largeAnswers.write({ ...how, bytes: this.#bytes }, this.#owner)
    if (written.fault === 'odd') throw new OddAnswer(written.cause)
    if (written.fault !== undefined) throw answerFault(written.fault, this.#headers)
    return written
  }
}
