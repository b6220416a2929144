import { Type } from 'typebox'
import type { Check } from '../../src/engine/arguments/values.ts'
import { decodeNamespace } from '../../src/engine/requests/template.ts'
import { atMostOne } from '../../src/engine/rows/checks.ts'
import {
  commitMessage,
  filled,
  noneIfEmpty,
  optional,
  ProjectId,
  text
} from '../../src/engine/rows/fields.ts'
import { madeBeside } from '../../src/engine/rows/made-names.ts'
import { branch, revision } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { encodedAsSaid, storedEncoded } from '../families/files/encoded-content.ts'
import {
  actionsIn,
  CommitActions,
  emptiedFiles,
  leftOut,
  oneActionEach,
  wholeActions
} from '../families/files/file-actions.ts'
import { wholeUpdates } from '../families/files/whole-updates.ts'
import { conflictMarks } from './conflict-marks.ts'
import { storedText, withEdits } from './file-edits.ts'
import { keptModes, withModes } from './file-modes.ts'
import { lostLines } from './lost-lines.ts'

const startOfProject: Check = ({ start_project, start_branch, start_sha }) => {
  if (start_project !== undefined && start_branch === undefined && start_sha === undefined)
    throw new CallProblem('start_project goes with start_branch or start_sha, which say from where in it.')
}

const refuseLoss = wholeUpdates('actions', {
  instead: {
    ofLine:
      'To change a part, use action=edit with edits of find and replace; where the line is meant, give the content in base64',
    ofPart: 'To change a part, use action=edit with edits of find and replace',
    meantPart: 'give the content in base64'
  },
  read: storedText
})
const emptied = emptiedFiles('actions')
const unused = leftOut('actions')
const conflicts = conflictMarks('actions')
const lost = lostLines('actions')

export const commitFilesRow: ToolRow = rest({
  name: 'commit_files',
  class: 'write',
  doesWith: { start_branch: 'create_branch', start_sha: 'create_branch' },
  title: 'Commit files',
  summary:
    'Commit changes of files, all or none, on top of the branch as it is then, whoever moved it; last_commit_id guards a file. edit changes parts. start_branch or start_sha make a new one.',
  record: 'commit',
  input: Type.Object({
    project_id: ProjectId,
    branch: madeBeside({ start_branch: 'any', start_sha: 'any' }, branch()),
    commit_message: { ...commitMessage(), ...filled },
    actions: { ...CommitActions, namedIn: 'actions' },
    start_branch: optional(branch()),
    start_sha: optional(revision()),
    start_project: optional({ ...noneIfEmpty(text('If not this one')), namedIn: 'project' }),
    author_name: optional(noneIfEmpty(text('If not you'))),
    author_email: optional(noneIfEmpty(text()))
  }),
  check: [
    atMostOne('start_branch', 'start_sha'),
    startOfProject,
    encodedAsSaid,
    wholeActions('actions'),
    oneActionEach('actions')
  ],
  request: 'POST /projects/{project_id}/repository/commits',
  // Counting changed lines makes the forge compute a diff, and nobody asked for the counts.
  fixed: { stats: false },
  adapt: async (given, context) => {
    const { start_project: project, ...args } = withModes(
      await withEdits(await refuseLoss(given, context), context)
    )
    if (project === undefined) return args
    return { ...args, start_project: decodeNamespace('start_project', String(project)) }
  },
  notice: async (value, args, context, sent) =>
    [
      unused(args),
      emptied(value, args),
      conflicts(value, args),
      keptModes(args),
      storedEncoded(actionsIn(args, 'actions')),
      await lost(value, args, context, sent)
    ]
      .filter(said => said !== undefined)
      .join(' ') || undefined,
  shape: (value, args) => ({
    ...(value as object),
    branch: args.branch,
    paths: [...new Set(actionsIn(args, 'actions').map(({ file_path }) => file_path))]
  }),
  advice: {
    400: [
      [
        /when you are on a branch/,
        'Nothing was committed: there is no such branch. For a new one give start_branch, such as the default branch.'
      ],
      [
        /\bA branch called |\bbranch\b.{0,300}\balready exists/i,
        'Nothing was committed: leave out start_branch to commit on top of that branch, or choose another name.'
      ],
      [/start branch|start_sha|start_branch/i, 'Nothing was committed: check start_branch or start_sha.'],
      [
        /name doesn't exist/,
        'Nothing was committed: an action names a file that is not there, where the commit begins. Create it, or look with get_repository_tree.'
      ],
      [
        /name already exists/,
        'Nothing was committed: a file that is created or moved to is there already. Use update or edit.'
      ],
      [
        /changed since/,
        'Nothing was committed: read that file again with get_file_contents, and commit with its last_commit_id.'
      ],
      [
        /not allowed to push|protected/i,
        'Nothing was committed. Commit to a branch of your own (start_branch), then create_merge_request.'
      ],
      [/^/, 'Nothing was committed: change what the forge names.']
    ],
    403: 'Nothing was committed: the branch is protected, also a new one whose name is, or the token may not push. Commit to a branch of your own by another name (new with start_branch, or create_branch), then create_merge_request. That takes the Developer role, too: with a lower one, fork_project and commit there.',
    413: 'Nothing was committed: the forge takes no request as large as this. Commit fewer files at once; one that is too large alone can only be pushed with Git.'
  }
})
