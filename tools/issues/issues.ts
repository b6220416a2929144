import { Type } from 'typebox'
import { atMostOne, notWith, someChange } from '../../src/engine/rows/checks.ts'
import {
  changedMarkdown,
  Day,
  DayOrNone,
  flag,
  forgeDefault,
  groupId,
  IssueIid,
  integer,
  MilestoneFilter,
  markdown,
  milestoneId,
  noneIfEmpty,
  OptionalProjectId,
  oneOf,
  optional,
  Page,
  ProjectId,
  replacing,
  text,
  UserFilter,
  userIds,
  usernameFilter,
  usernamesFilter,
  When,
  wordOf
} from '../../src/engine/rows/fields.ts'
import { ChangedLabels, LabelFilter, NewLabels } from '../../src/engine/rows/labels.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { several } from '../../src/engine/rows/several.ts'
import { isEmptyList } from '../../src/results/is-record.ts'
import { allSaid } from '../families/items/all-said.ts'
import { newWeight, weightOrNone } from '../families/items/new-weight.ts'
import { noSuchMilestone } from '../families/items/no-such-milestone.ts'
import { notTaken } from '../families/items/not-taken.ts'
import { severity } from '../families/items/severity.ts'
import { milestoneOfIssues } from '../families/lists/milestone-words.ts'
import { noQualifiers } from '../families/lists/no-qualifiers.ts'
import { oneAssignee } from '../families/people/one-assignee.ts'
import { peopleLeftOut } from '../families/people/people-left-out.ts'
import { scopeAndPerson } from '../families/people/scope-and-person.ts'
import { asAsked } from './as-asked.ts'
import { movedOn } from './moved-on.ts'
import { ofWorkItems, otherTimes } from './of-work-items.ts'
import { ownByDefault, ownOnly } from './own-issues.ts'

const IssueType = oneOf(['issue', 'incident', 'test_case', 'task'])
const State = oneOf(['opened', 'closed', 'all'])
const Weight = optional(integer('Premium'))

const ofBoard = 'as no tool reads boards: a list of one is the issues with its label, which labels takes'

const notDone = allSaid(peopleLeftOut, notTaken)

const updateIssue = rest({
  name: 'update_issue',
  class: 'write',
  beyond: 'shows',
  record: 'issue',
  title: 'Update issue',
  summary: 'Edit, close or reopen; part of the text: update_issue_description_patch.',
  input: Type.Object(
    {
      project_id: ProjectId,
      issue_iid: { ...IssueIid, ofSeveral: 'update_issues' },
      title: optional(noneIfEmpty(text())),
      description: optional(changedMarkdown('create_issue_note')),
      assignee_ids: optional(replacing(userIds('Replaces all: ids or usernames'))),
      confidential: optional(flag()),
      discussion_locked: optional(flag()),
      due_date: optional(DayOrNone),
      ...ChangedLabels,
      milestone_id: optional(milestoneId()),
      state_event: optional({
        ...oneOf(['close', 'reopen']),
        problem: '; update_work_item sets a status such as in_progress'
      }),
      weight: optional(newWeight('Premium; empty for none')),
      issue_type: optional(IssueType)
    },
    { instead: { severity, ...ofWorkItems('which update_work_item takes') } }
  ),
  check: [someChange('project_id', 'issue_iid'), notWith('labels', 'add_labels', 'remove_labels')],
  request: 'PUT /projects/{project_id}/issues/{issue_iid}',
  adapt: ({ weight, ...rest }) => (weight === undefined ? rest : { ...rest, weight: weightOrNone(weight) }),
  numeric: ['milestone_id'],
  advice: noSuchMilestone,
  notice: allSaid(notDone, movedOn)
})

