import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { fileOutput, wantedOf } from '../../src/engine/files/file-output.ts'
import { fileRequest, readFile } from '../../src/engine/files/read-file.ts'
import { type ForgeRequest, requestTo } from '../../src/engine/requests/template.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { shownOf } from '../../src/results/records/index.ts'
import type { ToolOutput } from '../../src/results/result.ts'
import { quotedName, wordsOf } from '../../src/results/visible.ts'
import type { FileAction } from '../families/files/file-actions.ts'

interface Wanted {
  readonly project_id?: string
  readonly snippet_id: string
  readonly file_path?: string
}

interface SnippetFile {
  readonly path: string
  readonly raw_url?: string
}

/**
 * Reads a snippet's record, then its only file or the named one.
 * @throws CallProblem for a file that it does not have; what ForgeClient throws
 */
export async function readSnippet(args: Wanted, { forge, maxChars }: ToolContext): Promise<ToolOutput> {
  const { value } = await forge.send(below(args, ''))
  const files = filesOf(value)
  if (args.file_path === undefined && files.length > 1)
    return {
      value: shownOf('snippet', 'get', value).value,
      notices: ['It has several files: name one with file_path to read it.']
    }
  const file_path = args.file_path ?? files[0]?.path
  const wanted = wantedOf({ ...args, file_path }, maxChars)
  const file = await forge.stream(fileRequest(placeOfFile(args, files)), answer => readFile(answer, wanted))
  const [facts] = shownOf('snippet', 'get', [value]).value as [Readonly<Record<string, unknown>>]
  return fileOutput(file, { facts: { ...facts, path: file_path } })
}

/** Most characters of a stored file that is compared with its replacement. */
const MAX_COMPARED = 3 * 1024 * 1024

/**
 * The text of the file that an action replaces; undefined if it is no text, or too large.
 * @throws CallProblem for a file that the snippet does not have; what ForgeClient throws
 */
export async function storedText(
  { previous_path, file_path }: FileAction,
  args: Arguments,
  { forge }: Pick<ToolContext, 'forge'>
): Promise<string | undefined> {
  const { value } = await forge.send(below(args, ''))
  const one = { ...args, snippet_id: String(args.snippet_id), file_path: previous_path ?? file_path }
  const wanted = wantedOf({ file_path: one.file_path }, MAX_COMPARED)
  const file = await forge.stream(fileRequest(placeOfFile(one, filesOf(value))), answer =>
    readFile(answer, wanted)
  )
  return file.kind === 'text' && !file.lines.full ? file.lines.text : undefined
}

/** The files of a snippet's record. */
export const filesOf = (value: unknown): readonly SnippetFile[] => {
  const { files } = (value ?? {}) as { files?: unknown }
  return Array.isArray(files) ? files.filter(isFile) : []
}

const isFile = (file: unknown): file is SnippetFile =>
  typeof (file as Partial<SnippetFile> | null)?.path === 'string'

/**
 * The request for a file. A snippet's only file has a route of its own. For one of several files, the branch is taken
 * from the file's raw_url.
 */
function placeOfFile(args: Wanted, files: readonly SnippetFile[]): ForgeRequest {
  const { file_path } = args
  const found = files.find(({ path }) => path === file_path)
  if (file_path !== undefined && found === undefined && files.length > 0)
    throw new CallProblem(`The snippet has no file ${quotedName(file_path)}: it has ${namesOf(files)}.`)
  if (found === undefined || files.length === 1) return below(args, '/raw')
  const [, ref = 'main'] = /\/raw\/([^/?#]+)\//.exec(wordsOf(found.raw_url)) ?? []
  return below({ ...args, ref: decoded(ref) }, '/files/{.ref}/{.file_path}/raw')
}

/** The request for a path below a snippet, which belongs to a project or to the caller. */
export const below = (args: object, path: string): ForgeRequest => {
  const place = 'project_id' in args && args.project_id !== undefined ? '/projects/{project_id}' : ''
  return requestTo(`GET ${place}/snippets/{snippet_id}${path}`, args as Readonly<Record<string, unknown>>)
}

/** How many files are named. A snippet has at most ten. */
const MAX_NAMED = 20

/** The names of files, for use in a sentence. */
export const namesOf = (files: readonly SnippetFile[]): string =>
  files
    .slice(0, MAX_NAMED)
    .map(({ path }) => quotedName(path))
    .join(', ')

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
