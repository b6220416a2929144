import type { SessionEnd } from '../../session/store.ts'
import { code } from './jsonrpc.ts'
import { Refusal } from './refusal.ts'

/* Refusals that concern the caller of a request: its credential, its session, its forge. */

/**
 * For a request with neither a credential nor a session.
 * @param stray a sentence on where a token may be instead (transport/stray-token.ts)
 * @param loss why the session of the request's id has ended; its client may believe that the id is enough
 */
export const missingCredential = (stray: string | undefined, loss?: SessionLoss) =>
  new Refusal(
    401,
    `Missing Authorization or Private-Token header: send Private-Token, JOB-TOKEN or Authorization: Bearer.${behind(stray)}${loss !== undefined ? ' The session of Mcp-Session-Id has ended: initialize another.' : ''}`,
    { reason: 'missing', hint: stray ?? (loss && losses[loss]) }
  )

const behind = (stray: string | undefined): string => (stray === undefined ? '' : ` ${stray}`)

/**
 * The same in stateless mode, where a session id alone is enough.
 * @param stray as in missingCredential
 * @param knowsSessions whether the revision of the request has sessions
 */
export const authenticationRequired = (stray: string | undefined, knowsSessions: boolean) =>
  new Refusal(
    401,
    `Authentication required: send Private-Token, JOB-TOKEN or Authorization: Bearer${knowsSessions ? ', or a session id' : '; a session id is not read in this revision'}.${behind(stray)}`,
    { reason: 'missing', hint: stray }
  )

/**
 * @param why one sentence on why the header is unusable; it is also logged, so it must not contain the header's value
 */
export const badCredential = (why: string) =>
  new Refusal(401, `Invalid credential: ${why}`, { reason: 'format', hint: why })

/** Why the session id of a request belongs to no session that its caller may use. */
export type SessionLoss = SessionEnd | 'unknown' | 'another'

const losses: Readonly<Record<SessionLoss, string>> = {
  idle: 'The session was unused for SESSION_TIMEOUT_SECONDS.',
  displaced: 'The session made room for others (MAX_SESSIONS).',
  deleted: 'Its client has ended the session (DELETE).',
  unknown:
    'This process knows no such session: it is of before its start, of another replica, has ended long ago, or never was.',
  another: 'The session is open, and of another caller or forge.'
}

/**
 * Status 404, which tells a client to initialize again (MCP, Streamable HTTP, session management). Clients recognise
 * the error by its message, so only the log has the reason.
 */
export const sessionNotFound = (loss?: SessionLoss) =>
  new Refusal(404, 'Session not found', {
    code: code.sessionNotFound,
    reason: 'session',
    hint: loss && losses[loss]
  })

/*
 * For X-Forge-API-URL: it is not the URL of a forge, it is missing although it is needed, or the operator does not
 * allow it.
 */
export const invalidApiUrl = () =>
  new Refusal(
    400,
    'Invalid custom API URL provided: X-Forge-API-URL must be the http or https URL of a forge or of its REST API, without user, query or fragment, and in ASCII: other letters of a host as xn--…, those of a path percent-encoded.',
    { reason: 'url_invalid' }
  )

/** @param knowsSessions whether the revision of the request has sessions */
export const missingApiUrl = (knowsSessions: boolean) =>
  new Refusal(
    400,
    `Missing X-Forge-API-URL header: name the forge, such as https://gitlab.example, on ${knowsSessions ? 'the request that starts a session' : 'each request'}.`,
    { reason: 'url_missing' }
  )
export const forbiddenApiUrl = (why: string) =>
  new Refusal(403, `The forge of X-Forge-API-URL may not be used here. ${why}`, { reason: 'url_forbidden' })
