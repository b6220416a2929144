import type { Config } from '../config/schema.ts'
import { ownBase } from '../server-address.ts'
import { type Finding, found } from './finding.ts'
import { recordOf } from './forge.ts'
import type { Posted, Probe } from './probe.ts'

/**
 * Checks whether the forge knows the OAuth application: it is brought a code that is none, which it refuses as such only
 * to an application that it knows (RFC 6749, section 5.2).
 * @param post sends a form to a path beside the API
 */
export async function loginFinding(
  config: Config,
  post: (path: string, body: Posted) => Promise<Probe>
): Promise<Finding> {
  const { FORGE_MCP_OAUTH, FORGE_OAUTH_APP_ID, FORGE_OAUTH_APP_SECRET: secret } = config
  if (!FORGE_MCP_OAUTH) return found('skip', 'login', 'FORGE_MCP_OAUTH is off.')
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'looked-at-by-the-doctor',
    redirect_uri: 'http://localhost/callback',
    client_id: FORGE_OAUTH_APP_ID,
    ...(secret !== '' && { client_secret: secret })
  })
  const type = 'application/x-www-form-urlencoded'
  const { fault, reply } = await post('/oauth/token', { type, text: form.toString() })
  const error = reply && recordOf(reply)?.error
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

/** What the forge checks before anybody can log in, and tells nobody but the person who tries. */
const redirectsOf = (config: Config): string =>
  config.FORGE_OAUTH_CALLBACK_PROXY
    ? `It cannot be asked for its redirect URI, which has to be ${ownBase(config)}/callback.`
    : 'It cannot be asked for its redirect URIs, which have to be those of all clients, as FORGE_OAUTH_CALLBACK_PROXY is off.'
