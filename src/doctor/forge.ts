import { parsedUrl } from '../base/parsed-url.ts'
import { DAY_MS } from '../base/units.ts'
import { unseen } from '../base/unseen.ts'
import { stepForKeptOut } from '../results/failure.ts'
import { isRecord } from '../results/is-record.ts'
import { otherToken } from '../session/other-tokens.ts'
import { isPageIn, type Reply, retryAfterSeconds } from '../upstream/answers/answer.ts'
import { asksForPassword, ofRefusal } from '../upstream/answers/from-forge.ts'
import { isRedirect } from '../upstream/answers/redirect.ts'
import { saidOf, titleOf } from '../upstream/answers/said.ts'
import { kindOf } from '../upstream/guard/trouble.ts'
import { adviceOn, noClientCertificates } from '../upstream/guard/trouble-advice.ts'
import { basesAround, forgeBase, REST_PATH } from '../upstream/hosts/url.ts'
import { type Finding, found, inDays } from './finding.ts'
import type { Probe } from './probe.ts'
import { orProxy } from './way.ts'

/** The record in an answer, if it is one. */
export function bodyRecordOf({ body }: Reply): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Most characters of a name from elsewhere, and of a sentence. */
const NAME = 60
const SENTENCE = 200

/** Characters that are removed from text from elsewhere: a terminal does not show them, or is controlled by them. */
const hidden = new RegExp(String.raw`[\x00-\x1f\u2028\u2029${unseen}]`, 'gu')

/** Makes text from elsewhere safe for a terminal. */
const plain = (value: unknown, most = NAME): string => String(value).replaceAll(hidden, '').slice(0, most)

/** A word from elsewhere, without characters that could make it look like more of our own sentences. */
const word = (value: unknown): string =>
  typeof value === 'string' ? plain(value).replaceAll(/[^\w.:+-]/g, '') : ''

/** Seconds from which on even a forge's cheapest answer is reported as slow: a call may need many answers. */
const SLOW_SECONDS = 2

/**
 * Checks whether a forge answers at its URL, how fast, and which version it has.
 * @param probe of /version
 * @param proxy that may have answered in its place
 */
export function forgeFinding(
  apiUrl: string,
  { fault, reply, tookMs }: Probe,
  proxy: string | undefined
): Finding {
  const fail = (says: string, advice: string | undefined) =>
    found('fail', 'forge', says, orProxy(advice, proxy))
  if (reply === undefined) return fail(fault!.message, adviceOn(fault!.fault))
  const record = bodyRecordOf(reply)
  const trouble = kindOf(reply.status)
  if (trouble !== undefined) return fail(`it answers ${reply.status}${wordsOf(reply)}.`, adviceOn(trouble))
  const elsewhere = redirectOf(apiUrl, reply)
  if (elsewhere !== undefined)
    return fail(
      `it redirects to ${elsewhere}, where the token is not sent.`,
      new URL(elsewhere).hostname === new URL(apiUrl).hostname
        ? 'Set FORGE_API_URL to the address of the forge itself, mostly the same with https://.'
        : 'Where that is a login page, it has to let API requests through; where it is the forge, set FORGE_API_URL to it.'
    )
  if (reply.status === 200 && typeof record?.version === 'string')
    return answering(`version ${word(record.version)}, at ${apiUrl}`, tookMs)
  if ((reply.status === 401 || reply.status === 403) && record !== undefined)
    return answering(`a forge answers at ${apiUrl}; its version it tells only with a token`, tookMs)
  if (asksForPassword(reply))
    return fail(
      `what answers at ${apiUrl} asks for a password (Basic), which no forge does.`,
      'It stands before the forge, and has to let API requests through.'
    )
  const title = titleOf(reply.body, '')
  if (reply.status === BAD_REQUEST && demandsCertificate.test(title))
    return fail(
      `what answers at ${apiUrl} demands a certificate of its clients (status 400${quoted(title)}).`,
      noClientCertificates
    )
  return fail(
    `what answers at ${apiUrl} is no forge (status ${reply.status}${record === undefined ? ', no JSON' : ''}${quoted(title)}).`,
    otherUrl(apiUrl, record === undefined && reply.status === BAD_REQUEST)
  )
}

const quoted = (says: string): string => (says === '' ? '' : `, "${plain(says, SENTENCE)}"`)

/** The message of a forge in trouble, and how long it asks to wait. */
function wordsOf(reply: Reply): string {
  const wait = retryAfterSeconds(reply.headers['retry-after'], Date.now())
  const { says = '' } = ofRefusal(reply, '')
  return `${quoted(says)}${wait === undefined || wait === 0 ? '' : `, and asks to wait for ${wait} s`}`
}

