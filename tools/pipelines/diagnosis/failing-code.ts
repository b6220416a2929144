import type { ToolContext } from '../../../src/engine/context.ts'
import { fileRequest, readFile } from '../../../src/engine/files/read-file.ts'
import { queryOf } from '../../../src/engine/requests/query.ts'
import { readParts, sideBySide } from '../../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import type { NamedPlace } from './named-places.ts'

/** How many files are shown. All are read at once. */
const MAX_FILES = 3
/** How many lines are shown before and after the named line. */
const BEFORE = 3
const AFTER = 6
/** Most characters of one file. Code has short lines, and a file with longer lines does not help. */
const MAX_CHARS = 2000

/** The commit that a pipeline ran for. */
interface At {
  readonly project_id: unknown
  readonly sha: unknown
}

/** The lines of code around the places that a failure names, if that commit has them as text. */
export async function codeAt(
  { project_id, sha }: At,
  places: readonly NamedPlace[],
  context: ToolContext
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const read = await sideBySide(places.slice(0, MAX_FILES), MAX_FILES, async ({ path, line }) => {
    const start = Math.max(1, line - BEFORE)
    // Inside readParts, because a log may name anything, even a path that no request can have.
    const place = () =>
      requestTo(
        'GET /projects/{project_id}/repository/files/{.path}/raw',
        { project_id, path },
        queryOf({ ref: sha })
      )
    const wanted = {
      start,
      end: line + AFTER,
      maxChars: MAX_CHARS,
      numbered: false,
      images: false,
      name: path
    }
    const { file } = await readParts({
      file: async () => context.forge.stream(fileRequest(place()), answer => readFile(answer, wanted))
    })
    // If this commit has no such file or line, the log meant something else.
    if (file.value?.kind !== 'text' || file.value.lines.end < line) return undefined
    return { path, line, from_line: start, text: file.value.lines.text }
  })
  return read.filter(part => part !== undefined)
}
