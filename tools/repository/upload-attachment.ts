import type { ToolContext } from '../../src/engine/context.ts'
import { unsaid } from '../../src/engine/graphql.ts'
import { checkPath, requestTo } from '../../src/engine/requests/template.ts'
import { ArgumentError } from '../../src/results/problem.ts'
import type { ToolOutput } from '../../src/results/result.ts'
import { checkContent } from '../families/files/checked-content.ts'
import { checkEncoding, storedEncoded } from '../families/files/encoded-content.ts'

interface Upload {
  readonly project_id: string
  readonly filename: string
  readonly content: string
  readonly encoding?: string
}

/**
 * Uploads a file as a form.
 * @throws ArgumentError; CallProblem if the content is not a file; errors of ForgeClient.send
 */
export async function uploadAttachment(
  { project_id, filename, content, encoding }: Upload,
  { forge }: ToolContext
): Promise<ToolOutput> {
  checkPath('filename', filename)
  if (/[\\/]/.test(filename)) throw new ArgumentError('filename', 'is a path: give the name alone')
  checkEncoding('content', filename, content, encoding)
  checkContent('content', content, encoding)
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')
  const { value } = await forge.send({
    ...requestTo('POST /projects/{project_id}/uploads', { project_id }),
    file: { field: 'file', name: filename, bytes }
  })
  if (value === undefined) throw unsaid()
  const said = storedEncoded([{ file_path: filename, content, encoding }])
  return { value, notices: said === undefined ? [] : [said] }
}
