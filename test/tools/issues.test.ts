import { issues } from '../../tools/issues/index.ts'
import { runTable } from '../support/tool-table.ts'

const nextPage = {
  'x-page': '1',
  'x-per-page': '20',
  'x-next-page': '2',
  'x-total': '93',
  'x-total-pages': '5'
}

runTable(issues, [
  {
    title: 'reads one issue and leaves out nulls, links and avatars',
    tool: 'get_issue',
    args: { project_id: 'acme/rocket', issue_iid: 7 },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues/7',
        reply: {
          body: {
            iid: 7,
            title: 'Leak',
            closed_at: null,
            _links: { self: 'x' },
            time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null },
            author: { id: 1, username: 'ada', name: 'Ada', state: 'active', avatar_url: null, web_url: 'x' }
          }
        }
      }
    ],
    result: { iid: 7, title: 'Leak', author: { id: 1, username: 'ada', name: 'Ada' } }
  },
  {
    title: 'takes a project path that is already encoded as the same project',
    tool: 'get_issue',
    args: { project_id: 'acme%2Frocket', issue_iid: '7' },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/issues/7' }]
  },
  {
    title: 'lists across projects without project_id, and says that there are more pages',
    tool: 'list_issues',
    args: { labels: ['bug', 'p1'], assignee_username: ['ada'], state: 'opened', page: '1' },
    exchanges: [
      {
        request: 'GET /issues?labels=bug%2Cp1&assignee_username%5B%5D=ada&state=opened&page=1',
        reply: { body: [{ iid: 1 }], headers: nextPage }
      }
    ],
    result: [{ iid: 1 }],
    notices: [{ pagination: { page: 1, per_page: 20, next_page: 2, total: 93, total_pages: 5 } }]
  },
  {
    title: 'refuses two ways to say who is assigned before anything is sent',
    tool: 'list_issues',
    args: { assignee_id: '5', assignee_username: ['ada'] },
    error: "Only one of 'assignee_id' or 'assignee_username' can be provided, not both."
  },
  {
    title: 'sends a milestone id as the number the forge wants',
    tool: 'create_issue',
    args: { project_id: '1', title: 'Leak', milestone_id: '12', labels: ['bug'], weight: null },
    exchanges: [
      {
        request: 'POST /projects/1/issues',
        body: { title: 'Leak', milestone_id: 12, labels: ['bug'] },
        reply: { status: 201, body: { iid: 8 } }
      }
    ],
    result: { iid: 8 }
  },
  {
    title: 'needs a title',
    tool: 'create_issue',
    args: { project_id: '1' },
    error: 'Invalid arguments: title is required.'
  },
  {
    title: 'needs something to change',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', title: null },
    error: 'Nothing to update: give at least one field to change.'
  },
  {
    title: 'closes an issue',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', state_event: 'close' },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { state_event: 'close' },
        reply: { body: { state: 'closed' } }
      }
    ],
    result: { state: 'closed' }
  },
  {
    title: 'asks for what is assigned to me everywhere, open ones by default',
    tool: 'my_issues',
    args: {},
    exchanges: [{ request: 'GET /issues?scope=assigned_to_me&state=opened', reply: { body: [] } }],
    result: []
  },
  {
    title: 'stays in FORGE_PROJECT_ID when it is set and no project is named',
    tool: 'my_issues',
    args: { state: 'all' },
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [
      { request: 'GET /projects/acme%2Frocket/issues?scope=assigned_to_me&state=all', reply: { body: [] } }
    ],
    result: []
  },
  {
    title: 'comments on the issue without discussion_id',
    tool: 'create_issue_note',
    args: { project_id: '1', issue_iid: '7', body: 'Hi' },
    exchanges: [
      {
        request: 'POST /projects/1/issues/7/notes',
        body: { body: 'Hi' },
        reply: { status: 201, body: { id: 3 } }
      }
    ],
    result: { id: 3 }
  },
  {
    title: 'replies to the thread with discussion_id',
    tool: 'create_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'abc', body: 'Hi' },
    exchanges: [{ request: 'POST /projects/1/issues/7/discussions/abc/notes', body: { body: 'Hi' } }]
  },
  {
    title: 'passes on a note of quick actions, which has no id',
    tool: 'create_issue_note',
    args: { project_id: '1', issue_iid: '7', body: '/close' },
    exchanges: [
      {
        request: 'POST /projects/1/issues/7/notes',
        body: { body: '/close' },
        reply: { status: 202, body: { commands_changes: {}, summary: ['Closed.'] } }
      }
    ],
    result: { commands_changes: {}, summary: ['Closed.'] }
  },
  {
    title: 'sends only resolved when that is given',
    tool: 'update_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'abc', note_id: 3, resolved: true },
    exchanges: [{ request: 'PUT /projects/1/issues/7/discussions/abc/notes/3', body: { resolved: true } }]
  },
  {
    title: 'fails with the message of the spec when neither field is given',
    tool: 'update_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'abc', note_id: '3' },
    error: "At least one of 'body' or 'resolved' must be provided."
  },
  {
    title: 'fails with the message of the spec when both fields are given',
    tool: 'update_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'abc', note_id: '3', body: 'x', resolved: false },
    error: "Only one of 'body' or 'resolved' can be provided, not both."
  },
  {
    title: 'says what to do about an issue that is not there',
    tool: 'get_issue',
    args: { project_id: '1', issue_iid: '999' },
    exchanges: [
      { request: 'GET /projects/1/issues/999', reply: { status: 404, body: { message: '404 Not found' } } }
    ],
    error:
      'The forge answered 404 Not Found: 404 Not found. Check the ids and paths. The forge also answers 404 for what the token may not see.'
  }
])
