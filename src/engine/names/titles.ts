import { looksOf } from '../../results/alike.ts'
import { dearChars } from '../../results/character-kinds.ts'
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
/** Most non-ASCII characters of all titles of a call that are compared by their looks: each takes up to 60 ns. */
const MOST_LOOKED = 60_000

/**
 * Prepares the titles of one call for comparison, each once.
 * @returns a function that gives the same text for titles that differ only in case, or look the same; beyond the limit,
 *   only case is ignored
 */
export function titleLooks(): (title: string) => string {
  const known = new Map<string, string>()
  let left = MOST_LOOKED
  return title => {
    const there = known.get(title)
    if (there !== undefined) return there
    const small = shortened(title.trim(), MAX_TITLE).toLowerCase()
    left -= dearChars(small)
    const looks = left < 0 ? small : looksOf(small)
    known.set(title, looks)
    return looks
  }
}
