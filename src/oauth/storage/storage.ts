import type { Client, ClientDetails } from '../rules/registration.ts'

/** A login that waits for the forge, or before that for the consent page of this service. */
export interface Pending {
  /** Digest of the client id. */
  readonly client: string
  readonly redirectUri: string
  /** The client's own state. */
  readonly state?: string
  /** The client's PKCE challenge. */
  readonly challenge: string
  /** This service's own PKCE verifier for the login at the forge. */
  readonly verifier: string
  readonly scope: string
  /** Digest of the nonce of the login's browser; undefined if any browser may finish the login. */
  readonly browser?: string
  /** Whether the browser may come back from the forge: the person has agreed, or need not be asked. */
  readonly approved: boolean
}

/** The tokens that the forge issued for a login. */
export interface ForgeTokens {
  readonly access: string
  readonly refresh?: string
  /** Seconds, counted from the forge's answer. */
  readonly expiresIn?: number
  readonly scope?: string
}

/** A finished login, for which the client may redeem a code. */
export interface Grant {
  readonly client: string
  readonly redirectUri: string
  readonly challenge: string
  readonly tokens: ForgeTokens
}

/** A refresh token of the forge, and its owner. */
export interface RefreshToken {
  /** Digest of the client id. */
  readonly client: string
  /** A random name of the login that the token comes from, the same for all refresh tokens of that login. */
  readonly login: string
  readonly token: string
  /**
   * The forge's id of the user who has logged in, once it is known. Sealed values lack it, because they are not kept
   * anywhere.
   */
  readonly user?: string
}

export interface TakenGrant extends Grant {
  /** Milliseconds since the forge answered. */
  readonly ageMs: number
}

/**
 * What the proxy remembers between the steps of a login: in memory for one replica, or inside the values that pass
 * through browser and client. The `take…` methods only take an entry that `fits`, and leave any other. So whoever has
 * only half of what is needed cannot use up somebody else's login.
 */
export interface OAuthStorage {
  /**
   * @param from who registers the client (LoginCaller)
   * @throws OverlongValueError when the registration is too large for an id
   */
  addClient(details: ClientDetails, from: string): Client
  client(id: string): Client | undefined
  /** Counts a client that has got tokens, if its id was made with the previous secret. */
  countClient(id: string): void
  /** Whether an id has the form of this service's ids, whether it is valid or not. */
  knowsForm(id: string): boolean
  /**
   * @param from who logs in (LoginCaller)
   * @returns the state for the forge
   * @throws OverlongValueError
   */
  addPending(pending: Pending, from: string): string
  /** Returns a pending login and keeps it. */
  pending(state: string): Pending | undefined
  takePending(state: string, fits: (pending: Pending) => boolean): Pending | undefined
  /**
   * @param from who has logged in (LoginCaller)
   * @returns the code for the client
   * @throws OverlongValueError
   */
  addGrant(grant: Grant, from: string): string
  /** @param from who redeems the code (LoginCaller) */
  takeGrant(code: string, fits: (grant: Grant) => boolean, from: string): TakenGrant | undefined
  /**
   * Binds a refresh token to its client (RFC 6749 section 6).
   * @param from who gets the token (LoginCaller)
   * @param access the access token that is issued with it
   * @returns the value that the client gets in place of the token
   * @throws OverlongValueError
   */
  addRefresh(refresh: RefreshToken, from: string, access: string): string
  /**
   * Records that the forge has named the user of an access token. Its login counts for that user from now on.
   * @param user the forge's id of the user
   */
  nameUser(access: string, user: string): void
  /** Reads a refresh token that is used afterwards. An invalid token is not logged here. */
  peekRefresh(value: string): RefreshToken | undefined
  openRefresh(value: string): RefreshToken | undefined
  /**
   * Whether a refresh token has the form of this service's values, whether it is valid or not: the forge does not know
   * such a value.
   */
  sealsRefresh(value: string): boolean
}

/** How long a client may stay away, in seconds; the refresh tokens of forges do not expire. */
export const REFRESH_SECONDS = 31_536_000

/** Seconds after which each kind of entry expires. */
export interface Lifetimes {
  readonly client: number
  readonly pending: number
  readonly grant: number
}
