import { code } from './jsonrpc.ts'
import { Refusal } from './refusal.ts'

/* The refusals for whose a request is: its credential, its session, its forge. */

/**
 * Neither a credential nor a session.
 * @param ended whether the request has the id of an ended session, which its client may consider sufficient
 */
export const missingCredential = (ended: boolean) =>
  new Refusal(
    401,
    `Missing Authorization or Private-Token header: send Private-Token, JOB-TOKEN or Authorization: Bearer.${ended ? ' The session of Mcp-Session-Id has ended: initialize another.' : ''}`,
    { reason: 'missing' }
  )

/**
 * The same in stateless mode, where a session id alone is sufficient.
 * @param knowsSessions whether the revision of the request has any
 */
export const authenticationRequired = (knowsSessions: boolean) =>
  new Refusal(
    401,
    `Authentication required: send Private-Token, JOB-TOKEN or Authorization: Bearer${knowsSessions ? ', or a session id' : '; a session id is not read in this revision'}.`,
    { reason: 'missing' }
  )

/** @param why one sentence on why the header that was sent is unusable; for the log, too, so without its value */
export const badCredential = (why: string) =>
  new Refusal(401, `Invalid credential: ${why}`, { reason: 'format', hint: why })

/** Status 404, which tells a client to initialize again (MCP, Streamable HTTP, session management). */
export const sessionNotFound = () =>
  new Refusal(404, 'Session not found', { code: code.sessionNotFound, reason: 'session' })

/* For X-Forge-API-URL: not the URL of a forge, missing although needed, or not allowed by the operator. */
export const invalidApiUrl = () =>
  new Refusal(
    400,
    'Invalid custom API URL provided: X-Forge-API-URL must be the http or https URL of a forge or of its REST API, without user, query or fragment, and in ASCII: other letters of a host as xn--…, those of a path percent-encoded.',
    { reason: 'url_invalid' }
  )

/** @param knowsSessions whether the revision of the request has any */
export const missingApiUrl = (knowsSessions: boolean) =>
  new Refusal(
    400,
    `Missing X-Forge-API-URL header: name the forge, such as https://gitlab.example, on ${knowsSessions ? 'the request that starts a session' : 'each request'}.`,
    { reason: 'url_missing' }
  )
export const forbiddenApiUrl = (why: string) =>
  new Refusal(403, `The forge of X-Forge-API-URL may not be used here. ${why}`, { reason: 'url_forbidden' })
