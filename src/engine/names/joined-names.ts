import { nameFolder } from '../arguments/same-name.ts'

/*
 * What people write between names, other than the comma by which they are told apart, and hardly any name has: of other
 * scripts commas, too, which a forge takes for a part of a name.
 */
const between = /[;|\n，、；｜﹐﹑﹔､،؛]/
/** Most characters of a name that is read, and most names in one. */
const MAX_CHARS = 200
const MOST_PARTS = 5

/** The names that one may consist of; none for a name that is plainly one. */
export function partsOf(name: string): readonly string[] {
  if (name.length > MAX_CHARS) return []
  const parts = name
    .split(between)
    .map(part => part.trim())
    .filter(part => part !== '')
  return parts.length > 1 && parts.length <= MOST_PARTS ? parts : []
}

/**
 * Finds names that one consists of among those there are, whatever their case.
 * @param called all names there are
 * @returns what finds those of some parts, as they are written there; undefined if one is not there
 */
export function joinedFinder(
  called: readonly string[]
): (parts: readonly string[]) => readonly string[] | undefined {
  const folded = nameFolder()
  const there = new Map(called.map(name => [folded(name), name]))
  return parts => {
    const found = parts.map(part => there.get(folded(part)))
    return found.length === 0 || found.includes(undefined) ? undefined : (found as readonly string[])
  }
}
