import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { notTextOf } from '../../src/engine/files/file-output.ts'
import { fileRequest, type ReadFile, readFile } from '../../src/engine/files/read-file.ts'
import { keepMade } from '../../src/engine/requests/made-text.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { sideBySide } from '../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { fileLike } from '../../src/engine/suggestions/paths.ts'
import {
  areSameButEnds,
  hasWindowsEnds,
  withLineFeeds,
  withWindowsEnds
} from '../../src/engine/texts/line-ends.ts'
import { isStatus } from '../../src/results/failure.ts'
import { newlinesIn } from '../../src/results/newlines.ts'
import { CallProblem } from '../../src/results/problem.ts'
import {
  actionsIn,
  type FileAction,
  isEdit,
  MAX_CONTENT_CHARS,
  MAX_EDITED_CHARS,
  type TextEdit
} from '../families/files/file-actions.ts'
import { lfsPointer } from '../families/files/lfs-pointer.ts'
import { quotedPart, saidOfMissing } from '../families/files/not-there.ts'
import { type Effort, occurrences, searchEffort, spend } from '../families/files/occurrences.ts'
import { editedMarkdown } from '../families/files/whole-updates.ts'

/** Most files that are read at once. */
const WIDTH = 4

/**
 * Reads each file of an `edit` where the commit is to start, replaces what its edits find, and makes an `update` of it
 * that the forge refuses where the file has changed meanwhile.
 * @throws CallProblem where a file cannot be edited, or what is to be found is not there just once
 */
export async function withEdits(args: Arguments, context: ToolContext): Promise<Record<string, unknown>> {
  const actions = actionsIn(args, 'actions')
  if (!actions.some(isEdit)) return { ...args }
  const read = await sideBySide(actions, WIDTH, action =>
    isEdit(action) ? textOf(action, args, context) : Promise.resolve(undefined)
  )
  // All edits of a call share one budget: texts that are built to be slow delay no other call.
  const effort = searchEffort('edit fewer places at once, or send the whole file as an update')
  const refuseLine = editedMarkdown()
  let edited = 0
  const done = actions.map(({ edits = [], ...action }, at) => {
    const file = read[at]
    if (file === undefined) return action
    if (file.text.length - mostTakenBy(edits) > MAX_EDITED_CHARS) throw tooLarge()
    const inItsEnds = endsOf(file.text, edits, effort)
    const content = edits.reduce((text, edit, number) => {
      const find = inItsEnds(edit.find)
      const found = occurrences(text, find, effort)
      const place = `actions.${at}.edits.${number}`
      if (found.length === 0 && number > 0 && occurrences(file.text, find, effort).length > 0)
        throw goneBefore(place, action.file_path, number)
      checkFound(place, action.file_path, edit, { text, found, effort, inItsEnds }, context)
      return replaced(text, { find, replace: inItsEnds(edit.replace) }, found)
    }, file.text)
    keepMade(content, context)
    refuseLine(`actions.${at}.edits`, action.file_path, content, file.text)
    edited += content.length
    if (edited > MAX_EDITED_CHARS) throw tooLarge()
    return { ...action, action: 'update', content, last_commit_id: action.last_commit_id ?? file.last }
  })
  return { ...args, actions: done }
}

/** Most characters that edits take away, with newlines that are two there. A file that stays too large is not searched. */
const mostTakenBy = (edits: readonly TextEdit[]): number =>
  edits.reduce(
    (chars, { find, all }) => chars + (all === true ? Number.POSITIVE_INFINITY : 2 * find.length),
    0
  )

const tooLarge = () =>
  new CallProblem(
    `With these edits the files would have more than ${MAX_EDITED_CHARS} characters together. Nothing was committed: edit fewer files at once.`
  )

type InItsEnds = (text: string) => string

/**
 * What brings the texts of edits into the line ends of a file. Models write LF: in a file that has CRLF throughout both
 * count as the same, unless one of the edits is about line ends. The file itself stays as it is: a second text of its
 * million lines would delay all others.
 */
function endsOf(file: string, edits: readonly TextEdit[], effort: Effort): InItsEnds {
  if (!hasWindowsEnds(file) || edits.some(isOfEnds)) return text => text
  return text => {
    spend(effort, text.length)
    return withWindowsEnds(withLineFeeds(text))
  }
}

const isOfEnds = ({ find, replace }: TextEdit): boolean =>
  /\r(?!\n)/.test(find) || areSameButEnds(find, replace)

/** The project and ref that a commit starts from, where its files are read. */
function startOf({ branch, start_branch, start_sha, start_project, project_id }: Arguments) {
  return { project_id: start_project ?? project_id, ref: String(start_sha ?? start_branch ?? branch) }
}

