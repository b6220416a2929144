import { issues } from '../../../tools/issues/index.ts'
import { runTable } from '../../support/tool-table.ts'

runTable(issues, [
  {
    title: 'lists without a filter, which the forge takes for pending',
    tool: 'list_todos',
    args: {},
    exchanges: [
      {
        request: 'GET /todos',
        reply: { body: [{ id: 4, state: 'pending', group: null }], headers: { 'x-next-page': '' } }
      }
    ],
    result: [{ id: 4, state: 'pending' }],
    notices: []
  },
  {
    title: 'passes on every filter, colons of a type encoded',
    tool: 'list_todos',
    args: {
      action: 'directly_addressed',
      author_id: '5',
      project_id: 1,
      group_id: 2,
      state: 'done',
      type: 'DesignManagement::Design',
      page: 2,
      per_page: 50
    },
    exchanges: [
      {
        request:
          'GET /todos?action=directly_addressed&author_id=5&project_id=1&group_id=2&state=done&type=DesignManagement%3A%3ADesign&page=2&per_page=50',
        reply: { body: [], headers: { 'x-page': '2', 'x-per-page': '50', 'x-next-page': '3' } }
      }
    ],
    result: [],
    notices: [{ pagination: { page: 2, per_page: 50, next_page: 3 } }]
  },
  {
    title: 'filters by a group that is given by its path',
    tool: 'list_todos',
    args: { group_id: 'acme/fleet', state: 'pending' },
    exchanges: [
      { request: 'GET /groups/acme%2Ffleet', reply: { body: { id: 7 } } },
      { request: 'GET /todos?group_id=7&state=pending', reply: { body: [] } }
    ],
    result: []
  },
  {
    title: 'is not narrowed to FORGE_PROJECT_ID, for it is about a person and not a project',
    tool: 'list_todos',
    args: { project_id: null },
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [{ request: 'GET /todos', reply: { body: [] } }],
    result: [],
    notices: ['Only pending ones: state=done lists those that are done.']
  },
  {
    title: 'takes a project by its path, too, and gives the forge its number',
    tool: 'list_todos',
    args: { project_id: 'acme/rocket', state: 'done' },
    exchanges: [
      { request: 'GET /projects/acme%2Frocket', reply: { body: { id: 41 } } },
      { request: 'GET /todos?project_id=41&state=done', reply: { body: [] } }
    ],
    result: []
  },
  {
    title: 'names the actions there are',
    tool: 'list_todos',
    args: { action: 'reviewed' },
    error:
      'Invalid arguments: action must be one of assigned, mentioned, build_failed, marked, approval_required, unmergeable, directly_addressed, merge_train_removed, member_access_requested; without it all are listed, and each says its action_name.'
  },
  {
    title: 'names the types there are',
    tool: 'list_todos',
    args: { type: 'Pipeline' },
    error:
      /^Invalid arguments: type must be one of Issue, MergeRequest, Commit, Epic, DesignManagement::Design,/
  },
  {
    title: 'asks for no more than the forge gives',
    tool: 'list_todos',
    args: { per_page: 101 },
    error: /^Invalid arguments: per_page must be <= 100\.$/
  },
  {
    title: 'says that a list was cut short on the way',
    tool: 'list_todos',
    args: {},
    exchanges: [{ request: 'GET /todos', reply: { body: '[{"id":4' } }],
    error: 'The forge answered with something that is not complete JSON.'
  },
  {
    title: 'marks one and returns it as it then is',
    tool: 'mark_todo_done',
    args: { id: 102 },
    exchanges: [
      {
        request: 'POST /todos/102/mark_as_done',
        body: {},
        reply: { status: 201, body: { id: 102, state: 'done' } }
      }
    ],
    result: { id: 102, state: 'done' }
  },
  {
    title: 'takes the number as a string too',
    tool: 'mark_todo_done',
    args: { id: '102' },
    exchanges: [
      { request: 'POST /todos/102/mark_as_done', body: {}, reply: { status: 201, body: { id: 102 } } }
    ]
  },
  {
    title: 'never marks all when the one is missing',
    tool: 'mark_todo_done',
    args: { id: null },
    error: 'Invalid arguments: id is required.'
  },
  {
    title: 'takes no name for an id',
    tool: 'mark_todo_done',
    args: { id: '../mark_as_done?' },
    error: 'Invalid arguments: id must be an integer, not the string "../mark_as_done?".'
  },
  {
    title: 'says what to check when the to-do is not one of the caller',
    tool: 'mark_todo_done',
    args: { id: 999 },
    exchanges: [
      {
        request: 'POST /todos/999/mark_as_done',
        body: {},
        reply: { status: 404, body: { message: '404 Not found' } }
      }
    ],
    error: /^The forge answered 404 Not Found.*list_todos has them/
  },
  {
    title: 'marks all, and answers in words where the forge answers nothing',
    tool: 'mark_all_todos_done',
    args: {},
    exchanges: [{ request: 'POST /todos/mark_as_done', body: {}, reply: { status: 204 } }],
    result: { status: 'success', message: 'All your pending to-dos are marked as done.' }
  },
  {
    title: 'takes no arguments, so that a filter is not taken for one',
    tool: 'mark_all_todos_done',
    args: { project_id: 1 },
    error: 'Invalid arguments: unknown argument "project_id" (valid: none).'
  }
])
