import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { notTextOf } from '../../src/engine/files/file-output.ts'
import { fileRequest, type ReadFile, readFile } from '../../src/engine/files/read-file.ts'
import { keepMade } from '../../src/engine/requests/made-text.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { sideBySide } from '../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { branchOfFork } from '../../src/engine/suggestions/fork-branch.ts'
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
import { quotedName } from '../../src/results/visible.ts'
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

/** How many files are read at once. */
const WIDTH = 4

/**
 * Replaces each `edit` action by an `update`. It reads the file where the commit is to start, and replaces what the
 * edits find. The forge refuses the update if the file has changed meanwhile.
 * @throws CallProblem if a file cannot be edited, or if a text to find is missing, or occurs more than once without
 * `all`
 */
export async function withEdits(args: Arguments, context: ToolContext): Promise<Record<string, unknown>> {
  const actions = actionsIn(args, 'actions')
  if (!actions.some(isEdit)) return { ...args }
  const read = await sideBySide(actions, WIDTH, action =>
    isEdit(action) ? textOf(action, args, context) : Promise.resolve(undefined)
  )
  // All edits of a call share one budget, so that texts made to be slow do not delay other calls.
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

/**
 * Most characters that edits can remove. Each found character counts twice, because a newline may be CRLF in the file.
 * If a file would still be too large, it is not searched.
 */
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
 * Gives a function that converts the texts of edits to the line ends of a file. Models write LF. In a file with CRLF
 * throughout, LF and CRLF therefore count as equal, unless one of the edits is about line ends. The file itself is not
 * converted: copying its million lines would delay other calls.
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

/** The project and ref where the commit starts, and where its files are read. */
function startOf({ branch, start_branch, start_sha, start_project, project_id }: Arguments) {
  return { project_id: start_project ?? project_id, ref: String(start_sha ?? start_branch ?? branch) }
}

/**
 * Reads a file where the commit starts.
 * @throws what ForgeClient.stream throws
 */
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
 * The text of the file that an action replaces, read where the commit starts; undefined if it is no text, or too large.
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
  const shown = quotedName(file_path)
  const file = await fileAt(file_path, args, context).catch(async error => {
    throw isStatus(error, [404]) ? ((await notThere(error, file_path, args, context)) ?? error) : error
  })
  if (file.kind === 'binary' && file.otherEncoding !== undefined)
    throw new CallProblem(
      `${shown} cannot be edited: it is ${notTextOf(file)}. Nothing was committed. An update with its whole content in base64 keeps that encoding.`
    )
  const why = unedited(file)
  if (file.kind !== 'text' || why !== undefined)
    throw new CallProblem(`${shown} cannot be edited: it is ${why}. Nothing was committed.`)
  const last = file.headers['x-gitlab-last-commit-id']
  return { text: file.lines.text, last: typeof last === 'string' ? last : undefined }
}

/** Why a file cannot be edited; undefined where it can. */
function unedited(file: ReadFile): string | undefined {
  if (file.kind !== 'text') return 'not text'
  if (lfsPointer(file) !== undefined) return 'kept in LFS, and the repository has only a pointer to it'
  return file.lines.full ? 'too large' : undefined
}

/**
 * Says what is missing. The forge answers with the same status for a missing file, branch and project.
 * @returns undefined if neither the file nor the ref is missing
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
    return new CallProblem(`There is no ${quotedName(path)} on ${at}. ${near} Nothing was committed.`)
  }
  if (!/commit not found/i.test(message)) return undefined
  const { start_branch, start_sha } = args
  const advice =
    (start_branch ?? start_sha) === undefined
      ? `There is no branch ${at}: for a new one give start_branch.`
      : `There is no ${at} to start from.`
  const elsewhere = await context.lookups.within(() => branchOfFork(start.ref, start, context))
  const said = [advice, elsewhere, 'Nothing was committed.'].filter(part => part !== undefined)
  return new CallProblem(said.join(' '))
}

/**
 * The problem of an edit whose text was in the file until earlier edits replaced it.
 * @param number index of the edit
 */
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

/** The line numbers of places in a text, in their order, counted from 1. It goes through the text only once. */
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