/** Reads a file where the commit starts. @throws what ForgeClient.stream throws */
function fileAt(path: string, args: Arguments, { forge }: Pick<ToolContext, 'forge'>): Promise<ReadFile> {
  const { project_id, ref } = startOf(args)
  const request = requestTo(
    'GET /projects/{project_id}/repository/files/{.path}/raw',
    { project_id, path },
    queryOf({ ref })
  )
  const wanted = {
    start: 1,
    end: Number.POSITIVE_INFINITY,
    maxChars: MAX_CONTENT_CHARS,
    numbered: false,
    images: false,
    name: path
  }
  return forge.stream(fileRequest(request), answer => readFile(answer, wanted))
}

/**
 * The text of the file that an action replaces, as it is where the commit starts; undefined if it is no text, or too large.
 * @throws what ForgeClient.stream throws
 */
export async function storedText(
  { previous_path, file_path }: FileAction,
  args: Arguments,
  context: Pick<ToolContext, 'forge'>
): Promise<string | undefined> {
  const file = await fileAt(previous_path ?? file_path, args, context)
  return file.kind === 'text' && !file.lines.full ? file.lines.text : undefined
}

async function textOf({ file_path }: FileAction, args: Arguments, context: ToolContext) {
  const shown = JSON.stringify(file_path)
  const file = await fileAt(file_path, args, context).catch(async error => {
    throw isStatus(error, [404]) ? ((await notThere(error, file_path, args, context)) ?? error) : error
  })
  if (file.kind === 'binary' && file.otherEncoding !== undefined)
    throw new CallProblem(
      `${shown} cannot be edited: it is ${notTextOf(file)}. Nothing was committed. An update with its whole content in base64 keeps that encoding.`
    )
  if (file.kind !== 'text' || lfsPointer(file) !== undefined || file.lines.full)
    throw new CallProblem(`${shown} cannot be edited: it is not text, kept in LFS, or too large.`)
  const last = file.headers['x-gitlab-last-commit-id']
  return { text: file.lines.text, last: typeof last === 'string' ? last : undefined }
}

/**
 * Says what is missing: the forge answers with the same status for a file, a branch and a project.
 * @returns undefined for anything but a file and what it is read at
 */
async function notThere(
  { message }: Error,
  path: string,
  args: Arguments,
  context: ToolContext
): Promise<CallProblem | undefined> {
  const start = startOf(args)
  const at = JSON.stringify(start.ref)
  if (/file not found/i.test(message)) {
    const near =
      (await context.lookups.within(() => fileLike(path, start, context))) ??
      'Look with get_repository_tree, or create it.'
    return new CallProblem(`There is no ${JSON.stringify(path)} on ${at}. ${near} Nothing was committed.`)
  }
  if (!/commit not found/i.test(message)) return undefined
  const { start_branch, start_sha } = args
  return new CallProblem(
    (start_branch ?? start_sha) === undefined
      ? `There is no branch ${at}: for a new one give start_branch. Nothing was committed.`
      : `There is no ${at} to start from. Nothing was committed.`
  )
}

/** @param number of the edit, before which others have replaced what it finds in the file */
const goneBefore = (place: string, path: string, number: number): CallProblem =>
  new CallProblem(
    `${place} finds what is in ${path}, and after ${number === 1 ? 'edits.0' : `edits.0 to edits.${number - 1}`} is not there any more: edits are made one after the other. Nothing was committed: find what is there then, or make one edit of both.`
  )

/** Where the text to find was looked for in a file. */
interface Search {
  readonly text: string
  readonly found: readonly number[]
  readonly effort: Effort
  readonly inItsEnds: InItsEnds
}

function checkFound(
  place: string,
  path: string,
  { find, all }: TextEdit,
  { text, found, effort, inItsEnds }: Search,
  context: ToolContext
): void {
  if (found.length === 0) {
    const quotes = context.mayRun('get_file_contents')
    const there = {
      where: path,
      noun: 'file',
      argument: 'find',
      nothing: 'Nothing was committed',
      quotes,
      inItsEnds
    } as const
    throw new CallProblem(`${place}: ${saidOfMissing(find, text, there, effort)}`)
  }
  if (found.length === 1 || all === true) return
  const lines = lineNumbers(text, found.slice(0, 10))
  throw new CallProblem(
    `${place}: ${quotedPart(find)} is in ${path} ${found.length} times (lines ${lines.join(', ')}). Nothing was committed: find more of what is around the one you mean, or set all.`
  )
}

/** The line numbers of places in a text, in their order, from 1. Its lines are counted only once. */
function lineNumbers(text: string, places: readonly number[]): readonly number[] {
  let [line, from] = [1, 0]
  return places.map(place => {
    line += newlinesIn(text, from, place)
    from = place
    return line
  })
}

function replaced(
  text: string,
  { find, replace }: Pick<TextEdit, 'find' | 'replace'>,
  found: readonly number[]
): string {
  let result = ''
  let from = 0
  const length = text.length + found.length * (replace.length - find.length)
  if (length > MAX_CONTENT_CHARS)
    throw new CallProblem(
      `With these edits a file would have ${length} characters, and may have ${MAX_CONTENT_CHARS}. Nothing was committed.`
    )
  for (const at of found) {
    result += text.slice(from, at) + replace
    from = at + find.length
  }
  return result + text.slice(from)
}
