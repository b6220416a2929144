import { invalidScope } from './error.ts'

/** FORGE_OAUTH_SCOPES as a list. */
export const readScopes = (text: string): string[] => text.split(/[ ,]+/).filter(scope => scope !== '')

/**
 * The scopes to ask the forge for. Clients often ask for more than a server knows (openid, offline_access):
 * the rest is left out, which the token answer then says (RFC 6749 section 3.3).
 * @param asked the client's `scope`; none means all that are allowed
 * @throws OAuthError invalid_scope when nothing of it is allowed
 */
export function chooseScopes(asked: string | undefined, allowed: readonly string[]): string {
  if (asked === undefined) return allowed.join(' ')
  const wanted = new Set(asked.split(' '))
  const chosen = allowed.filter(scope => wanted.has(scope))
  if (chosen.length === 0) throw invalidScope(`The scopes here are: ${allowed.join(' ')}.`)
  return chosen.join(' ')
}
