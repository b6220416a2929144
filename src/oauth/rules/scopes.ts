import { invalidScope } from './error.ts'

/** FORGE_OAUTH_SCOPES as a list. */
export const readScopes = (text: string): string[] => text.split(/[ ,]+/).filter(scope => scope !== '')

/** The scopes that an application at a GitLab may have (its docs, "Configure GitLab as an OAuth 2.0 provider"). */
const ofForges = new Set(
  'api read_api read_user create_runner manage_runner k8s_proxy self_rotate mcp ai_features ai_workflows read_repository write_repository read_registry write_registry read_virtual_registry write_virtual_registry read_observability write_observability read_service_ping sudo admin_mode openid profile email'.split(
    ' '
  )
)

/** The scopes of a list that no forge has, as far as is known. */
export const unknownScopes = (scopes: readonly string[]): string[] =>
  scopes.filter(scope => !ofForges.has(scope))

const ofOpenId = new Set(['openid', 'profile', 'email', 'offline_access'])

/**
 * Chooses the scopes to ask the forge for. OpenID Connect's scopes, which clients ask of any server, are left out. The
 * token answer then names the scopes that were granted (RFC 6749 section 3.3).
 * @param asked the client's `scope`; if it is undefined, all allowed scopes are chosen
 * @throws OAuthError invalid_scope for any other scope that is not allowed, or when no scope is left
 */
export function chooseScopes(asked: string | undefined, allowed: readonly string[]): string {
  if (asked === undefined) return allowed.join(' ')
  const wanted = new Set(asked.split(' '))
  const chosen = allowed.filter(scope => wanted.has(scope))
  const unknown = [...wanted].some(scope => !allowed.includes(scope) && !ofOpenId.has(scope))
  if (chosen.length === 0 || unknown) throw invalidScope(`The scopes here are: ${allowed.join(' ')}.`)
  return chosen.join(' ')
}
