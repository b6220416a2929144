import { Type } from 'typebox'
import { idOfPath } from '../../src/engine/facts/id-of-path.ts'
import {
  Confirm,
  IssueIid,
  idOr,
  mayBeDeleted,
  oneOf,
  optional,
  Page,
  ProjectId,
  text
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { firstLine } from '../families/items/first-line.ts'
import { leftBehind } from './left-behind.ts'

const issue = { project_id: ProjectId, issue_iid: IssueIid }
const related = 'GET /projects/{project_id}/issues/{issue_iid}/related_merge_requests'
const closing = 'GET /projects/{project_id}/issues/{issue_iid}/closed_by'

export const issueRows: readonly ToolRow[] = [
  rest({
    name: 'list_issue_related_merge_requests',
    class: 'read',
    does: ['list_merge_requests'],
    beyond: 'shows',
    title: 'MRs of issue',
    summary: 'List merge requests of any project that mention an issue, or that close it when merged.',
    input: Type.Object({
      ...issue,
      relation: optional(oneOf(['related', 'closing'], 'Default related')),
      ...Page
    }),
    request: [related, closing],
    choose: ({ relation }) => (relation === 'closing' ? closing : related),
    local: ['relation'],
    record: 'merge_request'
  }),
  rest({
    name: 'move_issue',
    class: 'write',
    beyond: 'shows',
    does: ['create_issue', 'update_issue'],
    title: 'Move issue',
    summary:
      'Move an issue to another project, whose members then see it, confidential text too; the old one is closed.',
    input: Type.Object({ ...issue, to_project: { ...idOr('Id or full path'), namedIn: 'project' } }),
    request: 'POST /projects/{project_id}/issues/{issue_iid}/move',
    adapt: async ({ to_project, ...args }, context) => ({
      ...args,
      to_project_id: await idOfPath('to_project', { to_project }, context)
    }),
    record: 'issue',
    notice: leftBehind,
    advice: {
      400: [
        [/originates/, 'Give another project in to_project.'],
        [
          /./,
          'It was moved already, or your role in one of both projects is too low: get_issue has moved_to_id.'
        ]
      ]
    }
  }),
  rest({
    name: 'delete_issue_note',
    class: 'destructive',
    title: 'Delete issue note',
    summary: 'Delete a comment of an issue for good.',
    input: Type.Object({ ...issue, note_id: text(), confirm: Confirm('body, or its first line') }),
    request: 'DELETE /projects/{project_id}/issues/{issue_iid}/notes/{note_id}',
    confirm: {
      read: 'GET /projects/{project_id}/issues/{issue_iid}/notes/{note_id}',
      field: 'body',
      noun: 'note',
      shown: firstLine
    },
    local: ['confirm'],
    done: 'The note is deleted.',
    advice: { 404: mayBeDeleted }
  })
]
