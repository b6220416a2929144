/** Most characters of a description at the forge (GitLab's issues API). */
export const MAX_DESCRIPTION = 1_048_576

/**
 * Most characters that are read of what a forge has stored in one record: one from a hostile forge may have millions of
 * lines, each of which costs time.
 */
export const MOST_LOOKED_AT = 2 * MAX_DESCRIPTION

/** Most texts of a record, each of which costs time, too. */
const MOST_TEXTS = 1_000

/** The texts of a record to compare others with; undefined, as if they were not known, if they are more than at any forge. */
export function comparable(stored: readonly string[]): readonly string[] | undefined {
  if (stored.length > MOST_TEXTS) return undefined
  const chars = stored.reduce((sum, { length }) => sum + length, 0)
  return chars > MOST_LOOKED_AT ? undefined : stored
}
