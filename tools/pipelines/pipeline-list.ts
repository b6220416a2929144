import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { planner } from '../../src/engine/requests/plan.ts'
import { anySha, wholeSha } from '../../src/engine/requests/sha.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { fieldsOf, isEmptyList } from '../../src/results/is-record.ts'
import type { ToolOutput } from '../../src/results/result.ts'
import { isNoneAtAll } from '../families/lists/none-at-all.ts'

const plan = planner({ request: 'GET /projects/{project_id}/pipelines' })

/**
 * Lists pipelines as the forge does. A forge compares full SHAs, and silently lists nothing for a short one. If nothing
 * is listed, it is asked again with the full SHA of the commit that is meant.
 * @throws what the forge refuses
 */
export async function listPipelines(args: Arguments, context: ToolContext): Promise<ToolOutput> {
  const list = (values: Arguments) => context.forge.send(plan(args, values))
  const asGiven = await list(args)
  const sha = isEmptyList(asGiven.value) ? await wholeOf(args, context) : undefined
  const { value, headers } = sha === undefined ? asGiven : await list({ ...args, sha })
  return { value, page: headers, notices: isNoneAtAll(value, args) ? whyNone(args) : [] }
}

/**
 * The full SHA of the commit that a short one stands for. It is undefined if there is no such commit, or if the caller
 * may not read it: who may see pipelines may still not be allowed to see code.
 */
async function wholeOf(args: Arguments, { forge }: ToolContext): Promise<string | undefined> {
  const sha = String(args.sha)
  if (!anySha.test(sha) || wholeSha.test(sha)) return undefined
  const commit = requestTo('GET /projects/{project_id}/repository/commits/{.sha}', args)
  const read = await forge.send(commit).catch(() => undefined)
  const { id } = fieldsOf(read?.value)
  return typeof id === 'string' && wholeSha.test(id) && id.startsWith(sha.toLowerCase()) ? id : undefined
}

/** The notice about an empty list for a sha: a short one may be misspelled, and other texts are no SHA. */
function whyNone({ sha }: Arguments): string[] {
  if (sha === undefined || wholeSha.test(String(sha))) return []
  return anySha.test(String(sha))
    ? [`Perhaps no commit here begins with ${sha}, or it has no such pipelines: get_commit tells.`]
    : ['sha is that of a commit: a branch or tag is given as ref.']
}
