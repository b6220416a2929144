import { Type } from 'typebox'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { custom, type ToolRow } from '../../../src/engine/rows/row.ts'
import type { ToolOutput } from '../../../src/results/result.ts'
import { bySourceBranch, OneMergeRequest } from '../by-source-branch.ts'
import { PatchFiles } from './patch-files.ts'

/** Most bytes of a patch that are read; the rest is ignored. */
const MAX_BYTES = 64 * 1024 * 1024

export const rawDiffRow: ToolRow = custom({
  name: 'get_merge_request_raw_diff',
  class: 'read',
  title: 'Patch',
  summary: 'Get its whole diff as a patch for git apply.',
  input: Type.Object(OneMergeRequest),
  lookup: bySourceBranch,
  idempotent: true,
  async run({ project_id, merge_request_iid }, { forge, maxChars }): Promise<ToolOutput> {
    const place = requestTo('GET /projects/{project_id}/merge_requests/{merge_request_iid}/raw_diffs', {
      project_id,
      merge_request_iid
    })
    const request = { ...place, accept: 'text/plain', maxBytes: MAX_BYTES }
    const patch = await forge.stream(request, async ({ body }) => {
      const patch = new PatchFiles(maxChars)
      for await (const chunk of body(patch)) patch.push(chunk)
      patch.end()
      return patch
    })
    if (patch.text === '' && patch.leftOut === 0) return { text: '', notices: ['It changes nothing.'] }
    return { text: patch.text, isSource: true, notices: patch.leftOut === 0 ? [] : [whatIsMissing(patch)] }
  }
})

function whatIsMissing({ shown, leftOut, names }: PatchFiles): string {
  const rest = leftOut > names.length ? ` and ${leftOut - names.length} more` : ''
  return `The patch is longer than a result may be: ${shown} files are shown, ${leftOut} left out: ${names.map(name => JSON.stringify(name)).join(', ')}${rest}. get_merge_request_file_diff gives theirs.`
}
