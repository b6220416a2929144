import { dearChars } from './character-kinds.ts'
import { withoutHidden } from './hidden.ts'
import { MOST_NAME_CHARS } from './unseen-in-names.ts'

/** Characters beyond ASCII of the names of one call that are looked at: two milliseconds, where most are hidden. */
const MOST_LOOKED = 60_000

/**
 * How much of the names of one call is looked through for characters that nobody sees, in all places and of all its parts
 * together: a call may have a thousand names of thousands of characters. What comes behind that is taken as it is given.
 */
export class UnseenLooks {
  #left = MOST_LOOKED

  /** Whether a name has such characters; false for one that is not looked at any more, or longer than any. */
  findsIn(name: string): boolean {
    if (this.#left <= 0 || name.length > MOST_NAME_CHARS) return false
    this.#left -= dearChars(name)
    return withoutHidden(name) !== name
  }
}
