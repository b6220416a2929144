import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { atMostOne, notWith, someChange } from '../../src/engine/rows/checks.ts'
import {
  changedMarkdown,
  filled,
  flag,
  forgeDefault,
  groupId,
  MilestoneFilter,
  markdown,
  milestoneId,
  OptionalProjectId,
  oneOf,
  optional,
  Page,
  ProjectId,
  replacing,
  text,
  UserFilter,
  unlisted,
  userId,
  userIds,
  usernameFilter,
  usernamesOrAny,
  When
} from '../../src/engine/rows/fields.ts'
import { ChangedLabels, LabelFilter, NewLabels } from '../../src/engine/rows/labels.ts'
import { branch, branchFilter } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { ArgumentError } from '../../src/results/problem.ts'
import { allSaid } from '../families/items/all-said.ts'
import { noSuchMilestone } from '../families/items/no-such-milestone.ts'
import { notTaken } from '../families/items/not-taken.ts'
import { milestoneOfMergeRequests } from '../families/lists/milestone-words.ts'
import { noQualifiers } from '../families/lists/no-qualifiers.ts'
import { peopleLeftOut } from '../families/people/people-left-out.ts'
import { scopeAndPerson } from '../families/people/scope-and-person.ts'
import { bySourceBranch, OneMergeRequest } from './by-source-branch.ts'
import { draftToCurrentTitle, draftToTitle, perhapsReady } from './draft-title.ts'
import { mergedAsAsked, onlyMerged } from './merged-filters.ts'

const draft = optional(flag())

/** Across all projects, a forge lists only what the caller created, unless a scope is given. So scope=all is sent. */
const everywhereAll = (args: Record<string, unknown>) =>
  args.project_id === undefined && args.group_id === undefined ? { scope: 'all', ...args } : args

/**
 * Refuses OWNER:BRANCH. Another forge writes the owner of a fork before the branch; here no branch name has a colon.
 */
const branchAlone = ({ source_branch: branch }: Arguments): void => {
  if (/^[^:]+:/.test(String(branch)))
    throw new ArgumentError(
      'source_branch',
      'is the branch alone: where it is in a fork, project_id is the fork and target_project_id the project to merge into'
    )
}

/** The notice for a merged request, whose state a forge silently leaves unchanged. */
const staysMerged = (value: unknown, { state_event }: Arguments): string | undefined =>
  state_event !== undefined && fieldsOf(value).state === 'merged'
    ? 'It is merged and stays so, neither closed nor reopened: revert_commit undoes what it changed.'
    : undefined

const notDone = allSaid(staysMerged, peopleLeftOut, notTaken)

const ofSource =
  'which project_id is: that of source_branch; target_project_id names the one of target_branch, where it is another'

