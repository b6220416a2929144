import { isRecord } from '../../json/records.ts'
import type { ReplyHeaders } from '../connections/reply-headers.ts'
import { checkApiUrl, ForgeError, ForgeStatusError, SaidInstead } from '../errors.ts'
import { isMarkup, type Parsed, type ReadAnswer, readJson } from './answer-text.ts'
import { saysOnlyRefusal } from './refusal.ts'
import { forgeWordsOf, scrub, titleOf } from './said.ts'

/*
 * Reads what a forge answered. A forge may be broken, misconfigured or hostile: its text is never treated as more than
 * text, and what reaches a caller is truncated and scrubbed.
 */

/** One HTTP answer, its body complete and decoded. */
export interface Reply {
  readonly status: number
  readonly headers: ReplyHeaders
  readonly body: string
  /** The holder that it is counted for, as given by holderOfAnswer. */
  readonly holder?: string | undefined
  /** The JSON of a large body, which was read off the event loop. */
  readonly parsed?: Parsed
  /** The JSON of a small body, once it was read. */
  readonly read?: Parsed | undefined
  /** What a refusal says, for the caller; empty if it is a web page. */
  readonly detail?: string
  /** The forge's words on its own trouble, for the log. */
  readonly says?: string
}

/** Most errors of a GraphQL answer that are reported. */
const MAX_ERRORS = 20
/** The JSON of a successful answer; undefined for an empty one. @throws as parsedOf */
export function readBody({ parsed, read, body, headers }: Reply): Parsed | undefined {
  return parsed ?? read ?? (body === '' ? undefined : parsedOf(readJson(body), headers))
}

/** The value of that JSON. @throws as parsedOf */
export const parseBody = (reply: Reply): unknown => readBody(reply)?.value

/**
 * The value that an answer was read as.
 * @throws ForgeError too-large for JSON of too many values or levels, bad-answer for a web page or invalid JSON
 */
export function parsedOf<Read extends { readonly fault?: undefined }>(
  read: Read | Extract<ReadAnswer, { fault: string }>,
  headers: ReplyHeaders
): Read {
  if (read.fault !== undefined) throw answerFault(read.fault, headers)
  return read
}

/** Says why an answer could not be read. */
export function answerFault(fault: NonNullable<ReadAnswer['fault']>, headers: ReplyHeaders): ForgeError {
  if (fault === 'markup' || isPage(headers)) return unexpectedPage('JSON')
  if (fault === 'broken') return notJson()
  const what = fault === 'deep' ? 'is nested too deeply' : 'has too many values'
  return new ForgeError('too-large', `The forge's answer ${what} to be looked through. Ask for less of it.`)
}

/**
 * The `data` of a GraphQL answer.
 * @param token the caller's, so that an echo of it is removed
 * @throws ForgeError graphql on top-level errors, SaidInstead if the answer only says why there are no data, ForgeError
 * bad-answer if there are none
 */
export function graphqlData(reply: Reply, token: string): Record<string, unknown> {
  const value = parseBody(reply)
  const { data, errors } = (value ?? {}) as { data?: unknown; errors?: unknown }
  const said = errorsIn(errors)
  if (said.length > 0)
    throw new ForgeError('graphql', scrub(said.slice(0, MAX_ERRORS).map(saidIn).join('; '), token))
  if (saysOnlyRefusal(value)) throw new SaidInstead('data', forgeWordsOf(value, token))
  if (!isRecord(data))
    throw new ForgeError('bad-answer', 'The forge answered a GraphQL request without data.')
  return data
}

/** The errors in a field that should be a list of them. Any other value there counts as an error, too. */
export const errorsIn = (errors: unknown): readonly unknown[] => [errors ?? []].flat()

/** The forge limits how often it is asked (RFC 6585, section 4). */
export const TOO_MANY_REQUESTS = 429

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/**
 * Refuses a complete answer that is a web page where JSON is expected, such as a login page: it is not the forge's own.
 * @param token the caller's, so that an echo of it is removed
 * @throws ForgeError bad-answer, its cause the title of the page
 */
export function refuseMarkup({ status, headers, body }: Reply, token: string): void {
  if (!isSuccess(status) || !isPageIn(headers, body)) return
  const title = titleOf(body, token)
  throw unexpectedPage('JSON', title === '' ? undefined : new Error(title))
}

function saidIn(error: unknown): string {
  const { message } = Object(error) as { message?: unknown }
  return typeof message === 'string' ? message : 'it does not say why'
}

/** For answers that are read as they arrive. @throws ForgeError bad-answer when a web page is announced */
export function refusePage(headers: ReplyHeaders): void {
  if (isPage(headers)) throw unexpectedPage('what was asked for')
}

/** Whether the headers announce a web page. */
export const isPage = (headers: ReplyHeaders): boolean =>
  String(headers['content-type'] ?? '').includes('html')

/** Whether it is a web page by both header and body: forges announce HTML even for empty bodies. */
export const isPageIn = (headers: ReplyHeaders, body: string): boolean => isPage(headers) && isMarkup(body)

/** Whether the body is plain text: not empty, not JSON and not a web page. */
export const isText = (body: string): boolean => /^\s*[^\s<{["]/.test(body)

const notJson = (): ForgeError =>
  new ForgeError('bad-answer', 'The forge answered with something that is not complete JSON.')

const unexpectedPage = (wanted: string, cause?: unknown): ForgeError =>
  new ForgeError('bad-answer', `The forge answered with a web page instead of ${wanted}: ${checkApiUrl}.`, {
    cause
  })

/** The error for a status outside 2xx. */
export const statusError = (
  { status, headers, detail = '' }: Pick<Reply, 'status' | 'headers' | 'detail'>,
  now: number
): ForgeStatusError => new ForgeStatusError(status, detail, retryAfterSeconds(headers['retry-after'], now))

/** Longest wait that is accepted, whatever a forge says. */
const MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60

/** Dates as HTTP writes them. Nothing else is parsed as a date: "-5" would be read as a month. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .{8,30}$/

/** Retry-After as whole seconds, a day at most, from either form of RFC 9110 section 10.2.3. */
export function retryAfterSeconds(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined
  const seconds = /^\d{1,9}$/.test(value)
    ? Number(value)
    : Math.ceil(((HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS)
}
