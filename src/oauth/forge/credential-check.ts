import type { Dispatcher } from 'undici'
import { textOf } from '../../results/is-record.ts'
import { type Credential, credentialHeader } from '../../session/credential.ts'
import { type Reply, retryAfterSeconds } from '../../upstream/answers/answer.ts'
import { fromForge } from '../../upstream/answers/from-forge.ts'
import { ForgeError } from '../../upstream/errors.ts'
import { plainHeaders } from '../../upstream/plain-headers.ts'
import { exchange } from '../../upstream/reading/exchange.ts'
import { MAX_ANSWER_BYTES, parseAnswer } from './answer.ts'

/** The forge's verdict on a credential. */
export interface Verdict {
  readonly good: boolean
  /** Seconds until a good credential expires, if the forge says so. */
  readonly expiresIn?: number
  /** The credential is good, but its scopes allow nothing that the tools do. */
  readonly lacksScope?: boolean
  /** The credential is good, but the forge does not say whether it was issued to this service's application. */
  readonly ofAnyApp?: boolean
  /** The forge's id of the user whose credential it is, if the forge names one. */
  readonly user?: string
}

/** The forge could not be asked, so nothing is known about the credential. */
export class CheckUnavailableError extends Error {
  /** The path of the request: one of several may be blocked. */
  readonly at: string
  /** Seconds to wait, if the forge says so. */
  readonly retryAfter: number | undefined
  /**
   * The status of an answer that says nothing about the credential, or the kind of failure when there was no answer.
   */
  readonly by: number | string
  constructor(at: string, by: number | string, cause: Error, retryAfter?: number) {
    super('The forge cannot be asked about this credential right now. Try again in a moment.', { cause })
    this.name = 'CheckUnavailableError'
    this.at = at
    this.by = by
    this.retryAfter = retryAfter
  }
}

/**
 * Makes one request to the forge as soon as a request is allowed. `attempt` gets the milliseconds that are left for the
 * request, and `at` is its path.
 */
export type Ask = (attempt: (deadlineMs: number) => Promise<Reply>, at: string) => Promise<Reply>

export interface CredentialCheckOptions {
  /** Normalized REST base URL of the forge, with /api/v4. */
  readonly apiUrl: string
  /** Bearer tokens that were issued to other applications are not good. If empty, those of any application are good. */
  readonly appId: string
  readonly dispatcher: Dispatcher
  readonly userAgent: string
  /** Milliseconds for an answer; default 5 s. */
  readonly deadlineMs?: number
}

export const INFO_PATH = '/oauth/token/info'
/** Milliseconds for the answer to a check, unless the options say otherwise. */
export const DEADLINE_MS = 5_000
const bad: Verdict = { good: false }

/**
 * Asks the forge whether a credential is good. Bearer tokens are looked up at /oauth/token/info, which also names the
 * application that they were issued to. Tokens of another application, or of none, are refused. For other kinds, and if
 * that endpoint is missing or says nothing about a token, the credential is good if the API accepts it.
 * @param ask decides when each request is made; default at once
 * @throws CheckUnavailableError, and whatever `ask` throws
 */
export async function askForge(
  credential: Credential,
  options: CredentialCheckOptions,
  ask: Ask = attempt => attempt(DEADLINE_MS)
): Promise<Verdict> {
  if (credential.kind !== 'bearer') return askApi(credential, options, ask)
  const base = options.apiUrl.replace(/\/api\/v4$/, '')
  const reply = await get(base, INFO_PATH, credential, options, ask)
  const elsewhere = async () => withoutApp(await askApi(credential, options, ask), options.appId)
  switch (reply.status) {
    case 200: {
      const info = infoIn(reply)
      if (options.appId === '') return verdictOf(info)
      // A forge that names applications has this field for each token. It is null for a token without an application.
      if (info.application !== undefined) return uidIn(info) === options.appId ? verdictOf(info) : bad
      return tellsOfToken(info) ? withoutApp(verdictOf(info), options.appId) : elsewhere()
    }
    case 400:
    case 401:
      return bad
    case 404:
      return elsewhere()
    default:
      throw unusable(reply, INFO_PATH)
  }
}

const withoutApp = (verdict: Verdict, appId: string): Verdict =>
  verdict.good && appId !== '' ? { ...verdict, ofAnyApp: true } : verdict

type Info = Readonly<Record<string, unknown>>

/**
 * Reads the answer of token/info.
 * @throws CheckUnavailableError
 */
