import type { Random } from '../seal/random.ts'
import type { Clients } from './clients.ts'
import type { ForgeOAuth } from './forge-oauth.ts'
import type { MetadataFacts } from './metadata.ts'
import type { Renewals } from './renewals.ts'
import type { OAuthStorage } from './storage.ts'

/** What the steps of a login work with. */
export interface OAuthProxy {
  readonly storage: OAuthStorage
  readonly clients: Clients
  readonly forge: ForgeOAuth
  /** With the public URL, which is known once the server listens. */
  readonly facts: () => MetadataFacts
  /** FORGE_OAUTH_APP_ID is set: there is something to log in to. */
  readonly hasApp: boolean
  /** The person is asked on a page of ours first. */
  readonly consent: boolean
  readonly random: Random
  readonly renewals: Renewals
}

/** Who asks for something that a login needs. */
export interface Asker {
  /** Whom it counts for, wherever there is so much for each (fetch-metadata.ts). */
  readonly holder: string
  /** Of the request that the log names. */
  readonly requestId: string
}

export interface Browser extends Asker {
  /** Whom it counts for where no page of another origin can be behind it. */
  readonly address: string
  /** Of its cookie: the same for all logins that it has under way. */
  readonly nonce: string
}

/** Where the forge sends the browser back to in callback-proxy mode. */
export const callbackUrl = ({ publicUrl }: MetadataFacts): string => `${publicUrl}/callback`
