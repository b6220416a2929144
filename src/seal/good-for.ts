/** Where a sealed value may be opened. */
export interface GoodFor {
  /** FORGE_API_URL, normalized: the forge of sessions that name no forge of their own. */
  readonly home: string
  /** Whether callers send their tokens, or log in. */
  readonly mode: 'remote' | 'oauth'
  /** The OAuth application for logins; empty if there is none. */
  readonly appId: string
}

/**
 * The same as text, which is authenticated with each value. Servers of several forges may share a secret. Without this
 * text, a session id of one server that is sent to another would carry its token to the wrong forge.
 */
export const goodFor = ({ home, mode, appId }: GoodFor): string => JSON.stringify([home, mode, appId])
