import type { Check } from '../../../src/engine/arguments/values.ts'
import { isRecord } from '../../../src/results/is-record.ts'
import { ArgumentError, CallProblem } from '../../../src/results/problem.ts'
import type { DiffLine } from '../diffs/diff-lines.ts'

/*
 * Blocks of code in a comment that propose a change. A forge takes them for the line that the comment stands on and, as
 * their heads say, some above and below it; what else the comment is on does not count (docs: suggest changes). Where
 * there is no such line after the change it shows them as code, without a word.
 */

const fence = /^[ \t]*(`{3,200}|~{3,200})([^\n]{0,200})/gm
const suggestion = /^\s{0,9}suggestion(?!\w)(?::[-+]\d)?/

/** The heads of the suggestions in a text, such as `suggestion:-0+0`. Such a block within another is quoted. */
function suggestionsIn(text: unknown): readonly string[] {
  const heads: string[] = []
  let open: string | undefined
  for (const [, ticks = '', head = ''] of String(text ?? '').matchAll(fence))
    if (open === undefined) {
      open = ticks
      const [found] = suggestion.exec(head) ?? []
      if (found !== undefined) heads.push(found.trim())
    } else if (ticks.startsWith(open)) open = undefined
  return heads
}

/**
 * Refuses suggestions that would change other lines than those that the comment is on, or none.
 * @param start and end of the lines of the diff that it is on
 * @throws CallProblem
 */
export function checkSuggestions(body: unknown, start: DiffLine, end: DiffLine): void {
  const heads = suggestionsIn(body)
  if (heads.length === 0) return
  if (end.side === 'old')
    throw new CallProblem(
      `A suggestion changes lines that are there after the change, and line ${end.old} was removed: put it on one beside it, by its number after the change.`
    )
  const above = end.new - start.new
  if (above > 0 && heads.includes('suggestion'))
    throw new CallProblem(
      `The suggestion would replace line ${end.new} alone: begin it with \`\`\`suggestion:-${above}+0 for lines ${start.new} to ${end.new}, or with \`\`\`suggestion:-0+0 if line ${end.new} is meant.`
    )
}

/** Whether the arguments say where a comment goes, other than on no line. */
const isPlaced = ({ path, position, in_reply_to_discussion_id: thread }: Parameters<Check>[0]): boolean =>
  path !== undefined ||
  thread !== undefined ||
  (isRecord(position) && position.new_line !== undefined && position.new_line !== null)

/**
 * Refuses suggestions in a comment on no line, of which none would come to be.
 * @param argument with the text
 * @param instead how to put it on a line
 * @returns a check that throws ArgumentError
 */
export const suggestsOnLine =
  (argument: string, instead: string): Check =>
  args => {
    if (!isPlaced(args) && suggestionsIn(args[argument]).length > 0)
      throw new ArgumentError(
        argument,
        `has a block \`\`\`suggestion, which proposes nothing unless the comment is on a line that is there after the change: ${instead}. Nothing was done. Code that is only to be read takes a block of its language`
      )
  }
