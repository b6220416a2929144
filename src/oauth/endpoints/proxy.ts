import type { Random } from '../../seal/random.ts'
import type { Clients } from '../clients/clients.ts'
import type { ForgeOAuth } from '../forge/forge-oauth.ts'
import type { MetadataFacts } from '../rules/metadata.ts'
import type { OAuthStorage } from '../storage/storage.ts'
import type { Renewals } from './renewals.ts'

/** What the steps of a login share. */
export interface OAuthProxy {
  readonly storage: OAuthStorage
  readonly clients: Clients
  readonly forge: ForgeOAuth
  /** The facts for the metadata. They include the public URL, which is known only once the server listens. */
  readonly facts: () => MetadataFacts
  /** Whether FORGE_OAUTH_APP_ID is set: without it there is no application to log in to. */
  readonly hasApp: boolean
  /** Whether the person is first asked on the consent page of this service. */
  readonly consent: boolean
  readonly random: Random
  readonly renewals: Renewals
}

/** The URL to which the forge sends the browser back in callback-proxy mode. */
export const callbackUrl = ({ publicUrl }: MetadataFacts): string => `${publicUrl}/callback`
