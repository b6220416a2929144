import { createHash } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { Arguments, Check } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { eachPage } from '../../../src/engine/requests/pages.ts'
import { recordOf, textIn } from '../../../src/engine/requests/record.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { atMostOne } from '../../../src/engine/rows/checks.ts'
import {
  noneIfEmpty,
  oneOf,
  optional,
  text,
  toldElsewhere,
  unlisted
} from '../../../src/engine/rows/fields.ts'
import { ofLine } from '../../../src/engine/rows/lines.ts'
import { isRecord } from '../../../src/results/is-record.ts'
import { CallProblem, eachInPlace } from '../../../src/results/problem.ts'
import { startOf } from '../../../src/results/shortened.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { checkSuggestions } from '../../families/items/suggestion-blocks.ts'
import { ChangedFiles, type FileDiff } from '../diffs/changed-files.ts'
import { type DiffLine, DiffReader } from '../diffs/diff-lines.ts'
import { answeredIn, UNCHECKED } from './suggestion-places.ts'

/*
 * Comments on lines of a diff, given as a person would give them: by file and line. The forge needs three SHAs, both
 * paths, and the line numbers before and after the change. It answers anything else with "line_code can't be blank".
 */

/** The schema of a line number. */
export const line = (description?: string) => optional(lineNumber(description))
const lineNumber = (description?: string) =>
  Type.Integer({ ...ofLine, ...(description !== undefined && { description }) })

const Path = noneIfEmpty(text('File to comment on'))
const Line = lineNumber('Line of the file after the change')
const EndLine = lineNumber('Last line, of several')
const OldLine = lineNumber('For a removed line, instead of line: its old number')

/** The place of a comment, as an alternative to `position`. */
export const CommentLine = {
  path: optional(Path),
  line: optional(Line),
  end_line: optional(EndLine),
  // An alternative to old_line for saying which side is meant.
  side: optional(unlisted(oneOf(['new', 'old']))),
  old_line: optional(OldLine)
}

const THREAD = 'create_merge_request_thread'
/** An argument that create_merge_request_thread explains. */
export const inThread = <S extends TSchema>(said: string | undefined, schema: S): S =>
  toldElsewhere(THREAD, said, schema)

/** The same arguments for tools that are listed beside create_merge_request_thread. */
export const CommentLineToo = {
  path: optional(inThread(`As in ${THREAD}`, Path)),
  line: optional(inThread(undefined, Line)),
  end_line: optional(inThread(undefined, EndLine)),
  side: CommentLine.side,
  old_line: optional(inThread(undefined, OldLine))
}

/** How to write a suggestion, which a reader can apply, in a comment on a line. */
export const SUGGESTION =
  'Markdown. A block ```suggestion:-0+0 ... ``` proposes text for its line, -1+2 from one above it (or end_line) to two below'

/** How to put a comment on a line. */
const ON_LINE = 'give path and line'

