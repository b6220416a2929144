import { isLongerThan } from '../../json/size.ts'
import { MAX_BLOCK_BYTES } from '../../results/blocks.ts'
import { compact } from '../../results/compact.ts'
import { cutStrings } from '../../results/cut-strings.ts'
import type { ToolOutput } from '../../results/result.ts'
import type { Arguments } from '../arguments/values.ts'
import type { KeptLines } from './line-window.ts'
import type { FileWanted, ReadFile } from './read-file.ts'

/** Most characters of the record beside a text. */
const MAX_RECORD_CHARS = 8000

/** The facts that a tool reports about a file besides its content. */
export interface FileSaid {
  /** Facts in addition to the size and the range of lines. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly notices?: readonly string[]
  /** Media type of a text, if it is known to be more than plain text. */
  readonly mediaType?: string | undefined
}

/** The file that a call names, and the lines that its start_line, end_line and line_numbers ask for. */
export const wantedOf = (args: Arguments, maxChars: number): FileWanted => ({
  start: Number(args.start_line ?? 1),
  end: Number(args.end_line ?? Number.POSITIVE_INFINITY),
  maxChars,
  numbered: args.line_numbers === true,
  images: true,
  name: nameIn(args),
  isObject: args.lfs === true || args.filename !== undefined
})

const nameIn = ({ path, file_path, filename }: Arguments): string | undefined =>
  [path, file_path, filename].find(name => typeof name === 'string')

/**
 * A file as a result: a text with a record about it, an image with that record, or for anything else the record alone.
 */
export function fileOutput(file: ReadFile, { facts, notices = [], mediaType }: FileSaid): ToolOutput {
  const known = { ...facts, size: file.size }
  if (file.kind === 'text') {
    const { lines } = file
    const record = { ...known, total_lines: lines.total, ...windowOf(lines) }
    return {
      text: lines.text,
      isSource: true,
      mediaType,
      about: written(record),
      notices: [...notices, ...howToGoOn(lines)]
    }
  }
  const value = { ...known, media_type: file.mediaType }
  if (file.kind === 'image')
    return { value, blocks: [{ type: 'image', bytes: file.bytes, mimeType: file.mediaType }], notices }
  const reason = file.tooLarge
    ? `This image is larger than ${MAX_BLOCK_BYTES} bytes, so it is not shown.`
    : `This file is ${notTextOf(file)}, so its content is not shown.`
  return { value, notices: [...notices, reason] }
}

/** Describes a file that is no text, with another encoding that it may have. */
export const notTextOf = (file: ReadFile): string =>
  file.kind === 'binary' && file.otherEncoding !== undefined
    ? `not UTF-8 text (perhaps ${file.otherEncoding})`
    : 'not text'

/**
 * Writes a record as JSON, shortened: a hostile forge may send a long header, or a title of megabytes, which is not
 * even serialized.
 */
function written(record: Readonly<Record<string, unknown>>): string {
  const shown = compact(record)
  const text = isLongerThan(shown, MAX_RECORD_CHARS) ? undefined : JSON.stringify(shown)
  return text !== undefined && text.length <= MAX_RECORD_CHARS
    ? text
    : (cutStrings(record, MAX_RECORD_CHARS) ?? '{}')
}

/** The range of lines shown, if they are not all. */
function windowOf({ start, end, total }: KeptLines): Record<string, unknown> {
  if (total === 0 || (start === 1 && end === total)) return {}
  return { window: { start_line: start, end_line: end, total_lines: total } }
}

function howToGoOn({ start, end, total, full, cut }: KeptLines): string[] {
  if (cut) {
    const next = total === undefined || end < total ? ` The next line is start_line ${end + 1}.` : ''
    return [`Line ${start} is longer than a result may be; its beginning is shown.${next}`]
  }
  if (full) return [`Cut after line ${end}, at the size of a result. Go on with start_line ${end + 1}.`]
  if (total === undefined) return [`The file goes on after line ${end}.`]
  return []
}
