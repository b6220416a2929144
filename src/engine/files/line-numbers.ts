import { ArgumentError } from '../../results/problem.ts'
import { textsIn } from '../arguments/texts-in.ts'
import type { Arguments, Check } from '../arguments/values.ts'
import type { ToolRow } from '../rows/row.ts'

/*
 * Texts of files that a caller writes with the line numbers that a result puts before their lines: the numbers would
 * become part of the file.
 */

/** Only texts with such a beginning are examined, and the names of their files. */
const mayBeNumbered = /^[-+\d]/
/** Most lines of a text that are examined: if all of these have their numbers, no others need to be read. */
export const MAX_LINES = 20
/** The budget of lines for all texts of a call, which delays all other calls meanwhile. */
export const lineBudget = () => ({ left: 4_000 })

interface Form {
  /** Matches a line with its number, from its beginning. */
  readonly line: RegExp
  /**
   * Matches a row of a table: the separator after the number occurs again, directly after a word. Blanks before it may
   * be the indentation of code.
   */
  readonly row: RegExp
}

/**
 * Lines as line_numbers writes them. A file has a tab after the number. A diff has a bar, removed lines have their old
 * number, and dots separate the parts.
 */
const ofFile: Form = { line: /(\d{1,9})\t/y, row: /^[-+\d]{1,10}\t.*\S\t/ }
const ofDiff: Form = { line: /(?:\+?(\d{1,9})|-\d{1,9})\||(\.{3})$/my, row: /^[-+\d]{1,10}\|.*[^\s|]\|/ }
const forms = [ofDiff, ofFile]

/** Files with tables, whose rows may begin with a number. */
const TABLE = /\.(?:csv|tsv|psv|tab|txt)$/i

/**
 * Whether each line of a text begins with its number, as a result shows a file or a diff, and is no row of a table. A
 * single line is only examined if it replaces something and shares a word with it: `1|2` alone is more often a pattern.
 * @param file the file that the text is written to: its path, and in `replaces` the text that it replaces. If that
 *   begins with a number itself, the numbers are intended. If it is empty, it is unknown, and any word is enough
 * @param budget of the call; it is reduced
 */
export function hasLineNumbers(
  text: string,
  { path = '', replaces }: { path?: string | undefined; replaces?: string | undefined } = {},
  budget = lineBudget()
): boolean {
  if (budget.left <= 0 || !mayBeNumbered.test(text) || TABLE.test(path)) return false
  return forms.some(form => {
    const lines = numberedLines(text, form, budget)
    if (lines === 0 || beginsWith(form, replaces ?? '')) return false
    return lines > 1
      ? !text.split('\n', lines).every(line => form.row.test(line))
      : replaces !== undefined && sharesWord(text, replaces, budget)
  })
}

function beginsWith({ line }: Form, text: string): boolean {
  line.lastIndex = 0
  return line.test(text)
}

/** Most characters of a line, and of the text that it replaces, that are searched for words. */
const WORD_CHARS = 200
/** The cost of that search, in lines. */
const WORD_LINES = 9
const words = /\p{L}{3,}/gu

function sharesWord(line: string, replaced: string, budget: { left: number }): boolean {
  budget.left -= WORD_LINES
  const own = line.slice(0, WORD_CHARS).match(words) ?? []
  if (replaced === '' || own.length === 0) return own.length > 0
  const before = new Set(replaced.slice(0, WORD_CHARS).match(words))
  return own.some(word => before.has(word))
}

/** The number of lines of a text that were examined, if each of them has its number; otherwise 0. */
function numberedLines(text: string, { line }: Form, budget: { left: number }): number {
  let lines = 0
  let next: number | undefined
  for (let at = 0; at < text.length && lines < MAX_LINES; lines++) {
    budget.left--
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
 * Refuses texts of files with the line numbers of a result before their lines: the numbers would become part of the
 * file. New files are not examined, as no result has shown them.
 * @returns undefined for a tool that writes no file; otherwise a check that throws ArgumentError
 */
export function unnumberedCheck(row: ToolRow): Check | undefined {
  const texts = row.class === 'read' ? undefined : textsIn(row.input, ({ ofFile }) => ofFile === true)
  if (texts === undefined) return undefined
  return args => {
    const budget = lineBudget()
    const found = texts(args).find(([place, text]) => {
      if (budget.left <= 0 || !mayBeNumbered.test(text)) return false
      const { isNew, ...file } = fileBeside(place, args)
      return !isNew && hasLineNumbers(text, file, budget)
    })
    if (found !== undefined)
      throw new ArgumentError(
        found[0],
        'has a number with a tab or a bar before each line, as line_numbers shows a file or a diff: they would be in the file. Nothing was done. Give the lines without them; where they are meant, put a line without one first, or give base64 where that is taken'
      )
  }
}

/** The names of arguments with the path of a file. */
const paths = ['file_path', 'filename', 'path'] as const

/**
 * Facts about the file that a text of a call belongs to: its path, which is beside the text or further out; the text
 * that is replaced; and whether the file is created, which it is if no action is given.
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
