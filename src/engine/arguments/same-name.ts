/** Most characters of a name in which case may differ: no name of a forge is longer. */
const MAX_NAME = 255
/** Most characters that are made small in one comparison: a letter takes up to twenty nanoseconds, so six milliseconds. */
const MAX_FOLDED = 300_000

/**
 * Prepares names for a comparison in which the case of letters does not count; forges send names of any length, and any
 * number of them.
 * @returns gives a name in small letters; as it is, if no name is so long or very many were made small before
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
 * Compares names with a wanted one where the case of letters does not count; of names that nameFolder leaves as they are,
 * it does.
 * @returns whether a value of a forge's record is that name
 */
export function sameName(wanted: string): (name: unknown) => boolean {
  const folded = nameFolder()
  const small = folded(wanted)
  return name =>
    name === wanted || (typeof name === 'string' && name.length === wanted.length && folded(name) === small)
}
