import { issues } from '../../../tools/issues/index.ts'
import { runTable } from '../../support/tool-table.ts'

const nextPage = {
  'x-page': '1',
  'x-per-page': '20',
  'x-next-page': '2',
  'x-total': '93',
  'x-total-pages': '5'
}

runTable(issues, [
  {
    title: 'takes a weight away where an empty text is given',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', weight: '' },
    exchanges: [{ request: 'PUT /projects/1/issues/7', body: { weight: null }, reply: { body: { iid: 7 } } }],
    result: { iid: 7 }
  },
  {
    title: 'takes people by name, a milestone by title and the project by its web address',
    tool: 'create_issue',
    args: {
      project_id: 'https://forge.example/acme/rocket/-/issues',
      title: 'T',
      assignee_ids: ['@Ada', '7', '3'],
      milestone_id: 'v1'
    },
    exchanges: [
      { request: 'GET /users?username=Ada', reply: { body: [{ id: 3, username: 'ada' }] } },
      {
        request: 'GET /projects/acme%2Frocket/milestones?title=v1&include_ancestors=true',
        reply: { body: [{ id: 9, title: 'v1' }] },
        outsideContract: true
      },
      {
        request: 'POST /projects/acme%2Frocket/issues',
        body: { title: 'T', assignee_ids: [3, 7], milestone_id: 9 },
        reply: { body: { iid: 1 } }
      }
    ],
    result: { iid: 1 }
  },
  {
    title: 'looks up no more people than a few dozen, each of whom takes a request',
    tool: 'create_issue',
    args: { project_id: '1', title: 'a', assignee_ids: Array.from({ length: 51 }, (_, at) => `ada${at}`) },
    exchanges: [],
    error: 'assignee_ids has 51 names to look up, and may have 50: give ids.'
  },
  {
    title: 'says whom nobody is called',
    tool: 'create_issue',
    args: { project_id: '1', title: 'T', assignee_ids: ['nobody'] },
    exchanges: [
      { request: 'GET /users?username=nobody', reply: { body: [] } },
      { request: 'GET /projects/1/users?search=nobody&per_page=3', reply: { body: [] } }
    ],
    error: 'assignee_ids names "nobody", and nobody has that username; find_users finds people by name.'
  },
  {
    title: 'does not take a project of another forge for one of this',
    tool: 'get_issue',
    args: { project_id: 'https://other.example/acme/rocket', issue_iid: '1' },
    error: 'project_id is an address of another forge than https://forge.example.'
  },
  {
    title: 'says that a page is past the end of the list',
    tool: 'list_issues',
    args: { project_id: '/acme/rocket/', scope: 'all', page: 99 },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues?scope=all&page=99',
        reply: {
          body: [],
          headers: { 'x-page': '99', 'x-total-pages': '2', 'x-total': '31', 'x-next-page': '' }
        }
      }
    ],
    result: [],
    notices: ['There is no page 99: the list has 2, 31 records in all.']
  },
  {
    title: 'says of a full page, too, that it is of the caller’s own issues by default',
    tool: 'list_issues',
    args: { project_id: '1', per_page: 1 },
    exchanges: [
      { request: 'GET /projects/1/issues?per_page=1&scope=created_by_me', reply: { body: [{ iid: 1 }] } }
    ],
    notices: [
      'Only issues that you created: scope=all lists everybody’s, scope=assigned_to_me those assigned to you.'
    ]
  },
  {
    title: 'says that a short list is of the caller’s own issues by default',
    tool: 'list_issues',
    args: { project_id: '1' },
    exchanges: [{ request: 'GET /projects/1/issues?scope=created_by_me', reply: { body: [] } }],
    result: [],
    notices: [
      'Only issues that you created: scope=all lists everybody’s, scope=assigned_to_me those assigned to you.'
    ]
  },
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
        request: 'GET /issues?labels=bug%2Cp1&assignee_username%5B%5D=ada&state=opened&page=1&scope=all',
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
    title: 'says where the milestones are when the forge refuses the id of one, which is nobody’s title',
    tool: 'create_issue',
    args: { project_id: '1', title: 'Leak', milestone_id: '99' },
    exchanges: [
      {
        request: 'POST /projects/1/issues',
        body: { title: 'Leak', milestone_id: 99 },
        reply: { status: 400, body: { message: { milestone_id: ['is invalid'] } } }
      },
      { request: 'GET /projects/1/milestones?title=99&include_ancestors=true', reply: { body: [] } }
    ],
    error: /is invalid.*list_milestones has the milestones there are/
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
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'is not asked to add no labels and to take none away',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', add_labels: [], remove_labels: [] },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'says that an issue was moved, as the change is of what is left of it',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', state_event: 'reopen' },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { state_event: 'reopen' },
        reply: { body: { state: 'opened', moved_to_id: 93 } }
      }
    ],
    notices: [
      'This issue was moved to another project, where it goes on with the id 93, which its page here links to: the change is of what is left here.'
    ]
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
    title: 'replies to the thread as list_work_item_notes gives it',
    tool: 'create_issue_note',
    args: {
      project_id: '1',
      issue_iid: '7',
      discussion_id: 'gid://gitlab/IndividualNoteDiscussion/abc',
      body: 'Hi'
    },
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
    result: { summary: ['Closed.'] }
  },
  {
    title: 'says of a comment that stands alone why it cannot be resolved',
    tool: 'update_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'abc', note_id: '3', resolved: true },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7/discussions/abc/notes/3',
        body: { resolved: true },
        reply: { status: 403, body: { message: '403 Forbidden' } }
      },
      {
        request: 'GET /projects/1/issues/7/discussions/abc',
        reply: { body: { id: 'abc', notes: [{ id: 3, resolvable: false }] } }
      }
    ],
    error:
      /It is a comment that stands alone, and cannot be resolved: only threads can: create_issue_note with/
  },
  {
    title: 'sends only resolved when that is given',
    tool: 'update_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'abc', note_id: 3, resolved: true },
    exchanges: [{ request: 'PUT /projects/1/issues/7/discussions/abc/notes/3', body: { resolved: true } }]
  },
  {
    title: 'fails with the message that is documented when neither field is given',
    tool: 'update_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'abc', note_id: '3' },
    error: "At least one of 'body' or 'resolved' must be provided."
  },
  {
    title: 'fails with the message that is documented when both fields are given',
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
      'The forge answered 404 Not Found. Check the project, and that issue_iid is the number in the project, as in #7 and in web addresses, not the id. The forge also answers 404 for what the token may not see.'
  },
  {
    title:
      'leaves a due date that is no word of the filter to the forge, and names those known here where it is refused',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', due_date: '2026-12-01' },
    exchanges: [
      {
        request: 'GET /projects/1/issues?scope=all&due_date=2026-12-01',
        reply: { status: 400, body: { error: 'due_date does not have a valid value' } },
        outsideContract: true
      }
    ],
    error:
      'The forge answered 400 Bad Request: "due_date does not have a valid value". due_date is one of 0, any, today, tomorrow, overdue, week, month, next_month_and_previous_two_weeks.'
  },
  {
    title: 'says of an empty list by two people that both have to be assigned',
    tool: 'list_issues',
    args: { project_id: '1', assignee_username: ['ada', 'linus'] },
    exchanges: [
      {
        request: 'GET /projects/1/issues?assignee_username%5B%5D=ada&assignee_username%5B%5D=linus',
        reply: { body: [] }
      },
      ...['ada', 'linus'].map(username => ({
        request: `GET /users?username=${username}`,
        reply: { body: [{ id: 2, username }] }
      }))
    ],
    result: [],
    notices: [
      'Only what is assigned to all of these people is listed, and without Premium a forge assigns one: list for each alone.'
    ]
  },
  {
    title: 'reads the word for no due date where it is written as a number',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', due_date: 0 },
    exchanges: [{ request: 'GET /projects/1/issues?scope=all&due_date=0', reply: { body: [{ iid: 1 }] } }],
    result: [{ iid: 1 }]
  },
  ...['Upcoming', '#upcoming', 'upcoming'].map(milestone => ({
    title: `lists what is of the next milestones by the argument that the forge has for that word: ${milestone}`,
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', milestone },
    exchanges: [
      { request: 'GET /projects/1/issues?scope=all&milestone_id=Upcoming', reply: { body: [{ iid: 1 }] } }
    ],
    result: [{ iid: 1 }]
  })),
  {
    title: "lists the issues of a project with every filter under the forge's names",
    tool: 'list_issues',
    args: {
      project_id: '1',
      scope: 'all',
      search: 'a b',
      author_username: 'ada',
      assignee_id: 'None',
      milestone: 'v1 & v2',
      issue_type: 'incident',
      confidential: 'true',
      due_date: 'overdue',
      created_after: '2026-01-01T00:00:00+02:00',
      created_before: '2026-02-01T00:00:00Z',
      updated_after: '2026-01-01T00:00:00Z',
      updated_before: '2026-02-01T00:00:00Z',
      with_labels_details: true,
      per_page: 100
    },
    exchanges: [
      {
        request:
          'GET /projects/1/issues?scope=all&search=a+b&author_username=ada&assignee_id=None&milestone=v1+%26+v2&issue_type=incident&confidential=true&due_date=overdue&created_after=2026-01-01T00%3A00%3A00%2B02%3A00&created_before=2026-02-01T00%3A00%3A00Z&updated_after=2026-01-01T00%3A00%3A00Z&updated_before=2026-02-01T00%3A00%3A00Z&with_labels_details=true&per_page=100',
        reply: { body: [{ iid: 3 }] }
      }
    ],
    result: [{ iid: 3 }]
  },
  {
    title: 'passes on iteration_id, which only editions with iterations declare',
    tool: 'list_issues',
    args: { iteration_id: 'None', author_id: 5 },
    exchanges: [
      {
        request: 'GET /issues?iteration_id=None&author_id=5&scope=all',
        reply: { body: [] },
        outsideContract: true
      }
    ],
    result: []
  },
  {
    title: 'takes an empty list for no filter',
    tool: 'list_issues',
    args: { project_id: '1', labels: [], assignee_username: [] },
    exchanges: [{ request: 'GET /projects/1/issues?scope=created_by_me', reply: { body: [] } }],
    result: []
  },
  {
    title: 'lists everybody’s issues of a project where a person or a scope is named',
    tool: 'list_issues',
    args: { project_id: '1', author_username: 'ada' },
    exchanges: [
      { request: 'GET /projects/1/issues?author_username=ada', reply: { body: [] } },
      { request: 'GET /users?username=ada', reply: { body: [{ id: 2, username: 'ada' }] } }
    ],
    result: []
  },
  {
    title: 'refuses two ways to say who wrote it',
    tool: 'list_issues',
    args: { author_id: '5', author_username: 'ada' },
    error: "Only one of 'author_id' or 'author_username' can be provided, not both."
  },
  {
    title: 'says that a login page is not the forge',
    tool: 'list_issues',
    args: {},
    exchanges: [
      { request: 'GET /issues', reply: { headers: { 'content-type': 'text/html' }, body: '<html>Sign in' } }
    ],
    error: /^The forge answered with a web page instead of JSON/
  },
  {
    title: 'filters my issues in one project',
    tool: 'my_issues',
    args: {
      project_id: 'acme/rocket',
      state: 'closed',
      labels: ['bug', 'p1'],
      milestone: 'v1',
      search: 'leak',
      created_after: '2026-01-01',
      created_before: '2026-02-01',
      updated_after: '2026-01-01',
      updated_before: '2026-02-01',
      page: 2,
      per_page: 5
    },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/issues?scope=assigned_to_me&state=closed&labels=bug%2Cp1&milestone=v1&search=leak&created_after=2026-01-01&created_before=2026-02-01&updated_after=2026-01-01&updated_before=2026-02-01&page=2&per_page=5',
        reply: { body: [{ iid: 1 }] }
      }
    ],
    result: [{ iid: 1 }]
  },
  {
    title: 'says of an empty list that it is of open issues only',
    tool: 'my_issues',
    args: {},
    exchanges: [{ request: 'GET /issues?scope=assigned_to_me&state=opened', reply: { body: [] } }],
    result: [],
    notices: ['Only open issues assigned to you: state=all lists closed ones too.']
  },
  {
    title: 'knows no scope, for it has one',
    tool: 'my_issues',
    args: { scope: 'all' },
    error: /^Invalid arguments: unknown argument "scope" \(valid: project_id, group_id, state,/
  },
  {
    title: 'sends every field',
    tool: 'create_issue',
    args: {
      project_id: '1',
      title: 'Leak',
      description: 'Drip',
      assignee_ids: ['5', 6],
      labels: ['a'],
      milestone_id: 3,
      issue_type: 'incident',
      weight: 2
    },
    exchanges: [
      {
        request: 'POST /projects/1/issues',
        body: {
          title: 'Leak',
          description: 'Drip',
          assignee_ids: [5, 6],
          labels: ['a'],
          milestone_id: 3,
          issue_type: 'incident',
          weight: 2
        },
        reply: { status: 201, body: { iid: 8 } }
      }
    ],
    result: { iid: 8 }
  },
  {
    title: 'says why the forge refuses an issue',
    tool: 'create_issue',
    args: { project_id: '1', title: ' ' },
    exchanges: [
      {
        request: 'POST /projects/1/issues',
        body: { title: ' ' },
        reply: { status: 400, body: { message: { title: ["can't be blank"] } } }
      }
    ],
    error: 'The forge answered 400 Bad Request: "title: can\'t be blank".'
  },
  {
    title: 'says that the change may have been made when the answer is cut short',
    tool: 'create_issue',
    args: { project_id: '1', title: 'Leak' },
    exchanges: [
      {
        request: 'POST /projects/1/issues',
        body: { title: 'Leak' },
        reply: { status: 201, body: '{"iid": 8, "ti' }
      }
    ],
    error: /not complete JSON\. The change may or may not have been made/
  },
  {
    title: 'sends every field, and empty lists to clear people and labels',
    tool: 'update_issue',
    args: {
      project_id: '1',
      issue_iid: '7',
      title: 'Leak',
      description: '',
      assignee_ids: [],
      confidential: false,
      discussion_locked: true,
      due_date: '2026-12-24',
      labels: [],
      milestone_id: '0',
      state_event: 'reopen',
      weight: 0,
      issue_type: 'task'
    },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: {
          title: 'Leak',
          description: '',
          assignee_ids: [],
          confidential: false,
          discussion_locked: true,
          due_date: '2026-12-24',
          labels: [],
          milestone_id: 0,
          state_event: 'reopen',
          weight: 0,
          issue_type: 'task'
        }
      }
    ]
  },
  {
    title: 'needs the issue',
    tool: 'update_issue',
    args: { project_id: '1', title: 'Leak' },
    error: 'Invalid arguments: issue_iid is required.'
  },
  {
    title: 'refuses a project path that climbs',
    tool: 'get_issue',
    args: { project_id: 'acme/../other', issue_iid: '7' },
    error: 'project_id has an empty, "." or ".." segment: "acme/../other".'
  },
  {
    title: 'refuses an issue number that is more than a number',
    tool: 'get_issue',
    args: { project_id: '1', issue_iid: '7/notes' },
    error: 'issue_iid must be a number, as in #7 and in web addresses, not "7/notes".'
  },
  {
    title: 'does not take an empty answer for an issue',
    tool: 'get_issue',
    args: { project_id: '1', issue_iid: '7' },
    exchanges: [{ request: 'GET /projects/1/issues/7', reply: { status: 204 } }],
    error: /^The forge answered without a record: check that the API URL/
  },
  {
    title: 'deletes an issue, and says so in words',
    tool: 'delete_issue',
    args: { project_id: 'acme/rocket', issue_iid: '7' },
    exchanges: [{ request: 'DELETE /projects/acme%2Frocket/issues/7', reply: { status: 204 } }],
    result: { status: 'success', message: 'The issue is deleted.' }
  },
  {
    title: 'passes on the words in which a forge tells that it was deleted',
    tool: 'delete_issue',
    args: { project_id: '1', issue_iid: '7' },
    exchanges: [{ request: 'DELETE /projects/1/issues/7', reply: { body: { message: 'Deleted for now' } } }],
    result: { status: 'success', message: 'The issue is deleted.' },
    notices: ['The forge said: "Deleted for now".']
  },
  {
    title: 'says that deleting takes a higher role',
    tool: 'delete_issue',
    args: { project_id: '1', issue_iid: '7' },
    exchanges: [
      {
        request: 'DELETE /projects/1/issues/7',
        reply: { status: 403, body: { message: '403 Forbidden' } }
      },
      { request: 'GET /projects/1', reply: { body: { archived: false } } }
    ],
    error: /^The forge answered 403 Forbidden.*needs a higher role/
  },
  {
    title: 'never deletes without a number',
    tool: 'delete_issue',
    args: { project_id: '1', issue_iid: null },
    error: 'Invalid arguments: issue_iid is required.'
  },
  {
    title: 'needs a text',
    tool: 'create_issue_note',
    args: { project_id: '1', issue_iid: '7', body: null },
    error: 'Invalid arguments: body is required.'
  },
  {
    title: 'keeps a discussion id in its one segment, with the date given',
    tool: 'create_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'a b', body: 'Hi', created_at: '2026-01-01' },
    exchanges: [
      {
        request: 'POST /projects/1/issues/7/discussions/a%20b/notes',
        body: { body: 'Hi', created_at: '2026-01-01' }
      }
    ]
  },
  {
    title: 'refuses a discussion id that climbs',
    tool: 'create_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: '../..', body: 'Hi' },
    error: /^discussion_id has an empty, "\." or "\.\." segment/
  },
  {
    title: 'sends only body when that is given',
    tool: 'update_issue_note',
    args: { project_id: '1', issue_iid: 7, discussion_id: 'abc', note_id: '3', body: 'x', resolved: null },
    exchanges: [{ request: 'PUT /projects/1/issues/7/discussions/abc/notes/3', body: { body: 'x' } }]
  },
  {
    title: 'reopens a thread',
    tool: 'update_issue_note',
    args: { project_id: '1', issue_iid: '7', discussion_id: 'abc', note_id: '3', resolved: false },
    exchanges: [{ request: 'PUT /projects/1/issues/7/discussions/abc/notes/3', body: { resolved: false } }]
  },
  {
    title: 'lists threads with their notes, and says that there are more pages',
    tool: 'list_issue_discussions',
    args: { project_id: '1', issue_iid: 7, page: 1, per_page: 20 },
    exchanges: [
      {
        request: 'GET /projects/1/issues/7/discussions?page=1&per_page=20',
        reply: {
          body: [{ id: 'abc', individual_note: true, notes: [{ id: 3, body: 'Hi', type: null }] }],
          headers: nextPage
        }
      }
    ],
    result: [{ id: 'abc', individual_note: true, notes: [{ id: 3, body: 'Hi' }] }],
    notices: [{ pagination: { page: 1, per_page: 20, next_page: 2, total: 93, total_pages: 5 } }]
  },
  {
    title: 'needs the issue',
    tool: 'list_issue_discussions',
    args: { project_id: '1' },
    error: 'Invalid arguments: issue_iid is required.'
  },
  {
    title: 'comments on an issue',
    tool: 'create_note',
    args: { project_id: 'acme/rocket', noteable_type: 'issue', noteable_iid: 7, body: 'Hi' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/issues/7/notes',
        body: { body: 'Hi' },
        reply: { status: 201, body: { id: 3, body: 'Hi' } }
      }
    ],
    result: { id: 3, body: 'Hi' }
  },
  {
    title: "lists a group's issues that you created, in an order",
    tool: 'list_issues',
    args: { group_id: 'acme', order_by: 'weight', sort: 'asc' },
    exchanges: [
      {
        request: 'GET /groups/acme/issues?order_by=weight&sort=asc&scope=created_by_me',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'lists those of a group that are assigned to you',
    tool: 'my_issues',
    args: { group_id: 'acme' },
    exchanges: [{ request: 'GET /groups/acme/issues?scope=assigned_to_me&state=opened', reply: { body: [] } }]
  },
  {
    title: 'a project and a group contradict each other',
    tool: 'my_issues',
    args: { group_id: 'acme', project_id: 1 },
    error: "Only one of 'project_id' or 'group_id' can be provided, not both."
  },
  {
    title: 'opens a confidential one with a due date',
    tool: 'create_issue',
    args: { project_id: 1, title: 'T', confidential: true, due_date: '2026-12-24' },
    exchanges: [
      {
        request: 'POST /projects/1/issues',
        body: { title: 'T', confidential: true, due_date: '2026-12-24' },
        reply: { status: 201, body: { iid: 1 } }
      }
    ]
  },
  {
    title: 'sets and takes away single labels',
    tool: 'update_issue',
    args: { project_id: 1, issue_iid: 2, add_labels: ['a'], remove_labels: ['b'] },
    exchanges: [{ request: 'PUT /projects/1/issues/2', body: { add_labels: ['a'], remove_labels: ['b'] } }],
    notices: []
  },
  {
    title: 'all labels and single ones contradict each other',
    tool: 'update_issue',
    args: { project_id: 1, issue_iid: 2, labels: [], remove_labels: ['b'] },
    error: "'remove_labels' cannot be given with 'labels'."
  },
  {
    title: 'comments on a merge request',
    tool: 'create_note',
    args: { project_id: '1', noteable_type: 'merge_request', noteable_iid: '7', body: '/draft' },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests/7/notes',
        body: { body: '/draft' },
        reply: { status: 202, body: { commands_changes: {}, summary: ['Done.'] } }
      }
    ],
    result: { summary: ['Done.'] }
  },
  {
    title: 'knows two things to comment on',
    tool: 'create_note',
    args: { project_id: '1', noteable_type: 'snippet', noteable_iid: '7', body: 'Hi' },
    error: 'Invalid arguments: noteable_type must be one of issue, merge_request.'
  },
  {
    title: 'needs to know what to comment on',
    tool: 'create_note',
    args: { project_id: '1', body: 'Hi' },
    error:
      'Invalid arguments: noteable_type is required (one of issue, merge_request); noteable_iid is required.'
  }
])
