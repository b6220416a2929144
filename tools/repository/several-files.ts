import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { notTextOf } from '../../src/engine/files/file-output.ts'
import type { KeptLines } from '../../src/engine/files/line-window.ts'
import { fileRequest, MAX_FILE_BYTES, type ReadFile, readFile } from '../../src/engine/files/read-file.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { textIn } from '../../src/engine/requests/record.ts'
import { sideBySide } from '../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { fileLike } from '../../src/engine/suggestions/paths.ts'
import { isStatus } from '../../src/results/failure.ts'
import { hasOldEnds, OLD_ENDS, withShownEnds } from '../../src/results/old-ends.ts'
import type { ToolOutput } from '../../src/results/result.ts'
import { quotedName } from '../../src/results/visible.ts'
import { lfsPointer } from '../families/files/lfs-pointer.ts'
import { type Measured, measured, shareOut } from './share-out.ts'

/** How many files are requested at once. */
const WIDTH = 4
/** Characters that a record has besides its text. */
const AROUND = 250

const CUT = 'Texts with cut_at end at that line: get_file_contents goes on from there with start_line.'

const NO_PATTERN =
  'Paths are no patterns: get_repository_tree lists the files of a folder, and search_code finds some by filename.'
const APART = 'A path with a comma is read as one path: give each file as an item of its own.'

/** How many files' notices are shown, and for how many missing files a similar one is looked for. */
const MAX_MEANT = 3

interface Wanted {
  readonly project_id: string
  readonly paths: readonly string[]
  readonly ref?: string
}

interface Part {
  readonly record: Readonly<Record<string, unknown>>
  readonly notice?: string
  readonly lines?: KeptLines
  /** The text, measured as far as a result can hold it. */
  readonly text?: Measured
}

/**
 * Reads files at one commit, so that they belong together. A file that is missing or cannot be shown is reported in its
 * place. All files share the space of one result.
 * @throws what ForgeClient throws for an unknown ref, and for anything but a missing file
 */
export async function readFiles(
  { project_id, paths, ref = 'HEAD' }: Wanted,
  context: ToolContext
): Promise<ToolOutput> {
  const { forge, maxChars } = context
  const places = paths.map(path => placeOf(project_id, path))
  // Throws for a path that no request can have, before anything is requested.
  for (const place of places) place('HEAD')
  const commit = requestTo('GET /projects/{project_id}/repository/commits/{.ref}', { project_id, ref })
  const { value } = await forge.send(commit)
  const sha = textIn(value, 'id')
  const parts = await sideBySide(places, WIDTH, (place, at) => readPart(place(sha), paths[at]!, context))
  const room = maxChars - AROUND * (parts.length + 1)
  const files = await forge.paced(() => {
    const texts = parts.map(({ text = NONE }) => text)
    const shown = shareOut(texts, room)
    return parts.map((part, at) => written(part, shown[at]!))
  })
  const missing = parts.flatMap(({ record }) => (record.skipped === 'not found' ? [String(record.path)] : []))
  const notices = [
    ...(files.some(file => 'cut_at' in file) ? [CUT] : []),
    ...(parts.some(({ lines }) => lines !== undefined && hasOldEnds(lines.text)) ? [OLD_ENDS] : []),
    ...parts.flatMap(({ notice = [] }) => notice).slice(0, MAX_MEANT),
    ...(missing.some(path => path.includes(',')) ? [APART] : []),
    ...(missing.some(path => /[*?]/.test(path)) ? [NO_PATTERN] : []),
    ...(await meant(missing, { project_id, ref: sha }, context))
  ]
  return { value: { commit: sha, files }, notices }
}

/** Where a file is at a commit. */
const placeOf = (project_id: string, path: string) => (at: string) =>
  requestTo(
    'GET /projects/{project_id}/repository/files/{.path}/raw',
    { project_id, path },
    queryOf({ ref: at })
  )

/** Reads one file, or says that it is missing. */
async function readPart(
  place: ReturnType<ReturnType<typeof placeOf>>,
  path: string,
  { forge, maxChars }: ToolContext
): Promise<Part> {
  const wanted = {
    name: path,
    start: 1,
    end: Number.POSITIVE_INFINITY,
    maxChars,
    numbered: false,
    images: false
  }
  try {
    const file = await forge.stream(fileRequest(place), answer => readFile(answer, wanted))
    return partOf(path, file, maxChars)
  } catch (error) {
    if (isStatus(error, [404])) return { record: { path, skipped: 'not found' } }
    throw error
  }
}

/** Sentences about files that missing paths may have meant. */
async function meant(
  missing: readonly string[],
  at: Arguments,
  context: ToolContext
): Promise<readonly string[]> {
  const paths = missing.filter(path => !/[,*?]/.test(path)).slice(0, MAX_MEANT)
  const said = await context.lookups.within(() =>
    sideBySide(paths, WIDTH, async path => {
      const near = await fileLike(path, at, context)
      return near === undefined ? [] : [`Of ${quotedName(path)}: ${near}`]
    })
  )
  return said?.flat() ?? []
}

const NONE: Measured = { text: '', length: 0 }

function partOf(path: string, file: ReadFile, maxChars: number): Part {
  const size = file.size
  if (file.kind === 'binary' && file.otherEncoding !== undefined)
    return { record: { path, size, skipped: 'binary' }, notice: `${quotedName(path)} is ${notTextOf(file)}.` }
  if (file.kind !== 'text') return { record: { path, size, skipped: 'binary' } }
  if (size === undefined || size > MAX_FILE_BYTES) return { record: { path, size, skipped: 'too large' } }
  if (lfsPointer(file) !== undefined)
    return {
      record: { path, size, skipped: 'lfs' },
      notice: `${quotedName(path)} is kept in LFS: get_file_contents with lfs=true reads it.`
    }
  const last = file.headers['x-gitlab-last-commit-id']
  const text = measured(file.lines.text, maxChars)
  return { record: { path, size, last_commit_id: last }, lines: file.lines, text }
}

function written({ record, lines }: Part, shown: string): Record<string, unknown> {
  if (lines === undefined) return record
  if (shown.length === lines.text.length && !lines.full) return { ...record, text: withShownEnds(shown) }
  return { ...record, total_lines: lines.total, cut_at: lineCount(shown), text: withShownEnds(shown) }
}

const lineCount = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length)
