import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { runTable } from '../../support/tool-table.ts'

const one = { project_id: '1', merge_request_iid: '12' }
const base = '/projects/1/merge_requests/12'
const position = {
  base_sha: 'b',
  start_sha: 's',
  head_sha: 'h',
  position_type: 'text',
  new_path: 'a.ts',
  old_path: 'a.ts',
  new_line: 7
}

runTable(mergeRequests, [
  {
    title: 'lists notes and sends no order that was not asked for',
    tool: 'get_merge_request_notes',
    args: one,
    exchanges: [{ request: `GET ${base}/notes`, reply: { body: [{ id: 1, type: null }] } }],
    result: [{ id: 1 }]
  },
  {
    title: 'lists notes in the order asked for',
    tool: 'get_merge_request_notes',
    args: { ...one, sort: 'asc', order_by: 'updated_at', page: 2, per_page: 5 },
    exchanges: [
      {
        request: `GET ${base}/notes?sort=asc&order_by=updated_at&page=2&per_page=5`,
        reply: { body: [], headers: { 'x-next-page': '3', 'x-page': '2' } }
      }
    ],
    result: [],
    notices: [{ pagination: { page: 2, next_page: 3 } }]
  },
  {
    title: 'gets one note',
    tool: 'get_merge_request_note',
    args: { ...one, note_id: 3 },
    exchanges: [{ request: `GET ${base}/notes/3`, reply: { body: { id: 3, body: 'Hi' } } }],
    result: { id: 3, body: 'Hi' }
  },
  {
    title: 'comments',
    tool: 'create_merge_request_note',
    args: { ...one, body: 'Hi' },
    exchanges: [
      { request: `POST ${base}/notes`, body: { body: 'Hi' }, reply: { status: 201, body: { id: 3 } } }
    ],
    result: { id: 3 }
  },
  {
    title: 'passes on what quick actions did, which is a 202 without an id',
    tool: 'create_merge_request_note',
    args: { ...one, body: '/close' },
    exchanges: [
      {
        request: `POST ${base}/notes`,
        body: { body: '/close' },
        reply: { status: 202, body: { commands_changes: { state_event: 'close' }, summary: ['Closed.'] } }
      }
    ],
    result: { commands_changes: { state_event: 'close' }, summary: ['Closed.'] }
  },
  {
    title: 'needs a text',
    tool: 'create_merge_request_note',
    args: { ...one, body: null },
    error: 'Invalid arguments: body is required.'
  },
  {
    title: 'edits a note',
    tool: 'update_merge_request_note',
    args: { ...one, note_id: '3', body: 'Hello' },
    exchanges: [{ request: `PUT ${base}/notes/3`, body: { body: 'Hello' }, reply: { body: { id: 3 } } }],
    result: { id: 3 }
  },
  {
    title: 'deletes a note',
    tool: 'delete_merge_request_note',
    args: { ...one, note_id: '3' },
    exchanges: [{ request: `DELETE ${base}/notes/3`, reply: { status: 204 } }],
    result: { status: 'success', message: 'The note is deleted.' }
  },
  {
    title: 'does not say that a note is deleted when the forge refuses',
    tool: 'delete_merge_request_note',
    args: { ...one, note_id: '3' },
    exchanges: [
      { request: `DELETE ${base}/notes/3`, reply: { status: 403, body: { message: 'no' } } },
      { request: 'GET /projects/1', reply: { body: { archived: false } } }
    ],
    error: /^The forge answered 403 Forbidden: "no"\./
  },
  {
    title: 'does not say that a note is deleted when a login page answers',
    tool: 'delete_merge_request_note',
    args: { ...one, note_id: '3' },
    exchanges: [{ request: `DELETE ${base}/notes/3`, reply: { body: '<html>' } }],
    error: /web page instead of JSON.*look before you repeat/
  },
  {
    title: 'lists discussions and says that there are more',
    tool: 'mr_discussions',
    args: { ...one, per_page: '1' },
    exchanges: [
      {
        request: `GET ${base}/discussions?per_page=1`,
        reply: { body: [{ id: 'abc', notes: [{ id: 3 }] }], headers: { 'x-next-page': '2' } }
      }
    ],
    result: [{ id: 'abc', notes: [{ id: 3 }] }],
    notices: [{ pagination: { next_page: 2 } }]
  },
  {
    title: 'cuts the page that is asked for out of the threads that are not resolved',
    tool: 'mr_discussions',
    args: { ...one, resolved: false, page: 2, per_page: 2 },
    exchanges: [
      {
        request: `GET ${base}/discussions?per_page=100&page=1`,
        reply: {
          body: ['a', 'b', 'c'].flatMap(id => [
            { id, notes: [{ id: 3, resolvable: true, resolved: false }] },
            { id: `${id}-alone`, notes: [{ id: 4, resolvable: false }] }
          ])
        }
      }
    ],
    result: [{ id: 'c', notes: [{ id: 3, resolvable: true, resolved: false }] }],
    notices: []
  },
  {
    title: 'starts a thread on a line, without nulls and with digits as numbers',
    tool: 'create_merge_request_thread',
    args: {
      ...one,
      body: 'Why?',
      position: { ...position, new_line: '7', old_line: null },
      created_at: '2026-01-01T00:00:00Z'
    },
    exchanges: [
      {
        request: `POST ${base}/discussions`,
        body: { body: 'Why?', position, created_at: '2026-01-01T00:00:00Z' },
        reply: { status: 201, body: { id: 'abc' } }
      }
    ],
    result: { id: 'abc' }
  },
  {
    title: 'takes a position for one on a line when it does not say otherwise',
    tool: 'create_merge_request_thread',
    args: { ...one, body: 'Why?', position: { base_sha: 'b', start_sha: 's', head_sha: 'h', new_line: 7 } },
    exchanges: [
      {
        request: `POST ${base}/discussions`,
        body: {
          body: 'Why?',
          position: { base_sha: 'b', start_sha: 's', head_sha: 'h', new_line: 7, position_type: 'text' }
        },
        reply: { status: 201, body: { id: 'abc' } }
      }
    ],
    result: { id: 'abc' }
  },
  {
    title: 'sends the fields of a position that are not listed',
    tool: 'create_merge_request_thread',
    args: {
      ...one,
      body: 'Why?',
      position: { ...position, position_type: 'image', width: 3, height: 4, x: 1, y: 2 }
    },
    exchanges: [
      {
        request: `POST ${base}/discussions`,
        body: {
          body: 'Why?',
          position: { ...position, position_type: 'image', width: 3, height: 4, x: 1, y: 2 }
        },
        reply: { status: 201, body: { id: 'abc' } }
      }
    ],
    result: { id: 'abc' }
  },
  {
    title: 'names what a position lacks and what it does not have',
    tool: 'create_merge_request_thread',
    args: { ...one, body: 'Why?', position: { base_sha: 'b', start_sha: 's', newline: 7 } },
    error:
      /unknown argument "position\.newline", did you mean "position\.new_line"\?; .*position\.head_sha is required/
  },
  {
    title: 'says of a thread that is not there where its id comes from',
    tool: 'resolve_merge_request_thread',
    args: { project_id: '1', merge_request_iid: '12', discussion_id: '9015', resolved: true },
    exchanges: [
      {
        request: 'PUT /projects/1/merge_requests/12/discussions/9015',
        body: { resolved: true },
        reply: { status: 404, body: { message: '404 Discussion Not Found' } }
      }
    ],
    error:
      'The forge answered 404 Not Found: "404 Discussion Not Found". discussion_id is the id of a thread, as mr_discussions and list_issue_discussions give it; a number is the id of a note.'
  },
  {
    title: 'resolves a thread and says so, without the notes that its caller has read',
    tool: 'resolve_merge_request_thread',
    args: { ...one, discussion_id: 'abc', resolved: true },
    exchanges: [
      {
        request: `PUT ${base}/discussions/abc`,
        body: { resolved: true },
        reply: { body: { id: 'abc', notes: [{ id: 3, resolved: true }] } }
      }
    ],
    result: { id: 'abc', resolved: true }
  },
  {
    title: 'reopens a thread',
    tool: 'resolve_merge_request_thread',
    args: { ...one, discussion_id: 'abc', resolved: 'false' },
    exchanges: [
      {
        request: `PUT ${base}/discussions/abc`,
        body: { resolved: false },
        reply: { body: { id: 'abc', notes: [{ id: 3, resolved: false }] } }
      }
    ],
    result: { id: 'abc', resolved: false }
  },
  {
    title: 'needs to be told whether to resolve',
    tool: 'resolve_merge_request_thread',
    args: { ...one, discussion_id: 'abc' },
    error: /^Invalid arguments: resolved is required/
  },
  {
    title: 'refuses a discussion id that climbs',
    tool: 'resolve_merge_request_thread',
    args: { ...one, discussion_id: '../notes', resolved: true },
    error: 'discussion_id has an empty, "." or ".." segment: "../notes".'
  },
  {
    title: 'says who may resolve',
    tool: 'resolve_merge_request_thread',
    args: { ...one, discussion_id: 'abc', resolved: true },
    exchanges: [
      {
        request: `PUT ${base}/discussions/abc`,
        body: { resolved: true },
        reply: { status: 403, body: { message: '403 Forbidden' } }
      },
      { request: `GET ${base}/discussions/abc`, reply: { body: { notes: [{ id: 3, resolvable: true }] } } },
      { request: 'GET /projects/1', reply: { body: { archived: false } } }
    ],
    error: /^The forge answered 403 Forbidden\. Resolving takes the Developer role/
  },
  {
    title: 'says that a comment on its own is no thread',
    tool: 'resolve_merge_request_thread',
    args: { ...one, discussion_id: 'abc', resolved: true },
    exchanges: [
      {
        request: `PUT ${base}/discussions/abc`,
        body: { resolved: true },
        reply: { status: 403, body: { message: '403 Forbidden' } }
      },
      { request: `GET ${base}/discussions/abc`, reply: { body: { notes: [{ id: 3, resolvable: false }] } } }
    ],
    error: /^The forge answered 403 Forbidden\. It is a comment that stands alone, and cannot be resolved/
  },
  {
    title: 'replies to a thread',
    tool: 'create_merge_request_discussion_note',
    args: { ...one, discussion_id: 'abc', body: 'Because.', created_at: null },
    exchanges: [
      {
        request: `POST ${base}/discussions/abc/notes`,
        body: { body: 'Because.' },
        reply: { status: 201, body: { id: 4 } }
      }
    ],
    result: { id: 4 }
  },
  {
    title: 'sends only the text when that is given',
    tool: 'update_merge_request_discussion_note',
    args: { ...one, discussion_id: 'abc', note_id: 4, body: 'Because!', resolved: null },
    exchanges: [{ request: `PUT ${base}/discussions/abc/notes/4`, body: { body: 'Because!' } }]
  },
  {
    title: 'sends only resolved when that is given',
    tool: 'update_merge_request_discussion_note',
    args: { ...one, discussion_id: 'abc', note_id: 4, resolved: false },
    exchanges: [{ request: `PUT ${base}/discussions/abc/notes/4`, body: { resolved: false } }]
  },
  {
    title: 'fails with the message that is documented when neither field is given',
    tool: 'update_merge_request_discussion_note',
    args: { ...one, discussion_id: 'abc', note_id: '4' },
    error: "At least one of 'body' or 'resolved' must be provided."
  },
  {
    title: 'fails with the message that is documented when both fields are given',
    tool: 'update_merge_request_discussion_note',
    args: { ...one, discussion_id: 'abc', note_id: '4', body: 'x', resolved: true },
    error: "Only one of 'body' or 'resolved' can be provided, not both."
  },
  {
    title: 'deletes a note of a thread',
    tool: 'delete_merge_request_discussion_note',
    args: { ...one, discussion_id: 'abc', note_id: '4' },
    exchanges: [{ request: `DELETE ${base}/discussions/abc/notes/4`, reply: { status: 204 } }],
    result: { status: 'success', message: 'The note is deleted.' }
  }
])
