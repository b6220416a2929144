/** Most characters of a description at the forge (GitLab's issues API). */
export const MAX_DESCRIPTION = 1_048_576

/**
 * Most characters of the stored texts of one record that are read: a record of a hostile forge may have millions of
 * lines, each of which takes time.
 */
export const MAX_LOOKED_AT = 2 * MAX_DESCRIPTION

/** Most texts of a record; each of them takes time, too. */
const MAX_TEXTS = 1_000

/**
 * The stored texts of a record, for comparison; undefined, as if they were unknown, if they exceed what any forge has.
 */
export function comparable(stored: readonly string[]): readonly string[] | undefined {
  if (stored.length > MAX_TEXTS) return undefined
  const chars = stored.reduce((sum, { length }) => sum + length, 0)
  return chars > MAX_LOOKED_AT ? undefined : stored
}
