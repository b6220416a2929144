import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../src/engine/context.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { newlinesIn } from '../../src/results/newlines.ts'
import { quotedFew } from '../../src/results/visible.ts'
import type { FileAction } from '../families/files/file-actions.ts'

/** A file with fewer lines is not checked: nobody minds if all of them are new. */
const MIN_LINES = 4
/** How many files are read at most, one after the other. */
const MAX_FILES = 5
/** How many base64 characters of a file are decoded. Its first lines show which line ends it uses. */
const MAX_DECODED = 64 * 1024

/**
 * Names the files of a commit that had CRLF before it and have LF now. Models write LF, and whoever changes one line of
 * such a file does not mean to change the others. Call it only for a commit that changed every line, as it reads the
 * files.
 * @param parents the commit's parents as the forge lists them; the files are compared with the first
 * @param whole the actions that replaced a file
 * @param undo how to undo the commit, as the beginning of a clause
 * @returns a notice; undefined if no file had CRLF, or none can be read
 */
export async function lostEnds(
  parents: unknown,
  whole: readonly FileAction[],
  undo: string,
  { project_id }: Arguments,
  { forge }: NoticeContext
): Promise<string | undefined> {
  const [parent] = Array.isArray(parents) ? parents : []
  if (typeof parent !== 'string') return undefined
  const changed: string[] = []
  for (const { file_path, previous_path, content = '' } of whole.slice(0, MAX_FILES)) {
    if (content.includes('\r') || newlinesIn(content) < MIN_LINES) continue
    const request = requestTo(
      'GET /projects/{project_id}/repository/files/{.path}',
      { project_id, path: previous_path ?? file_path },
      queryOf({ ref: parent })
    )
    const { content: before } = await forge.send(request).then(
      ({ value }) => fieldsOf(value),
      () => ({ content: undefined })
    )
    if (typeof before === 'string' && hasCarriageReturns(before)) changed.push(file_path)
  }
  if (changed.length === 0) return undefined
  return `Lines of ${quotedFew(changed, MAX_FILES)} ended with CRLF, and end with LF now: an update stores the line ends that it is given. If that was not meant, ${undo}action=edit keeps them.`
}

const hasCarriageReturns = (base64: string): boolean =>
  Buffer.from(base64.slice(0, MAX_DECODED), 'base64').includes('\r\n')