function answering(says: string, tookMs: number): Finding {
  const seconds = tookMs / 1000
  if (seconds < SLOW_SECONDS) return found('ok', 'forge', `${says}.`)
  return found('warn', 'forge', `${says}. It took ${seconds.toFixed(1)} s to say so.`, adviceOn('timeout'))
}

/** The answer of many servers to a request without TLS at a TLS port. */
const BAD_REQUEST = 400

/** The title of the page that nginx sends with ssl_verify_client on, after a successful handshake. */
const demandsCertificate = /\bNo required SSL certificate was sent\b/

/** A hint at which address the forge may be instead. */
function otherUrl(apiUrl: string, isRefused: boolean): string {
  const { pathname, protocol } = new URL(apiUrl)
  if (protocol === 'http:' && isRefused)
    return 'Ports for https answer http:// like this: FORGE_API_URL may have to begin with https://.'
  const bases = basesAround(new URL(forgeBase(apiUrl))).join(' or ')
  const base = pathname === REST_PATH ? 'a base URL' : `the base URL of the forge, which may be ${bases},`
  return `Check FORGE_API_URL and its path: ${base} gets /api/v4 added. A login page or a firewall before the forge has to let that through.`
}

/** The other origin that an answer redirects to. */
function redirectOf(apiUrl: string, { status, headers: { location } }: Reply): string | undefined {
  if (!isRedirect(status) || typeof location !== 'string') return undefined
  const to = parsedUrl(location, apiUrl)?.origin
  return to === undefined || to === new URL(apiUrl).origin ? undefined : plain(to)
}

/** Days before its expiry from which a token is reported. */
const SOON_DAYS = 7

const rightScopes = 'Make one with the scope api, or read_api to read only.'

/** Whether the forge itself refused the token: a login page answers the same to any token. */
const isRefused = (reply: Reply): boolean =>
  reply.status === 401 && !isPageIn(reply.headers, reply.body) && !asksForPassword(reply)

const notAccepted = (reply: Reply, token: string): Finding =>
  found(
    'fail',
    'token',
    `the forge does not accept it (status 401)${quoted(saidOf(reply, token))}.`,
    otherToken(token) ??
      'It is wrong, expired or revoked, or no personal, project or group token: make a new one there.'
  )

/** Checks the scopes and the expiry of a token. @param probe of /personal_access_tokens/self with the token */
export function tokenFinding({ fault, reply }: Probe, token: string, now: number): Finding {
  if (reply === undefined) return found('fail', 'token', fault!.message, adviceOn(fault!.fault))
  if (isRefused(reply)) return notAccepted(reply, token)
  const record = bodyRecordOf(reply)
  if (record === undefined || kindOf(reply.status) !== undefined || isRedirect(reply.status))
    return found('skip', 'token', `the forge says nothing of it (status ${reply.status}).`)
  if (record.error === 'insufficient_scope')
    return found('fail', 'token', 'the forge accepts it, and its scopes are too few.', rightScopes)
  if (reply.status === 403) {
    const says = saidOf(reply, token)
    return found(
      'fail',
      'token',
      `the forge refuses it (status 403)${quoted(says)}.`,
      stepForKeptOut(says) ??
        'Its owner may be blocked, or has to accept terms or add a second factor: log in at the forge as that user.'
    )
  }
  const { scopes, expires_at: until } = record
  if (reply.status !== 200 || !Array.isArray(scopes))
    return found(
      'ok',
      'token',
      `the forge accepts it, and does not tell its scopes (status ${reply.status}).`
    )
  const names = scopes.map(word).filter(name => name !== '')
  const has = `it has the scopes ${names.join(', ') || 'none'}`
  if (!names.includes('api') && !names.includes('read_api'))
    return found('fail', 'token', `${has}.`, rightScopes)
  const days = typeof until === 'string' ? Math.ceil((Date.parse(until) - now) / DAY_MS) : Number.NaN
  if (days < SOON_DAYS)
    return found('warn', 'token', `${has}, and ends in ${inDays(days)}.`, 'Make a new one in time.')
  if (!names.includes('api'))
    return found(
      'warn',
      'token',
      `${has}: tools that change things will fail.`,
      'Set FORGE_READ_ONLY_MODE=true, or use the scope api.'
    )
  return found('ok', 'token', `${has}.`)
}

/** Seconds by which clocks may differ: the expiry of sealed values and logins depends on them. */
const SKEW_SECONDS = 30

/** Checks whether this machine and the forge agree on the time. */
export function clockFinding({ skewMs }: Probe): Finding {
  if (skewMs === undefined) return found('skip', 'clock', 'the forge does not say what time it is.')
  const seconds = Math.abs(Math.round(skewMs / 1000))
  if (seconds <= SKEW_SECONDS) return found('ok', 'clock', 'it agrees with that of the forge.')
  return found(
    'fail',
    'clock',
    `it is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} that of the forge.`,
    'Set the time of this machine by NTP; else logins and sessions end too early or too late.'
  )
}
