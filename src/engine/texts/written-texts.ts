import { ArgumentError } from '../../results/problem.ts'
import { cutMarkIn } from '../../results/shortened.ts'
import type { ArgumentSchema } from '../arguments/argument-flags.ts'
import { textsIn } from '../arguments/texts-in.ts'
import type { Arguments, Check } from '../arguments/values.ts'
import type { ToolRow } from '../rows/row.ts'

/*
 * Texts that are written back as a result showed them, and not as they are: what a result left out would be stored in
 * silence.
 */

/** Whether a text is what people write, or a file's, and all of it is to be stored. */
const isWritten = ({ quickActions, ofFile, quotesStored }: ArgumentSchema): boolean =>
  (quickActions !== undefined || ofFile === true) && quotesStored !== true

/** The same, or the message of a commit, which is never written back. */
const isStored = (schema: ArgumentSchema): boolean => isWritten(schema) || schema.ofCommit === true

/**
 * Prepares the refusal of texts with the mark of one that was cut: what came after it would be lost.
 * @param isTool whether there is a tool of that name
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

/** The tools that show the whole of what a tool writes, and change a part of it, as sentences with a blank after each. */
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

/** Characters of all texts of a call in which line breaks are looked for that are written out. */
const breaksOfCall = () => ({ left: 20_000 })
/** What a text counts for beside those that are read of it. */
const TEXT_CHARS = 50
/** A text in quotes, as source has line breaks in its strings, or a line break that is written out. */
const quotedOrBreak = /"[^"]*"|`[^`]*`|(?<!\w)'[^']*'|\\n/g

/**
 * Whether a text has line breaks only as the two characters `\n`: mostly its JSON was escaped twice. One alone is more often
 * meant: in a path, or where the signs are what is written about.
 * @param looks of the call, of which it takes its own
 */
export function isEscapedTwice(text: string, looks = breaksOfCall()): boolean {
  if (looks.left <= 0 || text.includes('\n') || !text.includes('\\n')) return false
  const start = text.slice(0, looks.left)
  looks.left -= TEXT_CHARS
  let first: number | undefined
  for (const { 0: found, index } of start.matchAll(quotedOrBreak)) {
    if (found !== '\\n') continue
    if (first !== undefined) {
      looks.left -= index
      return true
    }
    first = index
  }
  looks.left -= start.length
  return first !== undefined && isBetweenWords(text, first)
}

/** Characters on each side of a line break in which its words are looked for. */
const NEAR_CHARS = 60
const word = String.raw`[\p{L}\p{N}'’-]{1,40}[.,:;!?)]{0,3}`
/** The last of two words, which is no drive of a path. */
const lastWord = new RegExp(String.raw`\S\s(?![A-Za-z]:$)${word}$`, 'u')
/** The first of two words, or the mark of a heading, a quotation or an item. */
const firstWord = new RegExp(String.raw`^(?:[-*#>]{1,6}|\d{1,3}[.)]|${word})\s\S`, 'u')

/** Whether one line break that is written out ends a line of words and begins another. A path has more backslashes. */
function isBetweenWords(text: string, at: number): boolean {
  if (text.indexOf('\\') !== at || text.includes('\\', at + 1)) return false
  const [before, after] = [text.slice(0, at), text.slice(at + '\\n'.length)]
  return lastWord.test(before.slice(-NEAR_CHARS)) && firstWord.test(after.slice(0, NEAR_CHARS))
}

/**
 * Prepares the remark on texts whose line breaks are written out, which are stored so. Of several things, the call for
 * each says it.
 * @returns undefined for a tool that writes no text; otherwise a function of the arguments as read, to sentences
 */
export function escapedTwiceStep(row: ToolRow): ((args: Arguments) => readonly string[]) | undefined {
  const texts = row.class === 'read' || row.kind === 'several' ? undefined : textsIn(row.input, isStored)
  if (texts === undefined) return undefined
  return args => {
    const looks = breaksOfCall()
    const places = texts(args).flatMap(([place, text]) => (isEscapedTwice(text, looks) ? [place] : []))
    const [first, ...others] = places
    if (first === undefined) return []
    const more = others.length === 0 ? '' : ` (and ${others.length} more of its texts)`
    return [
      `${first}${more} has no line break but \\n as two characters, and was stored so: if line breaks are meant, write it again with them, which JSON escapes once.`
    ]
  }
}