/** Advice for a path that has the line number appended. */
function lineAfter(path: unknown): string {
  const line = /(?:#L|:)(\d{1,9})$/.exec(String(path))?.[1]
  return line === undefined ? '' : `: give line=${line}, and path without it`
}

/** Checks that the arguments of CommentLine are complete. */
export const commentLineChecks: readonly Check[] = [
  atMostOne('position', 'path'),
  atMostOne('line', 'old_line'),
  ({ path, line, old_line, end_line, side }) => {
    const names = { line, old_line, end_line, side }
    if (path === undefined) {
      const given = Object.entries(names).find(([, value]) => value !== undefined)
      if (given !== undefined)
        throw new CallProblem(`${given[0]} needs path: give the file, or position instead.`)
      return
    }
    const start = line ?? old_line
    if (start === undefined)
      throw new CallProblem(`path needs line, or old_line for a removed line${lineAfter(path)}.`)
    if (end_line !== undefined && Number(end_line) < Number(start))
      throw new CallProblem(`end_line ${end_line} is before line ${start}.`)
    if (old_line !== undefined && side === 'new') throw new CallProblem('old_line is of side old.')
  }
]

/** Names of arguments that only this service uses. The forge is sent a position instead. */
export const commentLineNames = [...Object.keys(CommentLine), 'code', UNCHECKED]

/** Adds the line of code that a thread or draft was put on, as placedByLine found it. */
export const withCode = (
  value: unknown,
  _args: Arguments,
  _context: unknown,
  { code }: Arguments
): unknown => (code === undefined || !isRecord(value) ? value : { ...value, code })

/**
 * Makes the position of a comment from its file and line. It reads the merge request's diff_refs and the diff of that
 * file. It also checks that suggestions in `body` fit that line, or the line of the position or thread that is given
 * instead.
 * @returns the arguments with `position`, and `code` for withCode; if no path is given, as answeredIn
 * @throws CallProblem if the diff has no such file or line, naming those that it has; what checkSuggestions and
 * ForgeClient.send throw
 */
export async function placedByLine(args: Arguments, context: ToolContext): Promise<Record<string, unknown>> {
  const { body, path, position, in_reply_to_discussion_id: thread } = args
  if (path === undefined) {
    if (thread !== undefined && thread !== null) return answeredIn(thread, args, context)
    checkSuggestions('body', body, { position, instead: ON_LINE })
    return { ...args }
  }
  const { places } = await positionsOf(args, [args], context, undefined)
  return { ...args, position: places[0]!.position, code: places[0]!.on.code }
}

/** The place of a comment: `position` for the forge, and `on` for the author, to check that it is the intended line. */
export interface CommentPlace {
  readonly position: Readonly<Record<string, unknown>>
  readonly on: Readonly<Record<string, unknown>>
}

/** How many characters of the commented line are shown. Its author has already read the line. */
const CODE_CHARS = 120

/**
 * The places of comments on one merge request, which is read once for all of them.
 * @param list the argument with the comments, so that problems can name it
 * @returns the places in the same order, and the head commit that they refer to
 * @throws as placedByLine
 */
export async function positionsOf(
  one: Arguments,
  comments: readonly Arguments[],
  context: ToolContext,
  list: string | undefined
): Promise<{ places: readonly CommentPlace[]; head: unknown }> {
  const paths = comments.map(({ path }) => fromRoot(String(path)))
  const files = new ChangedFiles(paths, paths.map(withoutSide))
  const [refs] = await Promise.all([diffRefs(one, context), readFiles(one, files, context)])
  const diffs = { files, reader: new DiffReader(), tells: showDiffs.some(tool => context.mayRun(tool)) }
  const given = comments.map((comment, at) => ({ ...comment, path: pathIn(files, paths[at]!) }))
  const place = (comment: Arguments) => positionIn(diffs, refs, comment)
  const places = list === undefined ? given.map(place) : eachInPlace(list, given, place)
  return { places, head: refs.head_sha }
}

/** A path as the forge writes it: without the leading slash that people may give. */
const fromRoot = (path: string): string => path.replace(/^\//, '')

/** A path without the `a/` or `b/` that diff headers put before it. */
const withoutSide = (path: string): string => path.replace(/^[ab]\/(?=.)/, '')

/**
 * The path of a file in the diff. The prefix is removed only if no file has the path as given, as a directory may be
 * called a or b.
 */
const pathIn = (files: ChangedFiles, path: string): string =>
  files.get(path) === undefined && files.get(withoutSide(path)) !== undefined ? withoutSide(path) : path

/** Tools that show complete diffs of a merge request. */
const showDiffs = [
  'get_merge_request_diffs',
  'list_merge_request_diffs',
  'get_merge_request_file_diff',
  'get_merge_request_raw_diff',
  'get_merge_request_version'
]

interface Diffs {
  readonly files: ChangedFiles
  readonly reader: DiffReader
  /**
   * Whether problems may describe the diff. Callers who may use none of the tools that show diffs only learn whether a
   * comment fits.
   */
  readonly tells: boolean
}

function positionIn(diffs: Diffs, refs: Arguments, args: Arguments): CommentPlace {
  const file = changedFile(diffs, String(args.path))
  const side = args.old_line === undefined && args.side !== 'old' ? 'new' : 'old'
  const start = lineIn(diffs, file, side, Number(args.line ?? args.old_line))
  const end = args.end_line === undefined ? start : lineIn(diffs, file, side, Number(args.end_line))
  const { old_path, new_path } = file
  const range = end === start ? {} : { line_range: { start: endOf(file, start), end: endOf(file, end) } }
  const position = { ...refs, position_type: 'text', old_path, new_path, ...linesAt(end), ...range }
  checkSuggestions('body', args.body, { position, code: end.text.slice(1), instead: ON_LINE })
  return {
    position,
    on: {
      path: args.path,
      [side === 'new' ? 'line' : 'old_line']: start[side],
      ...(end !== start && { end_line: end[side] }),
      ...(diffs.tells && { code: startOf(start.text, CODE_CHARS) })
    }
  }
}

const MERGE_REQUEST = 'GET /projects/{project_id}/merge_requests/{merge_request_iid}'

async function diffRefs(args: Arguments, { forge }: ToolContext): Promise<Record<string, unknown>> {
  const record = recordOf((await forge.send(requestTo(MERGE_REQUEST, args))).value)
  const { base_sha, start_sha, head_sha } = (record.diff_refs ?? {}) as Record<string, unknown>
  if (base_sha === undefined || start_sha === undefined || head_sha === undefined)
    throw new CallProblem(
      'The forge has not worked out the diff of this merge request yet: try again in a few seconds.'
    )
  return { base_sha, start_sha, head_sha }
}

/**
 * Reads the diffs of a merge request's files until all wanted ones are found. It is async on purpose: if it threw
 * instead, the promise that runs beside it could be rejected with nobody to handle it.
 */
const readFiles = async (args: Arguments, files: ChangedFiles, { forge }: ToolContext): Promise<boolean> =>
  eachPage(forge, requestTo(`${MERGE_REQUEST}/diffs`, args), entries =>
    files.add(entries as unknown as readonly FileDiff[]) ? 'stop' : undefined
  )

/**
 * Finds a changed file.
 * @throws CallProblem that names the changed files if the path is not one of them
 */
function changedFile({ files, tells }: Diffs, path: string): FileDiff {
  const file = files.get(path)
  // The forge needs both paths. The file is returned itself, as the reader knows it by that.
  if (file !== undefined) {
    for (const name of ['old_path', 'new_path']) textIn(file, name)
    return file
  }
  const not = `${quotedName(path)} is not changed by this merge request.`
  throw new CallProblem(tells ? `${not} Changed are ${files.names()}.` : not)
}

/**
 * Finds a line of the diff.
 * @throws CallProblem that names the lines of the diff if the line is not one of them
 */
function lineIn({ reader, tells }: Diffs, file: FileDiff, side: 'new' | 'old', line: number): DiffLine {
  const found = reader.lineAt(file, side, line)
  if (found !== undefined) return found
  const version = side === 'new' ? 'after the change' : 'before the change'
  if (!tells) throw new CallProblem(`The diff does not have line ${line} of this file ${version}.`)
  const hunks = reader.linesOf(file)
  const shown = quotedName(side === 'new' ? file.new_path : file.old_path)
  const here = rangesOf(hunks, side)
  if (here !== '')
    throw new CallProblem(`The diff does not have line ${line} of ${shown} ${version}. It has ${here}.`)
  const there = rangesOf(hunks, side === 'new' ? 'old' : 'new')
  if (there === '')
    throw new CallProblem(
      `The diff has no lines of ${shown} ${version}${file.too_large || file.collapsed ? ': it is too large to show' : ''}. Comment without path and line, on the merge request as a whole.`
    )
  const [argument, why] =
    side === 'new' ? ['old_line', file.deleted_file && 'deleted'] : ['line', file.new_file && 'new']
  throw new CallProblem(
    `The diff has no lines of ${shown} ${version}${why ? `, as it is ${why}` : ''}: ${argument} takes ${there}.`
  )
}

/** How many ranges of lines are named at most. */
const MAX_RANGES = 50

/** The lines of a version that a diff has, such as `3–6, 21`; empty if it has none. */
function rangesOf(hunks: ReturnType<DiffReader['linesOf']>, side: 'new' | 'old'): string {
  const ranges = hunks.flatMap(hunk => {
    const lines = hunk.filter(at => at.side === side || at.side === 'both')
    const [first, last] = [lines[0]?.[side], lines.at(-1)?.[side]]
    return first === undefined ? [] : [first === last ? `${first}` : `${first}–${last}`]
  })
  return ranges.slice(0, MAX_RANGES).join(', ')
}

/** The line numbers for the forge: both for an unchanged line, one for any other. */
const linesAt = ({ side, old, new: now }: DiffLine) => ({
  ...(side !== 'new' && { old_line: old }),
  ...(side !== 'old' && { new_line: now })
})

/** One end of a range of lines. GitLab also identifies it by a line code (discussions API, line_range). */
const endOf = ({ new_path, old_path }: FileDiff, line: DiffLine) => ({
  line_code: `${createHash('sha1')
    .update(new_path || old_path)
    .digest('hex')}_${line.old}_${line.new}`,
  ...(line.side !== 'both' && { type: line.side }),
  ...linesAt(line)
})
