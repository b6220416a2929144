import { asKey } from '../../results/shortened.ts'
import { nameFolder } from '../arguments/same-name.ts'

/*
 * Separators that people write between names, other than the comma that the API uses. Few names contain them. Commas of
 * other scripts are among them: a forge takes these as a part of a name.
 */
const between = /[;|\n，、；｜﹐﹑﹔､،؛]/
/** Most characters of a name that is split, and most names in one. */
const MAX_CHARS = 200
const MAX_PARTS = 5

/** The names that a joined name may consist of; none for a name that is plainly a single one. */
export function partsOf(name: string): readonly string[] {
  if (name.length > MAX_CHARS) return []
  const parts = name
    .split(between)
    .map(part => part.trim())
    .filter(part => part !== '')
  return parts.length > 1 && parts.length <= MAX_PARTS ? parts : []
}

/**
 * Prepares a search for the parts of joined names among existing names, ignoring case.
 * @param called all existing names
 * @returns a function that finds the parts, as they are written there; it returns undefined if one does not exist
 */
export function joinedFinder(
  called: readonly string[]
): (parts: readonly string[]) => readonly string[] | undefined {
  const folded = nameFolder()
  const there = new Map(called.map(name => [folded(asKey(name)), name]))
  return parts => {
    const found = parts.map(part => there.get(folded(part)))
    return found.length === 0 || found.includes(undefined) ? undefined : (found as readonly string[])
  }
}
