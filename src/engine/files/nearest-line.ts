import { nearest } from '../../base/nearest.ts'

/**
 * Most lines that are compared, of a file and of the text that was not found: a hostile sender would make both long.
 */
const MAX_LINES = 3000
const MAX_WANTED = 20
/** Most characters of a line that are compared to find the nearest one. */
const MAX_SEEN = 300
const MAX_ALL_SEEN = 200_000
const MAX_CHARS = 100
/** Most characters that are searched for the lines of the text: about three milliseconds in the worst case. */
const MAX_SEARCHED = 500_000

const bare = (line: string): string => line.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS)

const seen = (line: string): string => line.slice(0, MAX_SEEN)

/**
 * The part of a file that was most likely meant by a text that the file does not contain: a line that differs only in
 * blanks, otherwise the line nearest to the first missing line of the text.
 * @returns the line and its number, from 1; undefined if no line is near
 */
export function nearestLine(file: string, find: string): { number: number; line: string } | undefined {
  const lines = firstOf(file.split('\n', MAX_LINES).map(seen))
  const wanted = find
    .split('\n', MAX_WANTED)
    .map(seen)
    .filter(line => line.trim() !== '')
  const missing = bare(firstMissing(wanted, lines) ?? wanted[0] ?? '')
  if (missing === '') return undefined
  const all = lines.map(bare)
  const at = all.findIndex(line => line.includes(missing))
  const near = () =>
    nearest(
      missing,
      all.filter(line => line !== '')
    )
  const found = at < 0 ? all.indexOf(near() ?? '\n') : at
  return found < 0 ? undefined : { number: found + 1, line: lines[found]! }
}

/** The first lines, at most as many as are compared. */
function firstOf(lines: readonly string[]): readonly string[] {
  let left = MAX_ALL_SEEN
  const end = lines.findIndex(({ length }) => {
    left -= length
    return left < 0
  })
  return end < 0 ? lines : lines.slice(0, end)
}

/** The first of the wanted lines that no line of the file contains, as far as the search goes. */
function firstMissing(wanted: readonly string[], lines: readonly string[]): string | undefined {
  let left = MAX_SEARCHED
  return wanted.find(
    line =>
      !lines.some(has => {
        left -= has.length
        return left < 0 || has.includes(line)
      })
  )
}
