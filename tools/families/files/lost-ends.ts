import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../../src/engine/context.ts'
import { queryOf } from '../../../src/engine/requests/query.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { fieldsOf } from '../../../src/results/is-record.ts'
import { newlinesIn } from '../../../src/results/newlines.ts'
import { quotedFew } from '../../../src/results/visible.ts'
import type { FileAction } from './file-actions.ts'

/** Of fewer lines nobody minds that all are new. */
const LEAST_LINES = 4
/** Most files that are read, one after the other. */
const FEW = 5
/** Characters of base64 of a file that are decoded: its first lines tell the ends of all. */
const MOST_DECODED = 64 * 1024

/**
 * Says which files of a commit had CRLF before it and have LF: models write LF, and whoever changes a line of such a file
 * means no other. To be asked of a commit that changed every line alone, as it reads the files.
 * @param parents of the commit, as a forge has them; the first is what it changed
 * @param whole the actions that replaced a file
 * @param undo what undoes the commit, as the beginning of a sentence's part
 * @returns a notice; undefined where no file had them, or none can be read
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
  for (const { file_path, previous_path, content = '' } of whole.slice(0, FEW)) {
    if (content.includes('\r') || newlinesIn(content) < LEAST_LINES) continue
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
  return `Lines of ${quotedFew(changed, FEW)} ended with CRLF, and end with LF now: an update stores the line ends that it is given. If that was not meant, ${undo}action=edit keeps them.`
}

const hasCarriageReturns = (base64: string): boolean =>
  Buffer.from(base64.slice(0, MOST_DECODED), 'base64').includes('\r\n')
