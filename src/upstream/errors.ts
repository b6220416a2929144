import type { ConnectStage } from './connections/connect-failure.ts'

/** What to do about an answer that no forge gives. */
export const checkApiUrl = 'check that the API URL is the forge itself, not a login page or proxy'

/** The forge answered with a status that is not a success. */
export class ForgeStatusError extends Error {
  readonly status: number
  /** Seconds the forge asks to wait, from Retry-After. */
  readonly retryAfter: number | undefined
  /**
   * Why it was refused, in this service's words, if that was found out (engine/facts/reason.ts,
   * engine/facts/edition.ts).
   */
  reason: string | undefined
  /** Whether `reason` is all there is to say, and advice for the status would mislead. */
  isExplained = false
  /** Whether its body was text other than JSON: the forge's own refusals are JSON. */
  isText = false
  /** Whether the path has nothing that could be missing, as for a list of everything, or for GraphQL. */
  hasFixedPath = false
  constructor(status: number, detail: string, retryAfter?: number) {
    super(detail)
    this.name = 'ForgeStatusError'
    this.status = status
    this.retryAfter = retryAfter
  }
}

type ForgeFault =
  | ConnectStage
  | 'timeout'
  | 'too-large'
  | 'bad-answer'
  | 'graphql'
  | 'cancelled'
  /** Like `cancelled`, after seconds in which nothing, or nothing more, of the forge's answer had arrived. */
  | 'unanswered'
  /** The address policy forbids requests to the forge. */
  | 'forbidden'
  /** Its URL is longer than any server takes; it was not sent. */
  | 'too-long'
  /** Turned away before anything was sent: too much under way, or the forge is down. */
  | 'busy'
  | 'down'

/** The forge could not be asked, or its answer could not be used. The message is meant for the caller. */
export class ForgeError extends Error {
  readonly fault: ForgeFault
  /** Whether it is certain that the request was not sent, because there was no connection to send it on. */
  isUnsent = false
  /** Whether the request was given up before its answer had begun. */
  isUnanswered = false
  /**
   * Milliseconds in which nothing of the answer had arrived when it was given up. 0 if nothing was awaited at that
   * moment, for example because the reader is slower than the forge.
   */
  silentMs = 0
  /** As in ForgeStatusError. */
  reason: string | undefined
  /** As in ForgeStatusError. */
  isExplained = false
  constructor(fault: ForgeFault, message: string, options?: ErrorOptions) {
    // Until the stack of an error is read as text, V8 keeps every object that is on it. If an answer takes the room of
    // another one, the error of the other would keep the first one, with its value, which then counts for nobody.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, options)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ForgeError'
    this.fault = fault
  }
}

/** Something in front of the forge, such as a proxy, has refused a request in its place, or redirects elsewhere. */
export class Intercepted extends ForgeError {
  readonly status: number
  constructor(status: number, message: string, options?: ErrorOptions) {
    super('bad-answer', message, options)
    this.name = 'Intercepted'
    this.status = status
  }

  /** Whether it may count as a refusal of the credential: a login page, or a redirect to one. */
  get isOfCredential(): boolean {
    return this.status === 401 || this.status < 400
  }
}

/** The forge answered as if it had done what was asked for, but with nothing except a message. */
export class SaidInstead extends ForgeError {
  /**
   * The message, without the caller's token; other secrets of the call are taken out by
   * engine/arguments/secret-arguments.ts.
   */
  words: string
  /** @param what the thing that was asked for: a record, a list or the data of GraphQL */
  constructor(what: string, words: string) {
    super('bad-answer', `The forge gave no ${what}`)
    this.name = 'SaidInstead'
    this.words = words
  }
}

/**
 * An answer that is JSON but not of the expected form: a number instead of a record, or a record instead of a name.
 * @param cause the error that reading it caused
 */
export class OddAnswer extends ForgeError {
  constructor(cause: unknown) {
    super(
      'bad-answer',
      'The forge’s answer is not of the shape that this tool can read. What was asked for may be seen on the forge’s own pages.',
      { cause }
    )
    this.name = 'OddAnswer'
  }
}

/** Whether an error is one that JavaScript throws if a value has a type that the code does not expect. */
export const isOfOddValue = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof URIError || error instanceof RangeError

/** Whether a fault means that the forge could not be reached, for whatever cause. */
export const isUnreachable = (fault: string): boolean => unreachable.has(fault)

const unreachable: ReadonlySet<string> = new Set<ConnectStage>(['dns', 'tls', 'proxy', 'unreachable'])

/** The caller has gone, or wants no answer any more. */
export const cancelled = (): ForgeError => new ForgeError('cancelled', 'The call was cancelled.')

/** The refusal of a call while its forge is down. @param ms until a try makes sense */
export const leftAlone = (ms: number): ForgeError =>
  new ForgeError(
    'down',
    `The forge has failed lately and is left alone for a moment. This request was not sent: try again in ${Math.ceil(ms / 1000)} s.`
  )

/** The failure of an answer whose memory is needed for others. */
export const tooMuchHeld = (): ForgeError =>
  new ForgeError(
    'too-large',
    'Too many answers of the forge are being read at once, and this one was given up for lack of memory. Repeat the call when others are done; if it is the only one, narrow it (a smaller per_page, a filter, a part of the file).'
  )

/** The failure of a call that keeps answers, or texts made of them, whose memory is needed for others. */
export const tooMuchKept = (): ForgeError =>
  new ForgeError(
    'too-large',
    'Calls keep too much of the forge’s answers, and of what is made of them, at once, and this call was given up for lack of memory. Repeat the call when others are done; if it is the only one, narrow it (a smaller per_page, a filter, fewer replacements).'
  )
