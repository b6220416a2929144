import { errorText, type RequestId } from './jsonrpc.ts'

/** What goes back for one message, or one POST body of several. */
export interface Answer {
  /** HTTP status; 200 also carries JSON-RPC errors of the initialize era. */
  readonly status: number
  /** JSON text; undefined when nothing is owed (202). */
  readonly text?: string
  /** That of an error, by which a refusal is named in the log. */
  readonly code?: number
  /** Whether the session id belongs on the answer: never on modern ones. */
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

/** To notifications and responses, and to a call that was cancelled. */
export const nothingOwed: Answer = { status: 202, era: 'legacy' }
