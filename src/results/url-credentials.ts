/**
 * Matches credentials in a URL: an optional name and a password, which extends to the last @, or a text that is long
 * enough for a token. The name must not contain a colon, or a long row of colons would cause excessive backtracking.
 */
const urlCredentials = /:\/\/(?:[^\s/@":\\]*:[^\s/"\\]*|[^\s/@":\\]{20,})@/g
const atStart = new RegExp(`^${urlCredentials.source}`)

/** A text with the credentials removed from its URLs. */
export const withoutCredentials = (text: string): string =>
  text.includes('@') ? text.replace(urlCredentials, '://') : text

/** Most characters that are examined after a cut: no token is as long. */
export const MAX_BEHIND = 4096

/**
 * The position at which a text may be cut so that it does not end within credentials: their beginning alone does not
 * identify them.
 * @returns the given index, or the beginning of the credentials around it
 */
export function cutBeforeCredentials(text: string, at: number): number {
  const start = text.lastIndexOf('/', at - 1) + 1
  if (!text.startsWith('://', start - 3)) return at
  const around = text.slice(start - 3, at + MAX_BEHIND)
  const found = around.includes('@') ? atStart.exec(around)?.[0] : undefined
  return found !== undefined && start - 3 + found.length > at ? start : at
}
