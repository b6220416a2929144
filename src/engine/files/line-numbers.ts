import { ArgumentError } from '../../results/problem.ts'
import { textsIn } from '../arguments/texts-in.ts'
import type { Arguments, Check } from '../arguments/values.ts'
import type { ToolRow } from '../rows/row.ts'

/*
 * Texts of files that are written with the numbers that a result puts before their lines: they would be in the file.
 */

/** What else begins so is not looked at, nor whether its file is a table. */
const mayBeNumbered = /^[-+\d]/
/** Lines of a file's text that are looked at: of so many with their numbers no others need to be read. */
export const MOST_LINES = 20
/** How many of all texts of a call are, which delays all others meanwhile. */
export const linesOfCall = () => ({ left: 4_000 })

interface Form {
  /** A line with its number, from where it begins. */
  readonly line: RegExp
  /** A row of a table, with the sign after its number again, right after a word: blanks before it may indent code. */
  readonly row: RegExp
}

/**
 * Lines as line_numbers writes them: of a file with a tab, of a diff with a bar, a removed line by its old number, and dots
 * between parts.
 */
const ofFile: Form = { line: /(\d{1,9})\t/y, row: /^[-+\d]{1,10}\t.*\S\t/ }
const ofDiff: Form = { line: /(?:\+?(\d{1,9})|-\d{1,9})\||(\.{3})$/my, row: /^[-+\d]{1,10}\|.*[^\s|]\|/ }
const forms = [ofDiff, ofFile]

/** Files of rows, which may begin with a number. */
const TABLE = /\.(?:csv|tsv|psv|tab|txt)$/i

/**
 * Whether each line of a text begins with its number, as a result shows a file or a diff, and is no row of a table. One line
 * alone is only looked at where it is put in place of something, and has a word of it: `1|2` is more often a pattern.
 * @param file what the text is put in: its path, and in `replaces` what it is put in place of, of which what begins so itself
 * is meant; empty if that is not known, when any word will do
 * @param looks of the call, of which it takes its own
 */
export function hasLineNumbers(
  text: string,
  { path = '', replaces }: { path?: string | undefined; replaces?: string | undefined } = {},
  looks = linesOfCall()
): boolean {
  if (looks.left <= 0 || !mayBeNumbered.test(text) || TABLE.test(path)) return false
  return forms.some(form => {
    const lines = numberedLines(text, form, looks)
    if (lines === 0 || beginsWith(form, replaces ?? '')) return false
    return lines > 1
      ? !text.split('\n', lines).every(line => form.row.test(line))
      : replaces !== undefined && sharesWord(text, replaces, looks)
  })
}

function beginsWith({ line }: Form, text: string): boolean {
  line.lastIndex = 0
  return line.test(text)
}

/** Characters of one line, and of what it replaces, in which words are looked for. */
const WORD_CHARS = 200
/** What to look for them counts for beside lines. */
const WORD_LINES = 9
const words = /\p{L}{3,}/gu

function sharesWord(line: string, replaced: string, looks: { left: number }): boolean {
  looks.left -= WORD_LINES
  const own = line.slice(0, WORD_CHARS).match(words) ?? []
  if (replaced === '' || own.length === 0) return own.length > 0
  const before = new Set(replaced.slice(0, WORD_CHARS).match(words))
  return own.some(word => before.has(word))
}

/** The lines of a text, as far as they are looked at, if each of them has its number; otherwise none. */
function numberedLines(text: string, { line }: Form, looks: { left: number }): number {
  let lines = 0
  let next: number | undefined
  for (let at = 0; at < text.length && lines < MOST_LINES; lines++) {
    looks.left--
    line.lastIndex = at
    const [found, digits, gap] = line.exec(text) ?? []
    if (
      found === undefined ||
      (gap !== undefined && lines === 0) ||
      (next !== undefined && Number(digits ?? next) !== next)
    )
      return 0
    if (gap !== undefined) next = undefined
    else if (digits !== undefined) next = Number(digits) + 1
    const newline = text.indexOf('\n', at)
    at = newline < 0 ? text.length : newline + 1
  }
  return lines
}

/**
 * Refuses texts of files with the numbers that a result puts before their lines: they would be in the file. What is
 * created is not looked at, as nothing was read of it.
 * @returns undefined for a tool that writes no file; otherwise a check that throws ArgumentError
 */
export function unnumberedCheck(row: ToolRow): Check | undefined {
  const texts = row.class === 'read' ? undefined : textsIn(row.input, ({ ofFile }) => ofFile === true)
  if (texts === undefined) return undefined
  return args => {
    const looks = linesOfCall()
    const found = texts(args).find(([place, text]) => {
      if (looks.left <= 0 || !mayBeNumbered.test(text)) return false
      const { isNew, ...file } = fileBeside(place, args)
      return !isNew && hasLineNumbers(text, file, looks)
    })
    if (found !== undefined)
      throw new ArgumentError(
        found[0],
        'has a number with a tab or a bar before each line, as line_numbers shows a file or a diff: they would be in the file. Nothing was done. Give the lines without them; where they are meant, put a line without one first, or give base64 where that is taken'
      )
  }
}

/** What arguments are called that have the path of a file. */
const paths = ['file_path', 'filename', 'path'] as const

/**
 * Of the file that a text of a call is of: its path, beside the text or what it is a part of, what it replaces there, and
 * whether the file is created, as it is where no action is said.
 */
function fileBeside(place: string, args: Arguments) {
  let path: unknown
  let replaces: unknown
  let action: unknown = 'create'
  let at: unknown = args
  for (const name of place.split('.')) {
    const within = (typeof at === 'object' && at !== null ? at : {}) as Record<string, unknown>
    path = paths.map(called => within[called]).find(given => given !== undefined) ?? path
    action = within.action ?? action
    replaces = within.find
    at = within[name]
  }
  const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return { path: textOrNone(path), replaces: textOrNone(replaces), isNew: action === 'create' }
}
