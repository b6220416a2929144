import type { Client, ClientDetails } from '../rules/registration.ts'

/** A login that waits for the forge, or for our consent page before that. */
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
  /** Digest of the nonce of the browser it belongs to; undefined if any browser may finish it. */
  readonly browser?: string
  /** The person has agreed, or need not be asked: the browser may come back from the forge. */
  readonly approved: boolean
}

/** The tokens that the forge issued for a login. */
export interface ForgeTokens {
  readonly access: string
  readonly refresh?: string
  /** Seconds from when the forge answered. */
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
  /** A random name of the login that it comes from, the same for all refresh tokens of that login. */
  readonly login: string
  readonly token: string
  /** The forge's id of the user who has logged in, once it is known; sealed ones are kept by nobody, and lack it. */
  readonly user?: string
}

export interface TakenGrant extends Grant {
  /** Milliseconds since the forge answered. */
  readonly ageMs: number
}

/**
 * What the proxy remembers between the steps of a login: in memory for one replica, or inside the values that pass
 * through browser and client. The `take…` methods only take an entry that `fits`, and otherwise leave it: whoever has
 * only half of what is needed cannot use up somebody else's login.
 */
export interface OAuthStorage {
  /**
   * @param from who registers it (LoginCaller)
   * @throws OverlongValueError when the registration is too large to be carried
   */
  addClient(details: ClientDetails, from: string): Client
  client(id: string): Client | undefined
  /** Counts a client that has got tokens, if its id was made with the previous secret. */
  countClient(id: string): void
  /** Whether an id has the form of ours, live or not. */
  knowsForm(id: string): boolean
  /**
   * @param from who logs in (LoginCaller)
   * @returns the state for the forge. @throws OverlongValueError
   */
  addPending(pending: Pending, from: string): string
  /** Returns a pending login and keeps it. */
  pending(state: string): Pending | undefined
  takePending(state: string, fits: (pending: Pending) => boolean): Pending | undefined
  /**
   * @param from who has logged in (LoginCaller)
   * @returns the code for the client. @throws OverlongValueError
   */
  addGrant(grant: Grant, from: string): string
  /** @param from who redeems it (LoginCaller) */
  takeGrant(code: string, fits: (grant: Grant) => boolean, from: string): TakenGrant | undefined
  /**
   * Binds a refresh token to its client (RFC 6749 section 6).
   * @param from who gets it (LoginCaller)
   * @param access the access token that is given with it
   * @returns what the client gets in its place
   * @throws OverlongValueError
   */
  addRefresh(refresh: RefreshToken, from: string, access: string): string
  /**
   * The forge has named the user of an access token, whose login counts for that user from now on.
   * @param user the forge's id
   */
  nameUser(access: string, user: string): void
  /** Looks at a refresh token that is used afterwards: if it is refused, that leaves no log line. */
  peekRefresh(value: string): RefreshToken | undefined
  openRefresh(value: string): RefreshToken | undefined
  /** Whether a refresh token has the form of ours, live or not: the forge knows nothing of it. */
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
