import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { runTable } from '../../support/tool-table.ts'

/* Addresses of a line or a file of a diff, given to what comments on the whole merge request. */

const project_id = 'acme/rocket'
const sha = 'a'.repeat(40)
const home = 'https://forge.example/acme/rocket/-/merge_requests/3'
const anchor = `#${sha}_12_16`

const notes = 'POST /projects/acme%2Frocket/merge_requests/3'
const note = { id: 5, body: 'B' }
const ofFile =
  'merge_request_iid is the address of a file of a diff: the comment is on the whole merge request.'

runTable(mergeRequests, [
  {
    title: 'comments on no whole merge request at the address of a line of its diff',
    tool: 'create_merge_request_note',
    args: { project_id, merge_request_iid: `${home}/diffs${anchor}`, body: 'B' },
    error: `merge_request_iid is the address of a line of a diff: create_merge_request_thread comments on it, with path and line=16, or old_line=12 for a removed line; for a comment on the whole leave out "${anchor}".`
  },
  ...[`/diffs#diff-content-${sha}`, `/diffs#${sha}`, `/diffs?file=${sha}`].flatMap(file => {
    const merge_request_iid = `${home}${file}`
    const notices = [
      ...(file.includes('?') ? ['Filters in the address that are not read: "file".'] : []),
      ofFile
    ]
    return [
      {
        title: `says at the address ${file} of a file of a diff that a comment is on the whole`,
        tool: 'create_merge_request_note',
        args: { project_id, merge_request_iid, body: 'B' },
        exchanges: [{ request: `${notes}/notes`, body: { body: 'B' }, reply: { body: note } }],
        notices
      },
      {
        title: `says at the address ${file} of a file of a diff that a thread is on the whole`,
        tool: 'create_merge_request_thread',
        args: { project_id, merge_request_iid, body: 'B' },
        exchanges: [
          {
            request: `${notes}/discussions`,
            body: { body: 'B' },
            reply: { body: { id: 'd', notes: [note] } }
          }
        ],
        notices
      },
      {
        title: `says at the address ${file} of a file of a diff that a draft is on the whole`,
        tool: 'create_draft_note',
        args: { project_id, merge_request_iid, body: 'B' },
        exchanges: [
          { request: `${notes}/draft_notes`, body: { note: 'B' }, reply: { body: { id: 5, note: 'B' } } }
        ],
        notices
      }
    ]
  }),
  {
    title: 'answers in a thread at the address of a line, which the thread may be at',
    tool: 'create_merge_request_discussion_note',
    args: { project_id, merge_request_iid: `${home}/diffs${anchor}`, discussion_id: sha, body: 'B' },
    exchanges: [{ request: `${notes}/discussions/${sha}/notes`, body: { body: 'B' }, reply: { body: note } }],
    notices: []
  }
])

runTable(issues, [
  ...['merge_request', 'mr'].map(noteable_type => ({
    title: `comments on no whole merge request, named ${noteable_type}, at the address of a line of its diff`,
    tool: 'create_note',
    args: { project_id: `${home}/diffs${anchor}`, noteable_type, noteable_iid: '3', body: 'B' },
    error:
      /^project_id is the address of a line of a diff: create_merge_request_thread comments on it, with path/
  })),
  {
    title: 'comments on an issue of the project at the address of a line of a diff',
    tool: 'create_note',
    args: { project_id: `${home}/diffs${anchor}`, noteable_type: 'issue', noteable_iid: '3', body: 'B' },
    exchanges: [
      { request: 'POST /projects/acme%2Frocket/issues/3/notes', body: { body: 'B' }, reply: { body: note } }
    ]
  }
])
