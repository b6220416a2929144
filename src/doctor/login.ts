import type { Config } from '../config/schema.ts'
import { INFO_PATH } from '../oauth/forge/credential-check.ts'
import { ownBase } from '../server-address.ts'
import { type Finding, found } from './finding.ts'
import { bodyRecordOf } from './forge.ts'
import type { Posted, Probe } from './probe.ts'

/** Makes a request without a credential to a path beside the API: a POST if it has a body. */
type Ask = (path: string, body?: Posted) => Promise<Probe>

/** Checks whether people can log in, and whether the tokens that they get can be checked. */
export async function loginFindings(config: Config, ask: Ask): Promise<Finding[]> {
  if (!config.FORGE_MCP_OAUTH) return [found('skip', 'login', 'FORGE_MCP_OAUTH is off.')]
  const ofBearers = bearerFinding(await ask(INFO_PATH))
  return [await applicationFinding(config, ask), ...(ofBearers === undefined ? [] : [ofBearers])]
}

/**
 * Checks whether the forge knows the OAuth application. It sends an invalid code, which the forge refuses as such only
 * if it knows the application (RFC 6749, section 5.2).
 */
async function applicationFinding(config: Config, ask: Ask): Promise<Finding> {
  const { FORGE_OAUTH_APP_ID, FORGE_OAUTH_APP_SECRET: secret } = config
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'looked-at-by-the-doctor',
    redirect_uri: 'http://localhost/callback',
    client_id: FORGE_OAUTH_APP_ID,
    ...(secret !== '' && { client_secret: secret })
  })
  const type = 'application/x-www-form-urlencoded'
  const { fault, reply } = await ask('/oauth/token', { type, text: form.toString() })
  const error = reply && bodyRecordOf(reply)?.error
  if (error === 'invalid_grant')
    return found('ok', 'login', `the forge knows the application. ${redirectsOf(config)}`)
  if (error === 'invalid_client')
    return found(
      'fail',
      'login',
      'the forge does not accept FORGE_OAUTH_APP_ID and FORGE_OAUTH_APP_SECRET.',
      'Compare both with the application at the forge: of a confidential one the secret is needed, and it may have been renewed.'
    )
  return found(
    'fail',
    'login',
    reply === undefined ? fault!.message : `/oauth/token answers ${reply.status}, and not as a forge does.`,
    'Logins need /oauth/token of the forge: let it through beside the API.'
  )
}

/**
 * Checks whether the forge says who a bearer token belongs to. Every call of a logged-in person depends on that.
 * @param probe of INFO_PATH without a credential: a forge refuses it in JSON, or does not have the path
 * @returns what keeps bearer tokens from being checked; undefined if nothing does
 */
function bearerFinding({ fault, reply }: Probe): Finding | undefined {
  const isRefusal = reply?.status === 400 || reply?.status === 401
  if (isRefusal && bodyRecordOf(reply) !== undefined) return undefined
  if (reply?.status === 404)
    return found(
      'warn',
      'login',
      `the forge has no ${INFO_PATH}: bearers that it issued to any application are taken.`,
      `Where it is a firewall that says so, let ${INFO_PATH} through beside the API.`
    )
  return found(
    'fail',
    'login',
    reply === undefined ? fault!.message : `${INFO_PATH} answers ${reply.status}, and not as a forge does.`,
    `Each bearer is looked up there, and all calls of people who log in get 503: let ${INFO_PATH} through beside the API.`
  )
}

/**
 * The redirect URIs, which the forge checks before anybody can log in. It reports a mismatch only to the person who
 * tries.
 */
const redirectsOf = (config: Config): string =>
  config.FORGE_OAUTH_CALLBACK_PROXY
    ? `It cannot be asked for its redirect URI, which has to be ${ownBase(config)}/callback.`
    : 'It cannot be asked for its redirect URIs, which have to be those of all clients, as FORGE_OAUTH_CALLBACK_PROXY is off.'
