import type { Random } from '../seal/random.ts'
import type { Clients } from './clients.ts'
import type { ForgeOAuth } from './forge-oauth.ts'
import type { MetadataFacts } from './metadata.ts'
import type { Renewals } from './renewals.ts'
import type { OAuthStorage } from './storage.ts'

/** What the steps of a login share. */
export interface OAuthProxy {
  readonly storage: OAuthStorage
  readonly clients: Clients
  readonly forge: ForgeOAuth
  /** The facts of the metadata, with the public URL, which is known only once the server listens. */
  readonly facts: () => MetadataFacts
  /** FORGE_OAUTH_APP_ID is set: there is something to log in to. */
  readonly hasApp: boolean
  /** The person is first asked on our consent page. */
  readonly consent: boolean
  readonly random: Random
  readonly renewals: Renewals
}

/** The caller of a step of a login. */
export interface Asker {
  /** Whose limits it counts against (fetch-metadata.ts). */
  readonly holder: string
  /** The id of the request, as in the log. */
  readonly requestId: string
}

export interface Browser extends Asker {
  /** Whose limits it counts against where no page of another origin can have caused it. */
  readonly address: string
  /** The nonce of its cookie: the same for all logins that the browser has under way. */
  readonly nonce: string
}

/** The URL to which the forge sends the browser back in callback-proxy mode. */
export const callbackUrl = ({ publicUrl }: MetadataFacts): string => `${publicUrl}/callback`
