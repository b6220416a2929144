/** What goes back for one message, or one POST body of several. */
export interface Answer {
  /** HTTP status; 200 also carries JSON-RPC errors of the initialize era. */
  readonly status: number
  /** JSON text; undefined when nothing is owed (202). */
  readonly text?: string
  /** Whether the session id belongs on the answer: never on modern ones. */
  readonly era: 'legacy' | 'modern'
}

export const legacyAnswer = (status: number, text: string): Answer => ({ status, text, era: 'legacy' })

export const modernAnswer = (status: number, text: string): Answer => ({ status, text, era: 'modern' })

/** To notifications and responses, and to a call that was cancelled. */
export const nothingOwed: Answer = { status: 202, era: 'legacy' }
