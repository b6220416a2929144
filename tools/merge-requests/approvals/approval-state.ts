import type { ToolContext } from '../../../src/engine/context.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { isStatus } from '../../../src/results/failure.ts'
import { isRecord } from '../../../src/results/is-record.ts'
import type { ToolOutput } from '../../../src/results/result.ts'

type Values = Record<string, unknown>

/** The statuses of forges without approval rules: not in this edition, or not for this caller. */
const withoutRules = [402, 403, 404]

/**
 * approval_state has the rules but exists in paid editions only, and says nothing when there are no rules;
 * approvals is everywhere (GitLab's merge request approvals API). Both come back with approved_by in the form
 * approvals has it, and `source` naming the one that answered.
 * @throws ForgeStatusError when neither answers
 */
export async function approvalState(args: Values, context: ToolContext): Promise<ToolOutput> {
  const state = await unless(withoutRules, read('approval_state', args, context))
  if (state !== undefined && rulesOf(state).length > 0)
    return { value: { source: 'approval_state', ...state, approved_by: approversOf(rulesOf(state)) } }
  const asked = read('approvals', args, context)
  // If the rules are known to be empty, they are the answer when approvals cannot be read.
  const approvals = state === undefined ? await asked : await unless(withoutRules, asked)
  if (approvals !== undefined) return { value: { source: 'approvals', ...approvals } }
  return { value: { source: 'approval_state', ...state, approved_by: [] } }
}

async function read(
  what: 'approval_state' | 'approvals',
  args: Values,
  { forge }: ToolContext
): Promise<Values> {
  const place = requestTo(`GET /projects/{project_id}/merge_requests/{merge_request_iid}/${what}`, args)
  return recordOf((await forge.send(place)).value)
}

async function unless<T>(statuses: readonly number[], answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isStatus(error, statuses)) return undefined
    throw error
  }
}

const rulesOf = ({ rules }: Values): readonly Values[] => (Array.isArray(rules) ? rules.filter(isRecord) : [])

/** Everyone who approved under any rule, each once. */
function approversOf(rules: readonly Values[]): { user: unknown }[] {
  const people = rules.flatMap(({ approved_by: by }) => (Array.isArray(by) ? (by as Values[]) : []))
  return [...new Map(people.map(user => [user?.id, user])).values()].map(user => ({ user }))
}
