/** Most characters of a name that is compared without regard to case: no forge has longer names. */
const MAX_NAME = 255
/**
 * Most characters that are lowercased in one comparison: a letter takes up to twenty nanoseconds, so six milliseconds.
 */
const MAX_FOLDED = 300_000

/**
 * Prepares names for a comparison that ignores case. Forges send names of any length, and any number of them.
 * @returns a function that lowercases a name; it returns the name unchanged if the name is too long, or very many names
 *   were lowercased before
 */
export function nameFolder(): (name: string) => string {
  let left = MAX_FOLDED
  return name => {
    if (name.length > MAX_NAME || name.length > left) return name
    left -= name.length
    return name.toLowerCase()
  }
}

/**
 * Compares names with a wanted one, ignoring case, except for names that nameFolder leaves unchanged.
 * @returns whether a value of a forge's record is that name
 */
export function sameName(wanted: string): (name: unknown) => boolean {
  const folded = nameFolder()
  const small = folded(wanted)
  return name =>
    name === wanted || (typeof name === 'string' && name.length === wanted.length && folded(name) === small)
}
