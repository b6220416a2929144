import { CallProblem } from '../../../src/results/problem.ts'
import { shortened } from '../../../src/results/shortened.ts'

/** A patch applied in memory. */
export interface Patched {
  readonly text: string
  /** Replacements made (search_replace), or lines added and removed (unified_diff). */
  readonly changes: number
  /** One line a change, none of which is text of the patch alone; cut where there are many. */
  readonly summary: string
  /** The change as a unified diff, line ends being LF. */
  readonly preview: () => string
}

/** The forge takes no longer description (GitLab's issues API). Characters. */
const MAX_DESCRIPTION = 1_048_576

/** @throws CallProblem when a text would grow beyond what the forge takes @param length of the new text */
export function checkLength(length: number, old: string): void {
  if (length > MAX_DESCRIPTION && length > old.length)
    throw new CallProblem(
      `The description would have ${length} characters; the forge takes ${MAX_DESCRIPTION}.`
    )
}

/** One that a hostile forge sends has millions of lines, of which each costs. */
const MOST_LOOKED_AT = 2 * MAX_DESCRIPTION

/** @throws CallProblem for a description that is longer than any forge's */
export function checkCurrent({ length }: string): void {
  if (length > MOST_LOOKED_AT)
    throw new CallProblem(
      `The description has ${length} characters, more than can be patched. Write it anew with update_issue.`
    )
}

const EXCERPT = 60

/** The beginning of a text on one line, in quotes. */
export const excerpt = (text: string): string => JSON.stringify(shortened(text, EXCERPT))

const MAX_LINES = 50

/** Lines of a summary; beyond the 50th they are counted. */
export function summaryOf(lines: readonly string[]): string {
  if (lines.length <= MAX_LINES) return lines.join('\n')
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more`].join('\n')
}
