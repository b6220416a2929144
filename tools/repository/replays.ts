import { Type } from 'typebox'
import { commitMessage, flag, optional, ProjectId } from '../../src/engine/rows/fields.ts'
import { branch, revision } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'

const input = {
  project_id: ProjectId,
  sha: revision(),
  branch: branch('To commit to'),
  dry_run: optional(flag('Tell whether it would work'))
}
const ofMergeRequest = 'sha takes the merge_commit_sha of get_merge_request'
const instead = { instead: { merge_request_iid: ofMergeRequest } }
/**
 * Advice for refusals. The forge uses the same message for an empty result and for a conflict; the code beside the
 * message tells them apart.
 * @param isDone why there was nothing to do
 * @param mayBeDone the same reason, if it is uncertain
 */
const adviceWith = (isDone: string, mayBeDone: string) => ({
  400: [
    [/\(empty\)/, `Nothing was committed: ${isDone}.`],
    [
      /\(conflict\)/,
      'Nothing was committed: the branch has other text where it changes some. Make the change by hand with commit_files, or leave it to a person.'
    ],
    [/^/, `Nothing was committed: ${mayBeDone}, or other text is where it changes some.`]
  ] as const,
  403: 'Nothing was committed: the branch is protected, or the token may not push. Make a branch of it with create_branch, do this there, then create_merge_request.',
  404: 'Check sha and branch: both have to exist in this project; create_branch makes a branch.'
})

/** Tools that apply the change of a commit to a branch again, or undo it there. */
export const replayRows: readonly ToolRow[] = [
  rest({
    name: 'cherry_pick_commit',
    class: 'write',
    title: 'Cherry-pick',
    summary: 'Apply the change of a commit to a branch.',
    record: 'commit',
    input: Type.Object({ ...input, message: optional(commitMessage("Default the commit's own")) }, instead),
    request: 'POST /projects/{project_id}/repository/commits/{.sha}/cherry_pick',
    advice: adviceWith('the branch has the change already', 'the branch may have the change already')
  }),
  rest({
    name: 'revert_commit',
    class: 'write',
    title: 'Revert commit',
    summary: 'Undo the change of a commit on a branch, by a new commit.',
    record: 'commit',
    input: Type.Object(input, instead),
    request: 'POST /projects/{project_id}/repository/commits/{.sha}/revert',
    advice: adviceWith(
      'the change is undone on the branch already, or never came to it',
      'the change may be undone on the branch already'
    )
  })
]
