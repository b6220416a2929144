import { Type } from 'typebox'
import {
  forgeDefault,
  groupNumber,
  oneOf,
  optional,
  Page,
  projectNumber,
  userNumber
} from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import { isEmptyList } from '../../../src/results/is-record.ts'
import { commentTools } from '../../families/items/comment-tools.ts'

const Id = (description: string) => Type.Integer({ minimum: 1, description })

const Action = {
  ...oneOf([
    'assigned',
    'mentioned',
    'build_failed',
    'marked',
    'approval_required',
    'unmergeable',
    'directly_addressed',
    'merge_train_removed',
    'member_access_requested'
  ]),
  // To-dos have more kinds of actions than the forge can filter by.
  problem: '; without it all are listed, and each says its action_name'
}

const Target = oneOf([
  'Issue',
  'MergeRequest',
  'Commit',
  'Epic',
  'DesignManagement::Design',
  'AlertManagement::Alert',
  'Project',
  'Namespace',
  'Vulnerability',
  'WikiPage::Meta'
])

/** The body of a to-do is that of a comment, if it is about one. */
const shows = { body: commentTools }

export const todoRows: readonly ToolRow[] = [
  rest({
    name: 'list_todos',
    class: 'read',
    record: 'todo',
    shows,
    title: 'To-dos',
    summary: 'List your to-dos.',
    input: Type.Object({
      action: optional(Action),
      author_id: optional(userNumber()),
      project_id: optional(projectNumber()),
      group_id: optional(groupNumber()),
      state: optional(forgeDefault('pending', oneOf(['pending', 'done']))),
      type: optional(Target),
      ...Page
    }),
    request: 'GET /todos',
    notice: (value, { state }) =>
      state === undefined && isEmptyList(value)
        ? 'Only pending ones: state=done lists those that are done.'
        : undefined
  }),
  rest({
    name: 'mark_todo_done',
    class: 'write',
    record: 'todo',
    shows,
    title: 'Mark to-do done',
    summary: 'Mark one of list_todos done.',
    input: Type.Object({ id: Id('From list_todos') }),
    request: 'POST /todos/{id}/mark_as_done',
    advice: { 404: 'There is no such to-do of yours: list_todos has them, each with the id that is meant.' }
  }),
  rest({
    name: 'mark_all_todos_done',
    class: 'write',
    does: ['mark_todo_done'],
    title: 'Mark all to-dos done',
    summary: 'Mark all of yours done, in every project.',
    input: Type.Object({}),
    request: 'POST /todos/mark_as_done',
    done: 'All your pending to-dos are marked as done.'
  })
]
