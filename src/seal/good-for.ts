/** Where a sealed value may be opened. */
export interface GoodFor {
  /** FORGE_API_URL, normalized: a session without a forge of its own is of that one. */
  readonly home: string
  /** Callers bring their tokens, or log in. */
  readonly mode: 'remote' | 'oauth'
  /** The application that logins are of; empty without one. */
  readonly appId: string
}

/**
 * This as text, which is authenticated with each value. Servers of several forges may share a secret: without it, a
 * session id of one that is sent to another would take its token there.
 */
export const goodFor = ({ home, mode, appId }: GoodFor): string => JSON.stringify([home, mode, appId])