function infoIn(reply: Reply): Info {
  let info: unknown
  try {
    info = parseAnswer(reply)
  } catch (error) {
    throw unavailable(error as ForgeError, INFO_PATH)
  }
  if (typeof info !== 'object' || info === null) throw unusable(reply, INFO_PATH)
  return info as Info
}

const uidIn = ({ application }: Info): unknown => (application as { uid?: unknown } | null)?.uid

/** Whether an answer is about a token at all: a proxy in front of a forge may answer any path with 200 and a record. */
const tellsOfToken = ({ resource_owner_id: owner, scope }: Info): boolean =>
  textOf(owner) !== '' || Array.isArray(scope)

function verdictOf({
  resource_owner_id: owner,
  scope,
  expires_in: seconds,
  expires_in_seconds: older
}: Info): Verdict {
  const expiresIn = seconds ?? older
  const narrow = Array.isArray(scope) && !scope.some(name => name === 'api' || name === 'read_api')
  return {
    good: typeof expiresIn !== 'number' || expiresIn > 0,
    ...(typeof expiresIn === 'number' && { expiresIn }),
    ...(narrow && { lacksScope: true }),
    ...userOf(owner)
  }
}

/**
 * Most characters of a user's id that is kept. With longer ids in ten thousand verdicts, a forge could end the process.
 */
const MAX_USER = 64

const userOf = (id: unknown): Pick<Verdict, 'user'> => {
  const user = textOf(id)
  return user === '' || user.length > MAX_USER ? {} : { user }
}

/**
 * Asks an API endpoint. A job token belongs to no user of its own, but forges without an endpoint for jobs may accept
 * it at /user. A 403 is no refusal here: the token is known, and may only do less.
 */
async function askApi(credential: Credential, options: CredentialCheckOptions, ask: Ask): Promise<Verdict> {
  const answerOf = (path: string) => get(options.apiUrl, path, credential, options, ask)
  const ofJob = credential.kind === 'job-token' ? await answerOf('/job') : undefined
  const reply = ofJob === undefined || ofJob.status === 404 ? await answerOf('/user') : ofJob
  if (reply.status === 401) return bad
  const record = reply.status === 200 || reply.status === 403 ? recordIn(reply) : undefined
  // A user and a job have an id. What has none may be a gateway's answer, and says nothing of the credential.
  const isUsable = record !== undefined && (reply.status === 403 || typeof record?.id === 'number')
  if (!isUsable) throw unusable(reply, reply === ofJob ? '/job' : '/user')
  // A job names its user, and has an id of its own.
  const user = reply === ofJob ? (record?.user as { id?: unknown } | null | undefined) : record
  return { good: true, ...userOf(user?.id) }
}

function recordIn(reply: Reply): Readonly<Record<string, unknown>> | null | undefined {
  try {
    const record = parseAnswer(reply)
    return typeof record === 'object' ? (record as Record<string, unknown> | null) : undefined
  } catch {
    return undefined
  }
}

/**
 * The error for an answer that says nothing about the credential. Such answers are not always counted as trouble with a
 * forge, so this error may be all that the log has.
 */
const unusable = ({ status, headers }: Reply, at: string): CheckUnavailableError =>
  new CheckUnavailableError(
    at,
    status,
    new ForgeError(
      'bad-answer',
      status < 400
        ? `The forge answered ${status} and nothing about the credential: check that FORGE_API_URL is the forge itself, not a login page or proxy.`
        : `The forge answered ${status} when it was asked about a credential.`
    ),
    retryAfterSeconds(headers['retry-after'], Date.now())
  )

const unavailable = (error: ForgeError, at: string): CheckUnavailableError =>
  new CheckUnavailableError(at, error.fault, error)

async function get(
  base: string,
  at: string,
  credential: Credential,
  { dispatcher, userAgent, deadlineMs = DEADLINE_MS }: CredentialCheckOptions,
  ask: Ask
): Promise<Reply> {
  const { origin, pathname } = new URL(`${base}${at}`)
  const asked = { origin, path: pathname, follows: undefined, given: undefined, token: credential.token }
  const [name, value] = credentialHeader(credential)
  const headers = { ...plainHeaders(userAgent), [name]: value }
  try {
    return await ask(async leftMs => {
      const reply = await exchange(
        dispatcher,
        { origin, path: pathname, method: 'GET', headers },
        { maxBytes: MAX_ANSWER_BYTES, deadlineMs: Math.min(leftMs, deadlineMs) }
      )
      // Outside its API, a forge answers with an HTML page for paths that it does not have.
      return reply.status === 404 && at === INFO_PATH ? reply : fromForge(reply, asked)
    }, at)
  } catch (error) {
    throw error instanceof ForgeError ? unavailable(error, at) : error
  }
}
