import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { furtherPart } from '../../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { isBadAnswer, isStatus } from '../../../src/results/failure.ts'
import { type Fields, isRecord } from '../../../src/results/is-record.ts'
import type { ToolOutput } from '../../../src/results/result.ts'
import { asKey } from '../../../src/results/shortened.ts'
import { wordsOf } from '../../../src/results/visible.ts'

/** Statuses by which a forge says that it has no approval rules: not in this edition, or not for this caller. */
const withoutRules = [402, 403, 404]

/**
 * Reads who approved. approval_state has the rules, but exists in paid editions only and says nothing when there are no
 * rules. approvals exists everywhere (GitLab's merge request approvals API). Either answer gives approved_by in the
 * form that approvals uses, and `source` names the request that answered.
 * @throws ForgeStatusError, ForgeError when neither answers
 */
export async function approvalState(args: Arguments, context: ToolContext): Promise<ToolOutput> {
  const state = await read('approval_state', args, context).catch(ifWithoutRules)
  if (state === undefined)
    return { value: { source: 'approvals', ...(await read('approvals', args, context)) } }
  if (rulesOf(state).length > 0)
    return { value: { source: 'approval_state', ...state, approved_by: approversOf(rulesOf(state)) } }
  const { value: approvals, problem } = await furtherPart(() => read('approvals', args, context))
  if (approvals !== undefined) return { value: { source: 'approvals', ...approvals } }
  // "No rules" is an answer even if the approvers cannot be read.
  return {
    value: { source: 'approval_state', ...state, approved_by: [] },
    notices: [`Who approved it could not be read, so approved_by is not known: ${problem}`]
  }
}

/** Gives undefined for a forge without approval rules. It says so by its status, or answers without a record. */
function ifWithoutRules(error: unknown): undefined {
  if (!isStatus(error, withoutRules) && !isBadAnswer(error)) throw error
}

async function read(
  what: 'approval_state' | 'approvals',
  args: Arguments,
  { forge }: ToolContext
): Promise<Fields> {
  const place = requestTo(`GET /projects/{project_id}/merge_requests/{merge_request_iid}/${what}`, args)
  return recordOf((await forge.send(place)).value)
}

const rulesOf = ({ rules }: Fields): readonly Fields[] => (Array.isArray(rules) ? rules.filter(isRecord) : [])

/** Everyone who approved under any rule, without duplicates. */
function approversOf(rules: readonly Fields[]): { user: unknown }[] {
  const people = rules.flatMap(({ approved_by: by }) => (Array.isArray(by) ? (by as Fields[]) : []))
  const byId = new Map(people.map(user => [asKey(`:${wordsOf(user?.id)}`), user]))
  return [...byId.values()].map(user => ({ user }))
}
