import { type Credential, principalAt, principalOf, sameCredential } from './credential.ts'
import type { LiveSession } from './store.ts'

/**
 * What a caller is to the session whose id it sends. A holder's credential becomes the session's, as a renewed one has
 * to. A guest is served with its own credential, and leaves the session to its holder until the session's forge has
 * served a call of the guest's. To a stranger there is no such session.
 */
export type Standing = 'holder' | 'guest' | 'stranger'

/**
 * Where the forge is asked about every credential, and names users: another one must be of the same user.
 * @param user the forge's id of the credential's user; without one, it is not known to be the session's
 */
export const standingByUser = (
  session: LiveSession,
  credential: Credential,
  user: string | undefined
): Standing =>
  sameCredential(session.credential, credential) || (user !== undefined && user === session.user)
    ? 'holder'
    : 'stranger'

/**
 * Where it is not, or names nobody: once the forge has served a call of the session, another credential must have been
 * served one in it, too. A made-up one never is.
 * @param nameOf returns the name of a principal's user at its forge (principalAt), where it is known
 */
export function standingByCalls(
  session: LiveSession,
  credential: Credential,
  nameOf: (principal: string) => string | undefined
): Standing {
  if (sameCredential(session.credential, credential)) return 'holder'
  const user = nameOf(principalAt({ credential, apiUrl: session.apiUrl }))
  const holder = nameOf(principalAt(session))
  if (user !== undefined && holder !== undefined && user !== holder) return 'stranger'
  return session.servedTo === undefined || session.servedTo === principalOf(credential) ? 'holder' : 'guest'
}
