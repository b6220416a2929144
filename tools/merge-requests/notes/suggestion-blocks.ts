import { elisionsIn, firstNew, looksOfCall } from '../../../src/engine/arguments/elisions.ts'
import type { Arguments, Check } from '../../../src/engine/arguments/values.ts'
import { isRecord } from '../../../src/results/is-record.ts'
import { ArgumentError, CallProblem } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import type { DiffLine } from '../diffs/diff-lines.ts'

/*
 * Blocks of code in a comment that propose a change. A forge takes them for the line that the comment stands on and, as
 * their heads say, some above and below it; what else the comment is on does not count (docs: suggest changes). Where
 * there is no such line after the change it shows them as code, without a word.
 */

const fence = /^[ \t]*(`{3,200}|~{3,200})([^\n]{0,200})/gm
const suggestion = /^\s{0,9}suggestion(?!\w)(?::[-+]\d)?/

interface Suggestion {
  /** Such as `suggestion:-0+0`. */
  readonly head: string
  /** What is proposed. */
  readonly code: string
}

/** The suggestions in a text. Such a block within another is quoted. */
function suggestionsIn(text: unknown): readonly Suggestion[] {
  const body = String(text ?? '')
  const found: Suggestion[] = []
  let open: { readonly ticks: string; readonly head: string | undefined; readonly from: number } | undefined
  const close = (to: number) => {
    if (open?.head !== undefined) found.push({ head: open.head, code: body.slice(open.from, to) })
    open = undefined
  }
  for (const { 0: fenced, 1: ticks = '', 2: head = '', index } of body.matchAll(fence))
    if (open === undefined)
      open = { ticks, head: suggestion.exec(head)?.[0].trim(), from: index + fenced.length }
    else if (ticks.startsWith(open.ticks)) close(index)
  close(body.length)
  return found
}

/**
 * Refuses suggestions that would change other lines than those that the comment is on, or none.
 * @param start and end of the lines of the diff that it is on
 * @throws CallProblem
 */
export function checkSuggestions(body: unknown, start: DiffLine, end: DiffLine): void {
  const heads = suggestionsIn(body).map(({ head }) => head)
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

/**
 * Refuses a suggestion with a line that stands for code which was not repeated: whoever applies it would have that line
 * in place of the code.
 * @param argument with the text
 * @param looks of the call, for all of its texts
 * @throws ArgumentError
 */
export function checkWholeSuggestions(
  argument: string,
  args: Arguments,
  looks: ReturnType<typeof looksOfCall>
): void {
  for (const { code } of suggestionsIn(args[argument])) {
    const line = firstNew([...elisionsIn(code, false, looks)], undefined, false)
    if (line !== undefined)
      throw new ArgumentError(
        argument,
        `has in a block \`\`\`suggestion the line ${quotedName(line)}, which would be in the file instead of what it stands for. Nothing was done. Give all lines as they are to be, or propose for fewer; where the line is meant, add a word to it`
      )
  }
}

/** The same as a check, for a tool with one text. */
export const wholeSuggestions =
  (argument: string): Check =>
  args =>
    checkWholeSuggestions(argument, args, looksOfCall())
