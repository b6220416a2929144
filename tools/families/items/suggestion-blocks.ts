import type { Arguments, Check } from '../../../src/engine/arguments/values.ts'
import { hasLineNumbers, linesOfCall, MOST_LINES } from '../../../src/engine/files/line-numbers.ts'
import { elisionsIn, firstNew, looksOfCall } from '../../../src/engine/texts/elisions.ts'
import { fieldsOf, textOf } from '../../../src/results/is-record.ts'
import { ArgumentError, CallProblem } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'

/*
 * Blocks of code in a comment that propose a change. A forge takes them for the line that the comment stands on and, as
 * their heads say, some above and below it; what else the comment is on does not count (docs: suggest changes). Where
 * there is no such line after the change it shows them as code, without a word.
 */

/** Beginnings and ends of blocks that are looked at of a text: a call may have a hundred texts, and delays others meanwhile. */
const MOST_FENCES = 100
const fence = /^([ \t]*)(`{3,200}|~{3,200})([^\n]{0,200})/gm
const suggestion = /^\s{0,9}suggestion(?=[:\s]|$)(?::(?:-\d{1,9})?(?:\+\d{1,9})?)?/i

/** Columns before a line by which it is code that is shown as it is. Within an item they count from its text. */
const CODE = 4
/** Characters before a line in which the item that it belongs to is looked for. */
const NEAR_CHARS = 2_000
const beginning = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?\S/
const columnsOf = (blanks: string): number => blanks.replaceAll('\t', ' '.repeat(CODE)).length

/** Whether a line is code by its blanks. @param before all lines before it */
function isCode(indent: string, before: string): boolean {
  const columns = columnsOf(indent)
  if (columns < CODE) return false
  let least = columns
  for (const line of before.slice(-NEAR_CHARS).split('\n').toReversed()) {
    const [text, blanks = '', item] = beginning.exec(line) ?? []
    const own = columnsOf(blanks)
    if (text === undefined || own >= least) continue
    const ofText = own + (item?.length ?? 0)
    if (item !== undefined && ofText <= columns) return columns - ofText >= CODE
    least = own
  }
  return true
}

interface Suggestion {
  /** Such as `suggestion:-0+0`. */
  readonly head: string
  /** What is proposed, as it stands in the text. */
  readonly code: string
  /** Whether there is white space before the head: a forge takes off what is before the lines, too. */
  readonly isIndented: boolean
}

/** The suggestions in a text. Such a block within another, or as code by its blanks, is quoted. */
function suggestionsIn(text: unknown): readonly Suggestion[] {
  const body = String(text ?? '')
  const found: Suggestion[] = []
  let open: { ticks: string; indent: string; head: string | undefined; from: number } | undefined
  const close = (to: number) => {
    if (open?.head !== undefined)
      found.push({ head: open.head, code: body.slice(open.from, to), isIndented: open.indent !== '' })
    open = undefined
  }
  let fences = 0
  for (const { 0: fenced, 1: indent = '', 2: ticks = '', 3: head = '', index } of body.matchAll(fence)) {
    if (++fences > MOST_FENCES) return found
    if (open === undefined) {
      if (isCode(indent, body.slice(0, index))) continue
      open = { ticks, indent, head: suggestion.exec(head)?.[0].trim(), from: index + fenced.length + 1 }
    } else if (ticks.startsWith(open.ticks)) close(index)
  }
  close(body.length)
  return found
}

/** The first lines of what is proposed, as many as are looked at for numbers: of a megabyte no second text is made. */
const firstLines = ({ code, isIndented }: Suggestion): string =>
  isIndented
    ? code
        .split('\n', MOST_LINES)
        .map(line => line.replace(/^[ \t]+/, ''))
        .join('\n')
    : code

/** Whether a text proposes a change. */
export const suggests = (text: unknown): boolean => suggestionsIn(text).length > 0

/** Where a comment is, and what is known of the line. */
export interface CommentedLine {
  /** As the forge has it; none of a comment on the whole. */
  readonly position: unknown
  /** The text of the line, if it is known. */
  readonly code?: string | undefined
  /** How to put a comment on a line. */
  readonly instead: string
}

/**
 * Refuses suggestions by which nothing would be proposed, other lines would be changed than those that the comment is on,
 * or the numbers of lines would be in the file.
 * @param argument with the text
 * @throws CallProblem
 */
export function checkSuggestions(
  argument: string,
  text: unknown,
  { position, code, instead }: CommentedLine
): void {
  const found = suggestionsIn(text)
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
  const looks = linesOfCall()
  if (found.some(proposed => hasLineNumbers(firstLines(proposed), file, looks)))
    throw new ArgumentError(
      argument,
      'has in a block ```suggestion a number with a tab or a bar before each line, as line_numbers shows a file or a diff: they would be in the file. Nothing was done. Give the lines without them; where they are meant, propose for a line without one above them, too'
    )
}

/**
 * Refuses lines of a head that are others than those of the comment, as they are where they are counted from its first
 * line: a forge counts from the last. Fewer of its lines, or more around all of them, are meant.
 * @param first line of the comment @param last line of it, which a head counts from
 */
function checkLines(head: string, first: number, last: number): void {
  const [above, below] = ['-', '+'].map(sign => Number(head.split(sign)[1]?.split('+')[0] ?? 0)) as [
    number,
    number
  ]
  const [from, to] = [last - above, last + below]
  const rest = `begin it with \`\`\`suggestion:-${last - first}+0 for ${first < last ? `lines ${first} to ${last}` : `line ${last}`}`
  if (first < last && head === 'suggestion')
    throw new CallProblem(
      `The suggestion would replace line ${last} alone: ${rest}, or with \`\`\`suggestion:-0+0 if line ${last} is meant.`
    )
  if (from < 1)
    throw new CallProblem(
      `\`\`\`${head} begins above the first line of the file, as it counts from line ${last}: ${rest}. Nothing was done.`
    )
  if (from > first && to > last)
    throw new CallProblem(
      `\`\`\`${head} counts from line ${last}, the last of the comment, and would replace lines ${from} to ${to}: ${rest}. Nothing was done.`
    )
}

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** The line after the change that a range begins at: the code of its line has it also where that one was removed. */
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
 * Refuses suggestions in a comment that is on no line, of which none would come to be.
 * @param argument with the text
 * @param instead how to put it on a line
 * @returns a check that throws ArgumentError
 */
export const suggestsNothing =
  (argument: string, instead: string): Check =>
  args => {
    if (suggests(args[argument])) throw proposesNothing(argument, instead)
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
    const line = firstNew([...elisionsIn(code, false, looks)], undefined, false, looks)
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
