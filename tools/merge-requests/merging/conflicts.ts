import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { isBadAnswer, isStatus } from '../../../src/results/failure.ts'
import type { Fields } from '../../../src/results/is-record.ts'
import type { ToolOutput } from '../../../src/results/result.ts'
import { wordsOf } from '../../../src/results/visible.ts'

const mergeRequest = 'GET /projects/{project_id}/merge_requests/{merge_request_iid}'

/**
 * What a forge tells about conflicts. The REST API has no list of conflicting files, so only the merge request itself
 * is read. A stand-in for a forge may have only the route /conflicts, which other servers use. That route is asked if
 * the merge request is not found, and its record is returned unchanged.
 * @throws ForgeStatusError, ForgeError of the merge request, when neither answers
 */
export async function conflicts(args: Arguments, { forge }: ToolContext): Promise<ToolOutput> {
  try {
    const record = recordOf((await forge.send(requestTo(mergeRequest, args))).value)
    return { value: conflictState(record), notices: [conflictNotice(record) ?? []].flat() }
  } catch (error) {
    if (!isStatus(error, [404]) && !isBadAnswer(error)) throw error
    const other = await forge.send(requestTo(`${mergeRequest}/conflicts`, args)).catch(() => {
      throw error
    })
    return { value: other.value }
  }
}

const kept = [
  'iid',
  'state',
  'has_conflicts',
  'merge_status',
  'detailed_merge_status',
  'merge_error',
  'source_branch',
  'target_branch',
  'web_url'
] as const

const unknownYet = new Set(['unchecked', 'checking', 'preparing', 'cannot_be_merged_recheck'])

const beingChecked = ({ merge_status, detailed_merge_status }: Fields): boolean =>
  unknownYet.has(wordsOf(merge_status)) || unknownYet.has(wordsOf(detailed_merge_status))

/** What a merge request says about conflicts. has_conflicts is left out while the forge is still checking. */
function conflictState(record: Fields): Fields {
  const fields = kept.filter(name => name !== 'has_conflicts' || !beingChecked(record))
  return Object.fromEntries(fields.map(name => [name, record[name]]))
}

/**
 * Advice for conflicts. No commit made over REST has two parents, so only git can resolve them on the branch itself.
 */
const conflictRemedy =
  'The forge does not tell which files conflict: look at those that list_merge_request_changed_files and get_branch_diffs (from source_branch, to target_branch) both name. No tool solves it on this branch: have it done with git, or commit_files all of its changes, solved, to another (start_branch is target_branch) and create_merge_request of that in its place.'

/**
 * Advice that the fields alone do not give.
 * @param record the merge request as the forge has it
 */
function conflictNotice(record: Fields): string | undefined {
  if (beingChecked(record))
    return 'The forge is still checking, so whether there are conflicts is not known: ask again in some seconds.'
  if (record.has_conflicts === true) return conflictRemedy
  return undefined
}
