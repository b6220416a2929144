import { boundedLooks } from '../../results/alike.ts'
import { shortened } from '../../results/shortened.ts'
import { nameFolder } from '../arguments/same-name.ts'

/* Compares titles of labels. A record may have thousands of them, so each comparison is prepared once for a call. */

/** Prepares labels' titles for comparison: a forge trims titles, and matches labels case-insensitively. */
export function titleFolder(): (title: string) => string {
  const folded = nameFolder()
  return title => folded(title.trim())
}

/** Most characters of a title that are compared. */
const MAX_TITLE = 255

/**
 * Prepares the titles of one call for comparison, each once.
 * @returns a function that gives the same text for titles that differ only in case, or look the same; beyond the limit,
 *   only case is ignored
 */
export function titleLooks(): (title: string) => string {
  const known = new Map<string, string>()
  const lookOf = boundedLooks()
  return title => {
    const there = known.get(title)
    if (there !== undefined) return there
    const small = shortened(title.trim(), MAX_TITLE).toLowerCase()
    const looks = lookOf(small) ?? small
    known.set(title, looks)
    return looks
  }
}
