import type { Credential } from '../session/credential.ts'
import { digest } from './pkce.ts'

/** What a credential is remembered by: the same text in another header is another one, and the token is kept nowhere. */
export const credentialKey = ({ kind, token }: Credential): string => digest(`${kind} ${token}`)
