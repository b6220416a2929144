import { isRecord } from '../../results/is-record.ts'
import { code, type ErrorMore, errorText, type RequestId } from './jsonrpc.ts'

/** The answer to one message, or to one POST body with several. */
export interface Answer {
  /** HTTP status; 200 is also used for JSON-RPC errors of the initialize era. */
  readonly status: number
  /** JSON text; undefined if no answer is due (202). */
  readonly text?: string
  /**
   * The code by which the log names a refusal: the code of its error or, if that is a general one, a more specific
   * code. Undefined if the answer is no refusal, or if it is logged already.
   */
  readonly code?: number
  /** What is wrong, for the log: in words of this service, without anything that the caller sent. */
  readonly hint?: string | undefined
  /** The method of the refused message, as it was sent, if it can be read. */
  readonly method?: string
  /** The era of the message. A modern answer never carries a session id. */
  readonly era: 'legacy' | 'modern'
}

export const legacyAnswer = (status: number, text: string): Answer => ({ status, text, era: 'legacy' })

export const modernAnswer = (status: number, text: string): Answer => ({ status, text, era: 'modern' })

/** An error to answer with, such as a ProtocolError. */
interface ErrorOf extends ErrorMore {
  readonly code: number
  readonly message: string
  readonly isLogged?: boolean
}

const refusedAs = ({ code, hint, isLogged }: ErrorOf) => (isLogged === true ? {} : { code, hint })

const textOf = (id: RequestId | undefined, { code, message, data }: ErrorOf): string =>
  errorText(id, code, message, data)

export const legacyError = (status: number, id: RequestId | undefined, error: ErrorOf): Answer => ({
  ...legacyAnswer(status, textOf(id, error)),
  ...refusedAs(error)
})

export const modernError = (status: number, id: RequestId | undefined, error: ErrorOf): Answer => ({
  ...modernAnswer(status, textOf(id, error)),
  ...refusedAs(error)
})

/**
 * Adds the method to an answer that is a refusal.
 * @param message the message that is answered
 */
export const withMethod = (answer: Answer, message: unknown): Answer =>
  answer.code !== undefined && isRecord(message) && typeof message.method === 'string'
    ? { ...answer, method: message.method }
    : answer

/** The answer to an invalid request, with a reason that may also be logged. */
export const invalidRequest = (id: RequestId | undefined, why: string): Answer =>
  legacyError(400, id, { code: code.invalidRequest, message: `Invalid request: ${why}`, hint: why })

/** The answer to notifications and responses, and to a call that was cancelled. */
export const nothingOwed: Answer = { status: 202, era: 'legacy' }
