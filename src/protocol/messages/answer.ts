import { errorText, type RequestId } from './jsonrpc.ts'

/** The answer to one message, or to one POST body with several. */
export interface Answer {
  /** HTTP status; 200 also carries JSON-RPC errors of the initialize era. */
  readonly status: number
  /** JSON text; undefined if no answer is due (202). */
  readonly text?: string
  /** The code by which a refusal is named in the log: that of its error or, if this is a general one, a closer one. */
  readonly code?: number
  /** The era of the message. A modern answer never carries a session id. */
  readonly era: 'legacy' | 'modern'
}

export const legacyAnswer = (status: number, text: string): Answer => ({ status, text, era: 'legacy' })

export const modernAnswer = (status: number, text: string): Answer => ({ status, text, era: 'modern' })

type ErrorOf = readonly [code: number, message: string, data?: unknown]

export const legacyError = (status: number, id: RequestId | undefined, ...error: ErrorOf): Answer => ({
  ...legacyAnswer(status, errorText(id, ...error)),
  code: error[0]
})

export const modernError = (status: number, id: RequestId | undefined, ...error: ErrorOf): Answer => ({
  ...modernAnswer(status, errorText(id, ...error)),
  code: error[0]
})

/** The answer to notifications and responses, and to a call that was cancelled. */
export const nothingOwed: Answer = { status: 202, era: 'legacy' }
