import { looksOf } from '../../results/alike.ts'
import { dearChars } from '../../results/character-kinds.ts'
import { shortened } from '../../results/shortened.ts'
import { nameFolder } from '../arguments/same-name.ts'

/* How titles of labels are compared, of which a record may have thousands: each way is prepared for one call. */

/** Prepares labels' titles for comparison: a forge trims titles, and matches labels case-insensitively. */
export function titleFolder(): (title: string) => string {
  const folded = nameFolder()
  return title => folded(title.trim())
}

/** Most characters of a title that are compared. */
const MAX_TITLE = 255
/** Most characters beyond ASCII of all titles of a call that are compared by their looks: each takes up to 60 ns. */
const MOST_LOOKED = 60_000

/**
 * Prepares the titles of one call for comparisons, each once.
 * @returns gives what is the same of titles that differ in case, or look the same; behind very many, in case alone
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
