import type { Client, ClientDetails } from './registration.ts'

/** A login that has gone to the forge, or to our consent page before that. */
export interface Pending {
  /** Digest of the client id. */
  readonly client: string
  readonly redirectUri: string
  /** The client's own state. */
  readonly state?: string
  /** The client's PKCE challenge. */
  readonly challenge: string
  /** Our own PKCE verifier towards the forge. */
  readonly verifier: string
  readonly scope: string
  /** Digest of the nonce of the browser it belongs to; none where any browser may finish it. */
  readonly browser?: string
  /** The person has agreed, or is not asked: it may come back from the forge. */
  readonly approved: boolean
}

/** What the forge gave for a login. */
export interface ForgeTokens {
  readonly access: string
  readonly refresh?: string
  /** Seconds from when the forge answered. */
  readonly expiresIn?: number
  readonly scope?: string
}

/** A login that the client may redeem. */
export interface Grant {
  readonly client: string
  readonly redirectUri: string
  readonly challenge: string
  readonly tokens: ForgeTokens
}

/** A refresh token of the forge, and whose it is. */
export interface RefreshToken {
  /** Digest of the client id. */
  readonly client: string
  /** A random name of the login that it goes back to, the same in all that are given for it. */
  readonly login: string
  readonly token: string
}

export interface TakenGrant extends Grant {
  /** Milliseconds since the forge answered. */
  readonly ageMs: number
}

/**
 * What the proxy remembers between two steps of a login: in memory on one replica, or inside the values that
 * travel through browser and client. `take…` gives a thing only when it `fits`, and leaves it otherwise: who
 * holds half of what is needed cannot use up somebody else's login.
 */
export interface OAuthStorage {
  /** @throws OverlongValueError when the registration is too large to be carried */
  addClient(details: ClientDetails): Client
  client(id: string): Client | undefined
  /** Whether an id has the form of ours, live or not. */
  knowsForm(id: string): boolean
  /**
   * @param from who logs in (Asker)
   * @returns the state for the forge. @throws OverlongValueError
   */
  addPending(pending: Pending, from: string): string
  /** Does not take it. */
  pending(state: string): Pending | undefined
  takePending(state: string, fits: (pending: Pending) => boolean): Pending | undefined
  /** @returns the code for the client. @throws OverlongValueError */
  addGrant(grant: Grant): string
  /** @param from who redeems it (Asker) */
  takeGrant(code: string, fits: (grant: Grant) => boolean, from: string): TakenGrant | undefined
  /**
   * Binds a refresh token to its client (RFC 6749 section 6).
   * @param from who gets it (Asker)
   * @returns what the client is given in its place. @throws OverlongValueError
   */
  addRefresh(refresh: RefreshToken, from: string): string
  refresh(value: string): RefreshToken | undefined
}

/** As long as a client may stay away, in seconds; forges give refresh tokens no end. */
export const REFRESH_SECONDS = 31_536_000

/** Seconds after which the three kinds of things end. */
export interface Lifetimes {
  readonly client: number
  readonly pending: number
  readonly grant: number
}
