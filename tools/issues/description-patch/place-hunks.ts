import { CallProblem } from '../../../src/results/problem.ts'
import { excerpt } from './patched.ts'

/** The parts of a parsed hunk that are needed; its numbers count lines from 1. */
interface Hunk {
  readonly oldStart: number
  /** The lines with their sign: space, -, + or \ (a remark on the line before). */
  readonly lines: readonly string[]
}

/** Most comparisons of numbers of lines for one patch: some milliseconds. */
const MAX_COMPARISONS = 500_000

/**
 * Finds the place of each hunk. All its old lines (context and removed ones) must be there, after the lines of the
 * previous hunk. Of several such places it takes the one nearest to the hunk's line number, corrected by the shift of
 * the previous hunk.
 * @param quotes whether the problem may quote a line of the text
 * @returns for each hunk the index in `lines` of its first old line
 * @throws CallProblem that names the hunk that fits nowhere
 */
export function placeHunks(lines: readonly string[], hunks: readonly Hunk[], quotes: boolean): number[] {
  const effort = { left: MAX_COMPARISONS }
  const olds = hunks.map(oldLines)
  // Each distinct line gets a number once. Comparing long lines again at each place would take many times longer.
  const numbers = new Map(olds.flat().map((line, at) => [line, at]))
  const numbered = lines.map(line => numbers.get(line))
  const starts: number[] = []
  let shift = 0
  let from = 0
  for (const [index, hunk] of hunks.entries()) {
    const old = olds[index]!
    const wanted = hunk.oldStart - 1 + shift
    const sought = old.map(line => numbers.get(line))
    const start =
      old.length === 0 ? insertionPoint(wanted, from, lines) : nearest(numbered, sought, wanted, from, effort)
    if (start === undefined)
      throw quotes ? noFit(index + 1, hunk, old, lines, Math.max(from, wanted)) : unsaid(index + 1)
    starts.push(start)
    shift += start - wanted
    from = start + old.length - trailingContext(hunk)
  }
  return starts
}

const isOld = (line: string): boolean => line === '' || line.startsWith(' ') || line.startsWith('-')

/** The lines that must be in the text. An editor may have removed the leading space of an empty line. */
const oldLines = ({ lines }: Hunk): string[] => lines.filter(isOld).map(line => line.slice(1))

/** The place of a hunk that only inserts lines. Only its line number says where it belongs, so it is not moved. */
const insertionPoint = (wanted: number, from: number, lines: readonly string[]): number | undefined =>
  wanted >= from && wanted <= lines.length ? wanted : undefined

/** The number of context lines at the end: they do not change, so the next hunk may begin in them. */
function trailingContext({ lines }: Hunk): number {
  const sides = lines.filter(line => !line.startsWith('\\'))
  return sides.length - 1 - sides.findLastIndex(line => /^[-+]/.test(line))
}

/** Lines by their number. A line that is in no hunk has none. */
type Numbered = readonly (number | undefined)[]

function nearest(
  lines: Numbered,
  old: Numbered,
  wanted: number,
  from: number,
  effort: { left: number }
): number | undefined {
  const last = lines.length - old.length
  const middle = Math.min(Math.max(wanted, from), last)
  for (let away = 0; middle - away >= from || middle + away <= last; away++) {
    if (middle + away <= last && middle + away >= from && standsAt(lines, old, middle + away, effort))
      return middle + away
    if (away > 0 && middle - away >= from && standsAt(lines, old, middle - away, effort)) return middle - away
  }
  return undefined
}

function standsAt(lines: Numbered, old: Numbered, start: number, effort: { left: number }): boolean {
  for (let at = 0; at < old.length; at++) {
    if (effort.left-- <= 0)
      throw new CallProblem(
        'The hunks are too far from where their line numbers say: correct the numbers, or use patch_type search_replace.'
      )
    if (lines[start + at] !== old[at]) return false
  }
  return true
}

const unsaid = (number: number): CallProblem =>
  new CallProblem(
    `Hunk ${number} fits nowhere: the description has not its old lines, character by character, one after another.`
  )

function noFit(
  number: number,
  hunk: Hunk,
  old: readonly string[],
  lines: readonly string[],
  wanted: number
): CallProblem {
  if (old.length === 0)
    return new CallProblem(
      `Hunk ${number} inserts at line ${hunk.oldStart}, where the description (${lines.length} lines) has no place for it. Give it lines of context.`
    )
  const at = old.findIndex((line, offset) => lines[wanted + offset] !== line)
  const there = lines[wanted + at]
  const found = there === undefined ? 'the description ends' : `the description has ${excerpt(there)}`
  return new CallProblem(
    `Hunk ${number} fits nowhere: at line ${wanted + at + 1} it expects ${excerpt(old[at]!)} and ${found}. Read the issue again and try the new patch with dry_run.`
  )
}
