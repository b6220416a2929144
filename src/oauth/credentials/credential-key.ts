import type { Credential } from '../../session/credential.ts'
import { digest } from '../rules/pkce.ts'

/**
 * The key under which a credential is remembered. The same token in another header is another credential. The key is a
 * digest, so that the token itself is not kept.
 */
export const credentialKey = ({ kind, token }: Credential): string => digest(`${kind} ${token}`)
