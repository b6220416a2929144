import { Type } from 'typebox'
import type { Check } from '../../src/engine/arguments/values.ts'
import { decodeNamespace } from '../../src/engine/requests/template.ts'
import { IssueIid, oneOf, optional, ProjectId, text, wholeList } from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { ArgumentError } from '../../src/results/problem.ts'
import { quotedName } from '../../src/results/visible.ts'

const issue = { project_id: ProjectId, issue_iid: IssueIid }
const link = { ...issue, issue_link_id: text() }

/**
 * The number goes into a request body, so no URL template checks it. For anything but a number the forge would only
 * answer "not found".
 */
const targetIsNumber: Check = ({ target_issue_iid: target }) => {
  if (!/^\d{1,19}$/.test(String(target)))
    throw new ArgumentError(
      'target_issue_iid',
      `must be a number, a reference such as group/project#7 or a web address, not ${quotedName(String(target))}`
    )
}

export const issueLinkRows: readonly ToolRow[] = [
  rest({
    name: 'list_issue_links',
    class: 'read',
    beyond: 'shows',
    record: 'issue_link',
    title: 'Issue links',
    summary: 'List linked issues with issue_link_id.',
    input: Type.Object(issue, wholeList),
    request: 'GET /projects/{project_id}/issues/{issue_iid}/links'
  }),
  rest({
    name: 'get_issue_link',
    class: 'read',
    beyond: 'shows',
    record: 'issue_link',
    title: 'Issue link',
    summary: 'Get one with both issues.',
    input: Type.Object(link),
    request: 'GET /projects/{project_id}/issues/{issue_iid}/links/{issue_link_id}'
  }),
  rest({
    name: 'create_issue_link',
    class: 'write',
    record: 'issue_link',
    title: 'Link issues',
    summary: 'Link it to a target issue.',
    input: Type.Object({
      ...issue,
      issue_iid: { ...IssueIid, namedIn: 'issue' },
      target_project_id: optional({ ...text('Default project_id'), namedIn: 'project' }),
      target_issue_iid: { ...text(), namedIn: 'issue' },
      link_type: optional(
        oneOf(['relates_to', 'blocks', 'is_blocked_by'], 'What issue_iid does to the target', 'relates_to')
      )
    }),
    check: [targetIsNumber],
    request: 'POST /projects/{project_id}/issues/{issue_iid}/links',
    // The forge does not decode a path in a body, so it would not find a URL-encoded one.
    adapt: args => ({
      ...args,
      target_project_id: decodeNamespace(
        'target_project_id',
        String(args.target_project_id ?? args.project_id)
      )
    }),
    advice: {
      409: 'The two issues are linked already: see list_issue_links. To link them in another way, delete_issue_link first.'
    }
  }),
  rest({
    name: 'delete_issue_link',
    class: 'destructive',
    title: 'Unlink issues',
    summary: 'Remove it; the issues stay.',
    input: Type.Object(link),
    request: 'DELETE /projects/{project_id}/issues/{issue_iid}/links/{issue_link_id}',
    undo: 'create_issue_link links them again.',
    done: 'The link is removed.'
  })
]
