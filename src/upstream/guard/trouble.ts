import { TOO_MANY_REQUESTS } from '../answers/answer.ts'
import { ForgeError, ForgeStatusError, isUnreachable } from '../errors.ts'

/*
 * What can go wrong between this service and a forge, classified for whoever has to fix it: in the label `outcome` of
 * upstream_request_duration_seconds, in the log, and by the doctor.
 */

/** A failed exchange: the status that the forge answered, or why it did not. */
export type Trouble = number | ForgeError

/** What a forge said with an error status. */
export interface Told {
  readonly says?: string | undefined
  /** Seconds that it asks callers to wait. */
  readonly retryAfter?: number | undefined
  /** Its own id of the request, by which it is found in its log. */
  readonly requestId?: string | readonly string[] | undefined
  /** The template of what was asked for. */
  readonly at?: string | undefined
  /** This process stood still while it waited for the answer. */
  readonly stoodStill?: boolean
  /** The forge is asked over plain http: a proxy on the way may have answered in its place. */
  readonly isPlain?: boolean
}

/** The kind of trouble; undefined for what is not a problem of the forge or of the connection to it. */
export function kindOf(trouble: Trouble): string | undefined {
  if (trouble === TOO_MANY_REQUESTS) return 'limited'
  if (typeof trouble === 'number') return trouble >= 500 ? '5xx' : undefined
  const { fault } = trouble
  if (fault === 'unanswered') return 'timeout'
  return isUnreachable(fault) || fault === 'timeout' || fault === 'bad-answer' ? fault : undefined
}

/**
 * If nothing of an answer has arrived for this many milliseconds when its caller gives up, that is trouble of the
 * forge. Most clients give up after ten seconds or more, and a forge that hangs would otherwise look like callers who
 * change their minds. An answer may also stop in its middle, if large packets to this machine are lost.
 */
const SILENT_MS = 5_000

/** The error of an exchange. A cancellation after such a silence becomes `unanswered`. */
export function orUnanswered(error: unknown): unknown {
  if (!(error instanceof ForgeError) || error.fault !== 'cancelled') return error
  if (error.silentMs < SILENT_MS) return error
  const seconds = Math.floor(error.silentMs / 1000)
  const what = error.isUnanswered
    ? `The forge had not begun to answer for ${seconds} s`
    : `The forge’s answer had stopped for ${seconds} s`
  return new ForgeError('unanswered', `${what} when its caller gave up.`)
}

/**
 * The kind of trouble that a call has failed with. If it was not sent: `down` because of earlier trouble, or `busy`
 * because too many others are under way.
 */
export function troubleIn(error: unknown): string | undefined {
  if (error instanceof ForgeStatusError) return kindOf(error.status)
  if (!(error instanceof ForgeError)) return undefined
  return error.fault === 'down' || error.fault === 'busy' ? error.fault : kindOf(error)
}
