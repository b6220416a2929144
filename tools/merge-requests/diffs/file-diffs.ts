import type { ToolContext } from '../../../src/engine/context.ts'
import { eachPage } from '../../../src/engine/requests/pages.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { lastOf } from '../../../src/engine/suggestions/path-parts.ts'
import type { ToolOutput } from '../../../src/results/result.ts'
import { quotedName } from '../../../src/results/visible.ts'
import type { ChangedFile } from '../../families/files/excluded-files.ts'
import { withLineNumbers } from './line-numbers.ts'

interface Wanted {
  project_id: string
  merge_request_iid?: string
  file_paths: readonly string[]
  unidiff?: boolean
  line_numbers?: boolean
}

/**
 * The diff entries whose old or new path is wanted, in the forge's order. The forge has no such filter, so pages are
 * read until all are found or no page is left. A notice names the paths that were not found; the others are still
 * returned. A diff that is too long for a result cannot be paged: the caller can read the file instead.
 * @throws what ForgeClient.send throws
 */
export async function fileDiffs(args: Wanted, context: ToolContext): Promise<ToolOutput> {
  const missing = new Set(args.file_paths)
  const wanted = new Set(missing)
  const found: ChangedFile[] = []
  const namesakes = new Namesakes(args.file_paths)
  let read = 0
  const query = args.unidiff === undefined ? '' : `unidiff=${args.unidiff}`
  const place = requestTo(
    'GET /projects/{project_id}/merge_requests/{merge_request_iid}/diffs',
    { ...args },
    query
  )
  const more = await eachPage(context.forge, place, entries => {
    read += entries.length
    for (const entry of entries as readonly ChangedFile[]) {
      const names = [entry.old_path, entry.new_path].filter(name => name !== undefined && wanted.has(name))
      namesakes.look(entry.new_path)
      if (names.length === 0) continue
      found.push(entry)
      for (const name of names) missing.delete(name!)
    }
    return missing.size === 0 ? 'stop' : undefined
  })
  const notices = missing.size === 0 ? [] : [notFound(missing, namesakes, read, more)]
  if (context.mayRun('get_file_contents') && found.some(entry => isTooLong(entry, context.maxChars)))
    notices.push('get_file_contents at the source branch has the file whose diff is cut.')
  return { value: withLineNumbers(found, { ...args }), notices }
}

const isTooLong = ({ diff }: ChangedFile & { diff?: unknown }, maxChars: number): boolean =>
  typeof diff === 'string' && JSON.stringify(diff.slice(0, maxChars)).length > maxChars

/** How many missing paths a notice names at most. */
const MAX_NAMED = 20

/** Finds changed files with the same name as a wanted file, but in another folder or in other letter case. */
class Namesakes {
  readonly #byName: ReadonlyMap<string, { changed: string | undefined }>

  constructor(paths: readonly string[]) {
    this.#byName = new Map(paths.map(path => [nameOf(path), { changed: undefined }]))
  }

  look(changed: unknown): void {
    const same = typeof changed === 'string' ? this.#byName.get(nameOf(changed)) : undefined
    if (same !== undefined) same.changed ??= changed as string
  }

  of(path: string): string | undefined {
    return this.#byName.get(nameOf(path))?.changed
  }
}

/** The last segment of a path, in lower case. */
const nameOf = (path: string): string => lastOf(path).toLowerCase()

function notFound(missing: ReadonlySet<string>, namesakes: Namesakes, read: number, more: boolean): string {
  const named = [...missing].slice(0, MAX_NAMED).map(path => {
    const other = namesakes.of(path)
    return `${quotedName(path)}${other === undefined ? '' : ` (perhaps ${quotedName(other)})`}`
  })
  const rest = missing.size > MAX_NAMED ? ` and ${missing.size - MAX_NAMED} more` : ''
  const where = more
    ? `among the first ${read} changed files (there are more)`
    : 'changed by this merge request'
  return `Not ${where}: ${named.join(', ')}${rest}. list_merge_request_changed_files gives the paths.`
}
