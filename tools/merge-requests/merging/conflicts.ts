import { recordOf } from '../../../src/engine/requests/record.ts'
import { wordsOf } from '../../../src/results/visible.ts'

/* The forge's REST API has no list of conflicting files; it only has what the merge request itself says. */

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

const beingChecked = ({ merge_status, detailed_merge_status }: Record<string, unknown>): boolean =>
  unknownYet.has(wordsOf(merge_status)) || unknownYet.has(wordsOf(detailed_merge_status))

/** What a merge request says about conflicts. has_conflicts is left out while the forge has not checked yet. */
export function conflictState(value: unknown): Record<string, unknown> {
  const record = recordOf(value)
  const fields = kept.filter(name => name !== 'has_conflicts' || !beingChecked(record))
  return Object.fromEntries(fields.map(name => [name, record[name]]))
}

/**
 * The advice for conflicts: no commit made over REST has two parents, so the branch itself can only be repaired with
 * git.
 */
const conflictRemedy =
  'The forge does not tell which files conflict: look at those that list_merge_request_changed_files and get_branch_diffs (from source_branch, to target_branch) both name. No tool solves it on this branch: have it done with git, or commit_files all of its changes, solved, to another (start_branch is target_branch) and create_merge_request of that in its place.'

/** What the fields alone do not say. @param value the merge request as the forge has it */
export function conflictNotice(value: unknown): string | undefined {
  const record = recordOf(value)
  if (beingChecked(record))
    return 'The forge is still checking, so whether there are conflicts is not known: ask again in some seconds.'
  if (record.has_conflicts === true) return conflictRemedy
  return undefined
}