export const issueRows: readonly ToolRow[] = [
  rest({
    name: 'create_issue',
    class: 'write',
    beyond: 'shows',
    record: 'issue',
    title: 'Create issue',
    summary: 'Open an issue.',
    input: Type.Object(
      {
        project_id: ProjectId,
        title: text(),
        description: optional(markdown()),
        assignee_ids: optional(userIds()),
        labels: optional(NewLabels),
        milestone_id: optional(milestoneId('Id or title')),
        issue_type: optional(
          forgeDefault('issue', { ...IssueType, instead: { epic: 'create_work_item makes one' } })
        ),
        confidential: optional(flag()),
        due_date: optional(Day),
        weight: Weight
      },
      {
        instead: {
          severity,
          ...ofWorkItems('which create_work_item takes'),
          group_id: 'create_work_item makes what is in a group',
          status: 'which update_work_item sets afterwards'
        }
      }
    ),
    request: 'POST /projects/{project_id}/issues',
    numeric: ['milestone_id'],
    advice: noSuchMilestone,
    notice: notDone
  }),
  rest({
    name: 'list_issues',
    class: 'read',
    doesWith: { with_labels_details: { true: 'list_labels' } },
    record: 'issue',
    title: 'Issues',
    summary: 'List those you created; with scope=all, all.',
    input: Type.Object(
      {
        project_id: OptionalProjectId,
        group_id: optional(groupId('Or project_id')),
        state: optional(forgeDefault('all', State)),
        scope: optional(
          oneOf(
            ['created_by_me', 'assigned_to_me', 'all'],
            'Default created_by_me, or all where a person is named'
          )
        ),
        search: optional(text()),
        author_id: optional(UserFilter),
        author_username: optional(usernameFilter()),
        assignee_id: optional(UserFilter),
        assignee_username: optional(usernamesFilter('All of them')),
        labels: optional(LabelFilter),
        milestone: optional(MilestoneFilter),
        iteration_id: optional({
          ...text(),
          pattern: '^(?:\\d+|[Nn]one|[Aa]ny)$',
          problem: 'must be an id, None or Any: list_iterations with state=current gives the id of that one'
        }),
        issue_type: optional(IssueType),
        confidential: optional(flag()),
        due_date: optional(
          wordOf(
            [
              '0',
              'any',
              'today',
              'tomorrow',
              'overdue',
              'week',
              'month',
              'next_month_and_previous_two_weeks'
            ],
            'today, tomorrow, overdue, week, month, any or 0'
          )
        ),
        created_after: optional(When),
        created_before: optional(When),
        updated_after: optional(When),
        updated_before: optional(When),
        order_by: optional(
          forgeDefault(
            'created_at',
            oneOf([
              'created_at',
              'updated_at',
              'due_date',
              'priority',
              'label_priority',
              'milestone_due',
              'popularity',
              'relative_position',
              'title',
              'weight'
            ])
          )
        ),
        sort: optional(forgeDefault('desc', oneOf(['asc', 'desc']))),
        with_labels_details: optional(flag()),
        ...Page
      },
      { instead: { ...otherTimes, board_id: ofBoard } }
    ),
    check: [
      atMostOne('project_id', 'group_id'),
      atMostOne('assignee_id', 'assignee_username'),
      atMostOne('author_id', 'author_username')
    ],
    request: ['GET /projects/{project_id}/issues', 'GET /groups/{group_id}/issues', 'GET /issues'],
    adapt: args => ownByDefault(milestoneOfIssues(args)),
    notice: allSaid(ownOnly, scopeAndPerson, noQualifiers('search'), (value, { assignee_username }) =>
      oneAssignee(assignee_username, isEmptyList(value))
    )
  }),
  rest({
    name: 'my_issues',
    class: 'read',
    does: ['list_issues'],
    record: 'issue',
    title: 'My issues',
    summary: 'List issues assigned to you.',
    input: Type.Object(
      {
        project_id: OptionalProjectId,
        group_id: optional(groupId('Or project_id')),
        state: optional(oneOf(['opened', 'closed', 'all'], undefined, 'opened')),
        labels: optional(LabelFilter),
        milestone: optional(MilestoneFilter),
        search: optional(text()),
        created_after: optional(When),
        created_before: optional(When),
        updated_after: optional(When),
        updated_before: optional(When),
        ...Page
      },
      { instead: otherTimes }
    ),
    check: [atMostOne('project_id', 'group_id')],
    request: ['GET /projects/{project_id}/issues', 'GET /groups/{group_id}/issues', 'GET /issues'],
    adapt: milestoneOfIssues,
    // Without a scope, the forge would add "created by me" to the global list.
    fixed: { scope: 'assigned_to_me' },
    notice: allSaid(
      (value, { state }) =>
        state === 'opened' && isEmptyList(value)
          ? 'Only open issues assigned to you: state=all lists closed ones too.'
          : undefined,
      noQualifiers('search')
    )
  }),
  rest({
    name: 'get_issue',
    class: 'read',
    beyond: 'shows',
    record: 'issue',
    title: 'Issue',
    summary: 'Get it with its description.',
    input: Type.Object({
      project_id: ProjectId,
      issue_iid: { ...IssueIid, ofSeveral: 'list_work_items with iids' }
    }),
    request: 'GET /projects/{project_id}/issues/{issue_iid}'
  }),
  updateIssue,
  several({
    of: updateIssue,
    name: 'update_issues',
    title: 'Update issues',
    summary: 'Edit, label, assign or close several, each in its own way.',
    argument: 'issues',
    by: 'issue_iid',
    shared: ['project_id'],
    record: 'changed_issue',
    shown: asAsked
  }),
  rest({
    name: 'delete_issue',
    class: 'destructive',
    title: 'Delete issue',
    summary: 'Delete it for good; update_issue closes.',
    input: Type.Object(
      { project_id: ProjectId, issue_iid: IssueIid },
      { instead: { note_id: 'delete_issue_note deletes a comment' } }
    ),
    request: 'DELETE /projects/{project_id}/issues/{issue_iid}',
    subject: { read: 'GET /projects/{project_id}/issues/{issue_iid}', field: 'title', noun: 'issue' },
    done: 'The issue is deleted.'
  })
]
