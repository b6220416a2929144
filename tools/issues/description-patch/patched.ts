import { MAX_DESCRIPTION, MAX_LOOKED_AT } from '../../../src/engine/texts/stored-texts.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { shortened } from '../../../src/results/shortened.ts'

/** The result of applying a patch in memory. */
export interface Patched {
  readonly text: string
  /** Replacements made (search_replace), or lines added and removed (unified_diff). */
  readonly changes: number
  /**
   * One line for each change. It contains no text that occurs only in the patch, and is cut if there are many changes.
   */
  readonly summary: string
  /** The change as a unified diff with LF line ends. */
  readonly preview: () => string
}

/**
 * Checks the length of a patched description.
 * @param length of the new text
 * @throws CallProblem if the text would become longer than the forge allows
 */
export function checkLength(length: number, old: string): void {
  if (length > MAX_DESCRIPTION && length > old.length)
    throw new CallProblem(
      `The description would have ${length} characters; the forge takes ${MAX_DESCRIPTION}.`
    )
}

/**
 * Checks the current description before it is patched.
 * @throws CallProblem for a description that is longer than any forge allows
 */
export function checkCurrent({ length }: string): void {
  if (length > MAX_LOOKED_AT)
    throw new CallProblem(
      `The description has ${length} characters, more than can be patched. Write it anew with update_issue.`
    )
}

const EXCERPT = 60

/** The beginning of a text, quoted on one line. */
export const excerpt = (text: string): string => JSON.stringify(shortened(text, EXCERPT))

const MAX_LINES = 50

/** Joins the lines of a summary; those after the 50th are only counted. */
export function summaryOf(lines: readonly string[]): string {
  if (lines.length <= MAX_LINES) return lines.join('\n')
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more`].join('\n')
}
