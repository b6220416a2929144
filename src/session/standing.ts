import { type Credential, principalAt, principalOf, sameCredential } from './credential.ts'
import type { LiveSession } from './store.ts'

/**
 * The relation of a caller to the session whose id it sends. The credential of a holder becomes the session's, as is
 * necessary when a token is renewed. A guest is served with its own credential, and cannot change the session until the
 * session's forge has served a call of the guest's. A stranger is answered as if the session did not exist.
 */
export type Standing = 'holder' | 'guest' | 'stranger'

/**
 * The standing if the forge is asked about every credential, and names users: another credential must belong to the
 * same user.
 * @param user the forge's id of the credential's user; if undefined, the user is not known to be the session's
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
 * The standing if the forge is not asked about credentials, or names no user. Once the forge has served a call of the
 * session, it must also have served a call with another credential in this session before that credential counts as a
 * holder's. A made-up one is never served.
 * @param nameOf returns the name of a principal's user at its forge (principalAt), if it is known
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
