import type { Credential } from '../../session/credential.ts'
import { digest } from '../rules/pkce.ts'

/**
 * The key under which a credential is remembered. The same text in another header is another credential, and the token
 * itself is not kept.
 */
export const credentialKey = ({ kind, token }: Credential): string => digest(`${kind} ${token}`)
