/** Revisions of MCP that open with `initialize`, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const

/** Revisions in which each request carries an envelope in `_meta`, and which have no sessions. */
export const modernVersions = ['2026-07-28'] as const

export const allVersions: readonly string[] = [...modernVersions, ...legacyVersions]

export const latestLegacy: string = legacyVersions[0]

/** The revision of a session without a handshake: empty, so that no feature is assumed. */
export const unnegotiated = ''

/* Whether a value that a client sent is a revision of that era. */
export const isLegacyVersion = (version: unknown): boolean =>
  (legacyVersions as readonly unknown[]).includes(version)
export const isModernVersion = (version: unknown): boolean =>
  (modernVersions as readonly unknown[]).includes(version)

/** The revision that a client's value names; undefined if it names none. */
export const knownVersion = (version: string): string | undefined =>
  allVersions.includes(version) ? version : undefined

/** How an error message shows a revision that is not served. A client may also send an empty one. */
export const shownVersion = (version: string): string =>
  version === '' ? 'an empty one' : version.slice(0, 40)

/** Whether a revision has resource links in results; they exist since 2025-06-18. */
export const knowsResourceLinks = (version: string): boolean => version >= '2025-06-18'

/**
 * Whether a revision has JSON-RPC batches. They were part of the protocol only up to 2025-03-26, and must be
 * negotiated.
 */
export const allowsBatches = (version: string): boolean => version !== unnegotiated && version <= '2025-03-26'
