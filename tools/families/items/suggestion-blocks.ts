import type { Arguments, Check } from '../../../src/engine/arguments/values.ts'
import { hasLineNumbers, lineBudget, MAX_LINES } from '../../../src/engine/files/line-numbers.ts'
import {
  type ElisionBudget,
  elisionBudget,
  elisionsIn,
  firstNew
} from '../../../src/engine/texts/elisions.ts'
import { fieldsOf, textOf } from '../../../src/results/is-record.ts'
import { ArgumentError, CallProblem } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { type CodeBlock, codeBlocksIn } from './code-blocks.ts'

/*
 * Code blocks in a comment that propose a change. A forge applies them to the line that the comment is on and, if their
 * heads say so, to some lines above and below it. The other lines of a comment on several lines do not count (docs:
 * suggest changes). If there is no such line after the change, the forge shows the blocks as plain code, without a
 * warning.
 */

/** Such a head. What is behind its colon counts only if it is lines and nothing else: otherwise a forge takes the one line. */
const suggestion = /^\s{0,9}suggestion(?=[:\s]|$)(?::(?=[-+]\d)(?:-\d{1,19})?(?:\+\d{1,19})?(?=\s*$))?/i
/** Most lines above and below its own that a forge takes for one (Suggestible::MAX_LINES_CONTEXT). */
const MAX_AROUND = 100

/** Only a text with this word is read. */
const word = /suggestion/i

/** Yields the suggestions in a text, each with its head as far as a forge takes it. */
function* suggestionsIn(text: unknown): Generator<CodeBlock> {
  const body = String(text ?? '')
  if (!word.test(body)) return
  for (const block of codeBlocksIn(body)) {
    const head = suggestion.exec(block.head)?.[0].trim()
    if (head !== undefined) yield { ...block, head }
  }
}

/** Files with lines that begin with these signs. */
const PATCH = /\.(?:diff|patch)$/i

/**
 * The first proposed lines, as many as are searched for line numbers. Only they are copied, because the text may be a
 * megabyte.
 */
const firstLines = ({ code, isIndented }: CodeBlock): string =>
  isIndented
    ? code
        .split('\n', MAX_LINES)
        .map(line => line.replace(/^[ \t]+/, ''))
        .join('\n')
    : code

/** Whether each line begins with a sign of a diff, and both signs occur: a list has one of them. */
function isDiff(proposed: CodeBlock): boolean {
  const lines = firstLines(proposed)
    .split('\n', MAX_LINES)
    .filter(line => line.trim() !== '')
  const removed = lines.filter(line => line.startsWith('-')).length
  const added = lines.filter(line => line.startsWith('+')).length
  return removed > 0 && added > 0 && removed + added === lines.length
}

/** Whether a text proposes a change. */
export const suggests = (text: unknown): boolean => suggestionsIn(text).next().done !== true

/** Where a comment is, and what is known of the line it is on. */
interface CommentedLine {
  /** The position as the forge has it; none for a comment on the whole. */
  readonly position: unknown
  /** The text of the line, if it is known. */
  readonly code?: string | undefined
  /** How to put a comment on a line. */
  readonly instead: string
}

/**
 * Refuses suggestions that propose nothing, that change other lines than those the comment is on, or that would put
 * line numbers or the signs of a diff into the file.
 * @param argument the one that has the text
 * @throws CallProblem
 */
export function checkSuggestions(
  argument: string,
  text: unknown,
  { position, code, instead }: CommentedLine
): void {
  const found = [...suggestionsIn(text)]
  if (found.length === 0) return
  const given = fieldsOf(position)
  const [line, old] = [numberOr(given.new_line), numberOr(given.old_line)]
  if (line === undefined && old === undefined) throw proposesNothing(argument, instead)
  if (line === undefined)
    throw new CallProblem(
      `A suggestion changes lines that are there after the change, and line ${old} was removed: put it on one beside it, by its number after the change.`
    )
  const heads = found.map(({ head }) => head)
  const capital = heads.find(head => head !== head.toLowerCase())
  if (capital !== undefined)
    throw new ArgumentError(
      argument,
      `has a block \`\`\`${capital}, which proposes nothing: a forge takes suggestion in small letters alone. Nothing was done`
    )
  for (const head of new Set(heads))
    checkLines(head, Math.min(firstLine(given.line_range) ?? line, line), line)
  const file = { path: textOf(given.new_path), replaces: code ?? '' }
  const budget = lineBudget()
  if (found.some(proposed => hasLineNumbers(firstLines(proposed), file, budget)))
    throw new ArgumentError(
      argument,
      'has in a block ```suggestion a number with a tab or a bar before each line, as line_numbers shows a file or a diff: they would be in the file. Nothing was done. Give the lines without them; where they are meant, propose for a line without one above them, too'
    )
  if (!PATCH.test(file.path) && !/^[-+]/.test(file.replaces) && found.some(isDiff))
    throw new ArgumentError(
      argument,
      'has in a block ```suggestion the lines of a diff: their signs + and - would be in the file. Nothing was done. Give the lines as they are to be, and none that goes; where the signs are meant, propose for a line without one above them, too'
    )
}

