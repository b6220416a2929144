/** Where a sealed value may be opened. */
export interface GoodFor {
  /** FORGE_API_URL, normalized: the forge of sessions that have none of their own. */
  readonly home: string
  /** Whether callers bring their tokens, or log in. */
  readonly mode: 'remote' | 'oauth'
  /** The application for logins; empty without one. */
  readonly appId: string
}

/**
 * This as text, which is authenticated with each value. Servers of several forges may share a secret: without it, a
 * session id of one that is sent to another would take its token there.
 */
export const goodFor = ({ home, mode, appId }: GoodFor): string => JSON.stringify([home, mode, appId])
