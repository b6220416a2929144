import { ArgumentError } from '../../results/problem.ts'
import type { ToolRow } from '../rows/row.ts'
import { textsIn } from './texts-in.ts'
import type { Arguments, Check } from './values.ts'

/*
 * Texts of files that are written with the numbers that a result puts before their lines: they would be in the file.
 */

/** What else begins so is not looked at, nor whether its file is a table. */
const mayBeNumbered = /^[-+\d]/
/** Lines of a file's text that are looked at: of so many with their numbers no others need to be read. */
const MOST_LINES = 20
/** How many of all texts of a call are, which delays all others meanwhile. */
export const linesOfCall = () => ({ left: 4_000 })
/**
 * A line with its number, as line_numbers writes it: of a file with a tab, of a diff with a bar, a removed line by its
 * old number, and dots between parts.
 */
const numberedFile = /(\d{1,9})\t/y
const numberedDiff = /(?:\+?(\d{1,9})|-\d{1,9})\||(\.{3})$/my

/**
 * Whether each line of a text begins with its number, as a result shows a file or a diff. One line alone is only looked at
 * where it is known what it replaces.
 * @param path of its file: the first column of a table with tabs may be numbers
 * @param file what the text is put in: `replaces` is what it is put in place of, of which what begins so itself is meant;
 * empty if that is not known
 * @param looks of the call, of which it takes its own
 */
export function hasLineNumbers(
  text: string,
  { path, replaces }: { path?: string | undefined; replaces?: string | undefined } = {},
  looks = linesOfCall()
): boolean {
  if (looks.left <= 0 || !mayBeNumbered.test(text)) return false
  const least = replaces === undefined ? 2 : 1
  const forms = /\.tsv$/i.test(path ?? '') ? [numberedDiff] : [numberedDiff, numberedFile]
  return forms.some(form => numberedLines(text, form, looks) >= least && !beginsWith(form, replaces ?? ''))
}

function beginsWith(form: RegExp, text: string): boolean {
  form.lastIndex = 0
  return form.test(text)
}

/** The lines of a text, as far as they are looked at, if each of them has its number; otherwise none. */
function numberedLines(text: string, form: RegExp, looks: { left: number }): number {
  let lines = 0
  let next: number | undefined
  for (let at = 0; at < text.length && lines < MOST_LINES; lines++) {
    looks.left--
    form.lastIndex = at
    const [found, digits, gap] = form.exec(text) ?? []
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
 * Refuses texts of files with the numbers that a result puts before their lines: they would be in the file.
 * @returns undefined for a tool that writes no file; otherwise a check that throws ArgumentError
 */
export function unnumberedCheck(row: ToolRow): Check | undefined {
  const texts = row.class === 'read' ? undefined : textsIn(row.input, ({ ofFile }) => ofFile === true)
  if (texts === undefined) return undefined
  return args => {
    const looks = linesOfCall()
    const found = texts(args).find(
      ([place, text]) => mayBeNumbered.test(text) && hasLineNumbers(text, fileBeside(place, args), looks)
    )
    if (found !== undefined)
      throw new ArgumentError(
        found[0],
        'has a number with a tab or a bar before each line, as line_numbers shows a file or a diff: they would be in the file. Nothing was done. Give the lines without them; where they are meant, put a line without one first, or give base64 where that is taken'
      )
  }
}

/** What arguments are called that have the path of a file. */
const paths = ['file_path', 'filename', 'path'] as const

/** Of the file that a text of a call is of: its path, beside the text or what it is a part of, and what it replaces there. */
function fileBeside(place: string, args: Arguments) {
  let path: unknown
  let replaces: unknown
  let at: unknown = args
  for (const name of place.split('.')) {
    const within = (typeof at === 'object' && at !== null ? at : {}) as Record<string, unknown>
    path = paths.map(called => within[called]).find(given => given !== undefined) ?? path
    replaces = within.find
    at = within[name]
  }
  const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return { path: textOrNone(path), replaces: textOrNone(replaces) }
}