/**
 * Refuses a head that names other lines than those of the comment. This happens when a caller counts from the comment's
 * first line, because a forge counts from its last. A range inside the comment's lines, or around all of them, is taken
 * as meant.
 * @param first first line of the comment
 * @param last last line of the comment, from which a head counts
 */
function checkLines(head: string, first: number, last: number): void {
  const [above, below] = ['-', '+'].map(sign => Number(head.split(sign)[1]?.split('+')[0] ?? 0)) as [
    number,
    number
  ]
  const from = Math.max(last - Math.min(above, MAX_AROUND), 1)
  const to = last + Math.min(below, MAX_AROUND)
  const most = Math.min(last - first, MAX_AROUND)
  const rest = `begin it with \`\`\`suggestion:-${most}+0 for lines ${last - most} to ${last}${most < last - first ? ', as many as it can take' : ''}`
  if (first < last && head === 'suggestion')
    throw new CallProblem(
      `The suggestion would replace line ${last} alone: ${rest}, or with \`\`\`suggestion:-0+0 if line ${last} is meant.`
    )
  if (Math.max(last - above, 1) < from || below > MAX_AROUND)
    throw new CallProblem(
      `\`\`\`${head} has more than ${MAX_AROUND} lines above or below line ${last}, and a forge takes no more: it would replace lines ${from} to ${to}. Propose for fewer, or for some in each of several comments. Nothing was done.`
    )
  if (from > first && to > last)
    throw new CallProblem(
      `\`\`\`${head} counts from line ${last}, the last of the comment, and would replace lines ${from} to ${to}: ${rest}, or put the comment on line ${last} alone if those are meant. Nothing was done.`
    )
}

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/**
 * The line after the change at which a range begins. A line code contains this number, even where the line itself was
 * removed.
 */
function firstLine(range: unknown): number | undefined {
  const { new_line, line_code } = fieldsOf(fieldsOf(range).start)
  const [, ofCode] = /_(\d{1,9})$/.exec(textOf(line_code)) ?? []
  return numberOr(new_line) ?? (ofCode === undefined ? undefined : Number(ofCode))
}

const proposesNothing = (argument: string, instead: string): ArgumentError =>
  new ArgumentError(
    argument,
    `has a block \`\`\`suggestion, which proposes nothing unless the comment is on a line that is there after the change: ${instead}. Nothing was done. Code that is only to be read takes a block of its language`
  )

/**
 * Refuses suggestions in a comment that is not on a line: the forge would make none of them.
 * @param argument the one that has the text
 * @param instead how to put the comment on a line
 * @returns a check that throws ArgumentError
 */
export const suggestsNothing =
  (argument: string, instead: string): Check =>
  args => {
    if (suggests(args[argument])) throw proposesNothing(argument, instead)
  }

/**
 * Refuses a suggestion with a line that stands for code which was not repeated, since whoever applies it would get that
 * line in place of the code, and one that ends within its code, since the rest would be lost.
 * @param argument the one that has the text
 * @param budget of the call for examining lines, shared by all of its texts
 * @throws ArgumentError
 */
export function checkWholeSuggestions(argument: string, args: Arguments, budget: ElisionBudget): void {
  for (const { code, inner } of suggestionsIn(args[argument])) {
    if (inner !== undefined) throw endsEarly(argument, inner)
    const line = firstNew([...elisionsIn(code, false, budget)], undefined, false, budget)
    if (line !== undefined)
      throw new ArgumentError(
        argument,
        `has in a block \`\`\`suggestion the line ${quotedName(line)}, which would be in the file instead of what it stands for. Nothing was done. Give all lines as they are to be, or propose for fewer; where the line is meant, add a word to it`
      )
  }
}

const endsEarly = (argument: string, ticks: string): ArgumentError =>
  new ArgumentError(
    argument,
    `has in a block \`\`\`suggestion a block of code that begins with ${ticks}, and both end at the next such line: what is behind it would be lost. Nothing was done. Begin and end the suggestion with one sign more: ${ticks}${ticks[0]}suggestion`
  )

/** checkWholeSuggestions as a check, for a tool with one text. */
export const wholeSuggestions =
  (argument: string): Check =>
  args =>
    checkWholeSuggestions(argument, args, elisionBudget())