export const mergeRequestRows: readonly ToolRow[] = [
  rest({
    name: 'get_merge_request',
    class: 'read',
    beyond: 'shows',
    record: 'merge_request',
    title: 'Merge request',
    summary: 'Get state, reviewers, pipeline, mergeability, diff_refs.',
    input: Type.Object(OneMergeRequest),
    lookup: bySourceBranch,
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}',
    fixed: { include_diverged_commits_count: true },
    local: ['source_branch']
  }),
  rest({
    name: 'update_merge_request',
    class: 'write',
    doesWith: { remove_source_branch: { true: 'delete_branch' } },
    beyond: 'shows',
    record: 'merge_request',
    title: 'Update MR',
    summary: 'Edit, close, reopen, or mark draft or ready.',
    input: Type.Object({
      ...OneMergeRequest,
      title: optional({ ...text(), ...filled }),
      description: optional(changedMarkdown('create_merge_request_note')),
      target_branch: optional(branch()),
      assignee_ids: optional(replacing(userIds('Replaces all: ids or usernames'))),
      reviewer_ids: optional(replacing(userIds('Replaces all: ids or usernames'))),
      ...ChangedLabels,
      milestone_id: optional(milestoneId()),
      discussion_locked: optional(flag()),
      state_event: optional({ ...oneOf(['close', 'reopen']), problem: '; draft=false marks it ready' }),
      remove_source_branch: optional(flag()),
      squash: optional(flag()),
      draft
    }),
    check: [
      someChange('project_id', 'merge_request_iid', 'source_branch'),
      notWith('labels', 'add_labels', 'remove_labels')
    ],
    lookup: bySourceBranch,
    adapt: draftToCurrentTitle,
    request: 'PUT /projects/{project_id}/merge_requests/{merge_request_iid}',
    local: ['source_branch'],
    numeric: ['milestone_id'],
    advice: noSuchMilestone,
    notice: allSaid(notDone, perhapsReady)
  }),
  rest({
    name: 'create_merge_request',
    class: 'write',
    doesWith: { remove_source_branch: { true: 'delete_branch' } },
    beyond: 'shows',
    record: 'merge_request',
    title: 'Create MR',
    summary: 'Open one between existing branches.',
    input: Type.Object(
      {
        project_id: ProjectId,
        title: { ...text(), ...filled },
        description: optional(markdown()),
        source_branch: branch(),
        target_branch: branch(),
        target_project_id: optional({
          ...text('Of a fork: project to merge into'),
          projectNumber: true,
          namedIn: 'project'
        }),
        assignee_ids: optional(userIds()),
        reviewer_ids: optional(userIds()),
        labels: optional(NewLabels),
        milestone_id: optional(milestoneId('Id or title')),
        draft,
        allow_collaboration: optional(flag()),
        remove_source_branch: optional(flag()),
        squash: optional(flag())
      },
      { instead: { source_project_id: ofSource } }
    ),
    check: [branchAlone],
    adapt: draftToTitle,
    request: 'POST /projects/{project_id}/merge_requests',
    advice: {
      ...noSuchMilestone,
      409: 'That one is open for this source branch: what is pushed there becomes part of it, and update_merge_request changes it.'
    },
    numeric: ['target_project_id', 'milestone_id'],
    notice: notDone
  }),
  rest({
    name: 'list_merge_requests',
    class: 'read',
    doesWith: { with_labels_details: { true: 'list_labels' } },
    record: 'merge_request',
    title: 'Merge requests',
    summary: "List a project's, a group's, or all you can see.",
    input: Type.Object({
      project_id: OptionalProjectId,
      group_id: optional(groupId('Or project_id')),
      state: optional(
        forgeDefault('all', {
          ...oneOf(['opened', 'closed', 'locked', 'merged', 'all']),
          problem: '; draft=false lists those that are ready'
        })
      ),
      scope: optional(
        forgeDefault('all', {
          ...oneOf(['created_by_me', 'assigned_to_me', 'all']),
          problem: '; for those you review leave it out and give reviewer_username=me'
        })
      ),
      search: optional(text()),
      author_id: optional(UserFilter),
      author_username: optional(usernameFilter()),
      assignee_id: optional(UserFilter),
      assignee_username: optional(usernameFilter()),
      reviewer_id: optional(UserFilter),
      reviewer_username: optional(usernameFilter()),
      approved_by_usernames: optional(usernamesOrAny('All of them')),
      labels: optional(LabelFilter),
      milestone: optional(MilestoneFilter),
      source_branch: optional(branchFilter()),
      target_branch: optional(branchFilter()),
      draft,
      wip: optional(oneOf(['yes', 'no'])),
      non_archived: optional(flag()),
      created_after: optional(When),
      created_before: optional(When),
      updated_after: optional(When),
      updated_before: optional(When),
      merged_after: optional(When),
      merged_before: optional(When),
      merge_user_id: optional(unlisted(userId())),
      merge_user_username: optional(usernameFilter()),
      order_by: optional(
        forgeDefault(
          'created_at',
          oneOf([
            'created_at',
            'updated_at',
            'priority',
            'label_priority',
            'milestone_due',
            'popularity',
            'title',
            'merged_at'
          ])
        )
      ),
      sort: optional(forgeDefault('desc', oneOf(['asc', 'desc']))),
      with_labels_details: optional(flag()),
      ...Page
    }),
    check: [
      atMostOne('project_id', 'group_id'),
      atMostOne('draft', 'wip'),
      notWith('non_archived', 'project_id'),
      atMostOne('assignee_id', 'assignee_username'),
      atMostOne('author_id', 'author_username'),
      atMostOne('reviewer_id', 'reviewer_username'),
      atMostOne('merge_user_id', 'merge_user_username'),
      onlyMerged
    ],
    adapt: args => milestoneOfMergeRequests(everywhereAll(args)),
    shape: mergedAsAsked,
    notice: allSaid(scopeAndPerson, noQualifiers('search')),
    request: [
      'GET /projects/{project_id}/merge_requests',
      'GET /groups/{group_id}/merge_requests',
      'GET /merge_requests'
    ]
  })
]
