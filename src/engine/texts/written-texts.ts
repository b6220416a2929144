import { ArgumentError } from '../../results/problem.ts'
import { cutMarkIn } from '../../results/shortened.ts'
import type { ArgumentSchema } from '../arguments/argument-flags.ts'
import { textsIn } from '../arguments/texts-in.ts'
import type { Arguments, Check } from '../arguments/values.ts'
import type { ToolRow } from '../rows/row.ts'

/*
 * Texts that a caller writes back as a result showed them, not as they are: what the result left out would be lost
 * without a message.
 */

/** Whether a text is prose or the content of a file, and will be stored as a whole. */
const isWritten = ({ quickActions, ofFile, quotesStored }: ArgumentSchema): boolean =>
  (quickActions !== undefined || ofFile === true) && quotesStored !== true

/** The same, or the message of a commit, which is never written back. */
const isStored = (schema: ArgumentSchema): boolean => isWritten(schema) || schema.ofCommit === true

/**
 * Prepares the refusal of texts with the mark of a cut: what came after the cut would be lost.
 * @param isTool whether a tool of that name exists
 * @returns undefined for a tool that writes no text; otherwise a check that throws ArgumentError
 */
export function uncutCheck(row: ToolRow, isTool: (name: string) => boolean): Check | undefined {
  const texts = row.class === 'read' ? undefined : textsIn(row.input, isWritten)
  if (texts === undefined) return undefined
  return args => {
    for (const [place, text] of texts(args)) {
      const mark = cutMarkIn(text)
      if (mark !== undefined)
        throw new ArgumentError(
          place,
          `has "${mark}" at the end of a line, by which a result says that a text was cut: what it left out would be lost. Nothing was done. ${howToHaveAll(row, isTool)}Where the mark is meant, let a blank follow it`
        )
    }
  }
}

/**
 * Names the tools that show the whole of what a tool writes, and that change a part of it, as sentences with a blank
 * after each.
 */
export function howToHaveAll(row: ToolRow, isTool: (name: string) => boolean): string {
  const whole = whatShows(row, isTool)
  const part = `${nameOf(row)}_description_patch`
  return [
    whole === undefined ? 'Read it whole first. ' : `Read it whole with ${whole}. `,
    isTool(part) ? `A part is changed by ${part}. ` : ''
  ].join('')
}

const nameOf = (row: ToolRow): string => (row.kind === 'several' ? row.of : row).name

/** The tool that shows what a tool writes, if there is one. */
export function whatShows(row: ToolRow, isTool: (name: string) => boolean): string | undefined {
  const noun = nameOf(row).replace(/^[a-z]+_/, '')
  return [`get_${noun.replace(/s$/, '')}_contents`, `get_${noun}`].find(isTool)
}

/** The budget of characters, for all texts of a call, that are searched for escaped line breaks. */
const breakBudget = () => ({ left: 20_000 })
/** The cost of a text in addition to its searched characters. */
const TEXT_CHARS = 50
/** Matches a quoted text, such as a string in source code that contains `\n`, or an escaped line break. */
const quotedOrBreak = /"[^"]*"|`[^`]*`|(?<!\w)'[^']*'|\\n/g

/**
 * Whether the only line breaks of a text are the two characters `\n`: usually its JSON was escaped twice. A single one
 * is more often intended: in a path, or in a text about these characters.
 * @param budget of the call; it is reduced
 */
export function isEscapedTwice(text: string, budget = breakBudget()): boolean {
  if (budget.left <= 0 || text.includes('\n') || !text.includes('\\n')) return false
  const start = text.slice(0, budget.left)
  budget.left -= TEXT_CHARS
  let first: number | undefined
  for (const { 0: found, index } of start.matchAll(quotedOrBreak)) {
    if (found !== '\\n') continue
    if (first !== undefined) {
      budget.left -= index
      return true
    }
    first = index
  }
  budget.left -= start.length
  return first !== undefined && isBetweenWords(text, first)
}

/** Characters on each side of a line break that are searched for words. */
const NEAR_CHARS = 60
const word = String.raw`[\p{L}\p{N}'’-]{1,40}[.,:;!?)]{0,3}`
/** The second of two words. The letter of a drive (`C:`) does not count. */
const lastWord = new RegExp(String.raw`\S\s(?![A-Za-z]:$)${word}$`, 'u')
/** The first of two words, or the mark of a heading, a quotation or a list item. */
const firstWord = new RegExp(String.raw`^(?:[-*#>]{1,6}|\d{1,3}[.)]|${word})\s\S`, 'u')

/** Whether the only escaped line break ends one line of words and begins another. A path has more backslashes. */
function isBetweenWords(text: string, at: number): boolean {
  if (text.indexOf('\\') !== at || text.includes('\\', at + 1)) return false
  const [before, after] = [text.slice(0, at), text.slice(at + '\\n'.length)]
  return lastWord.test(before.slice(-NEAR_CHARS)) && firstWord.test(after.slice(0, NEAR_CHARS))
}

/**
 * Prepares the remark on texts with escaped line breaks, which are stored that way. For a tool of several things, the
 * call for each adds the remark.
 * @returns undefined for a tool that writes no text; otherwise a function from the arguments as read to sentences
 */
export function escapedTwiceStep(row: ToolRow): ((args: Arguments) => readonly string[]) | undefined {
  const texts = row.class === 'read' || row.kind === 'several' ? undefined : textsIn(row.input, isStored)
  if (texts === undefined) return undefined
  return args => {
    const budget = breakBudget()
    const places = texts(args).flatMap(([place, text]) => (isEscapedTwice(text, budget) ? [place] : []))
    const [first, ...others] = places
    if (first === undefined) return []
    const more = others.length === 0 ? '' : ` (and ${others.length} more of its texts)`
    return [
      `${first}${more} has no line break but \\n as two characters, and was stored so: if line breaks are meant, write it again with them, which JSON escapes once.`
    ]
  }
}
