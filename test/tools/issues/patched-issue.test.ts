import { issues } from '../../../tools/issues/index.ts'
import { type Case, type Exchange, runTable } from '../../support/tool-table.ts'

const tool = 'update_issue_description_patch'
const path = '/projects/acme%2Frocket/issues/7'
const where = { project_id: 'acme/rocket', issue_iid: 7 }
const patch = '<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE'
const args = { ...where, patch_type: 'search_replace', patch }
const summary = '1. 1 × "b" → "B"'

const read = (description: unknown, more: object = {}): Exchange => ({
  request: `GET ${path}`,
  reply: { body: { iid: 7, description, ...more } }
})
const written = (description: string, reply: Exchange['reply'] = {}): Exchange => ({
  request: `PUT ${path}`,
  body: { description },
  reply: { body: { iid: 7, title: 'Leak', web_url: 'https://x/7', updated_at: 'now', description }, ...reply }
})
const noted = (reply: Exchange['reply'] = { status: 201, body: { id: 9 } }): Exchange => ({
  request: `POST ${path}/notes`,
  body: { body: `The description was changed by a patch:\n\n\`\`\`text\n${summary}\n\`\`\`` },
  reply
})
const issue = { iid: 7, title: 'Leak', web_url: 'https://x/7', updated_at: 'now' }
const success = { status: 'success', changes: 1, summary, issue }

const cases: Omit<Case, 'tool'>[] = [
  {
    title: 'reads, looks once more just before writing, writes only the description',
    args,
    exchanges: [read('a\nb'), read('a\nb'), written('a\nB')],
    result: success,
    notices: []
  },
  {
    title: 'says that the issue was moved, as the change is of what is left of it',
    args,
    exchanges: [
      read('a\nb', { moved_to_id: 93 }),
      read('a\nb', { moved_to_id: 93 }),
      written('a\nB', { body: { iid: 7, description: 'a\nB', moved_to_id: 93 } })
    ],
    notices: [
      'This issue was moved to another project, where it goes on with the id 93, which its page here links to: the change is of what is left here.'
    ]
  },
  {
    title: 'goes on when something else of the issue changed in between',
    args,
    exchanges: [read('a\nb', { updated_at: 1 }), read('a\nb', { updated_at: 2 }), written('a\nB')],
    result: success
  },
  {
    title: 'writes nothing when somebody else changed the description in between',
    args,
    exchanges: [read('a\nb'), read('a\nb\nc')],
    error:
      'Somebody else changed the description in between. Nothing was written: read the issue again and make a new patch.'
  },
  ...[
    { status: 404, body: { message: '404 Not found' } },
    { status: 500, body: { message: 'x' } },
    { status: 200, body: {} }
  ].map(reply => ({
    title: `says that it was the second look that failed: ${JSON.stringify(reply)}`,
    args,
    exchanges: [read('a\nb'), { ...read(''), reply }],
    error:
      /^The forge answered .*\. So the description, which was read before, could not be looked at again before writing: it must not have changed in between\. Nothing was written\.( The trouble is on its side: try again later\.)?$/
  })),
  {
    title: 'notices that somebody else emptied it in between',
    args,
    exchanges: [read('a\nb'), read(null)],
    error: /^Somebody else changed the description/
  },
  {
    title: 'puts no line there that stands for what it replaces',
    args: { ...args, patch: patch.replace('\nB\n', '\n[rest of description unchanged]\n') },
    exchanges: [read('a\nb')],
    error:
      'patch puts the line "[rest of description unchanged]" into the description, which would be there instead of what it stands for. Nothing was done. Patch what is before it and after it one by one; where the line is meant, add a word to it.'
  },
  {
    title: 'puts no such line there by a unified diff, either',
    args: { ...args, patch_type: 'unified_diff', patch: '@@ -2,1 +2,1 @@\n-b\n+... existing notes ...' },
    exchanges: [read('a\nb')],
    error: /^patch puts the line "\.\.\. existing notes \.\.\."/
  },
  {
    title: 'keeps such a line that the description has',
    args,
    exchanges: [read('[...]\nb'), read('[...]\nb'), written('[...]\nB')],
    result: success
  },
  {
    title: 'only reads for a preview, and adds no note',
    args: { ...args, dry_run: true, create_note: true },
    exchanges: [read('a\nb')],
    result: {
      status: 'preview',
      dry_run: true,
      changes: 1,
      summary,
      preview: `${'='.repeat(67)}\n--- current\n+++ updated\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n`
    }
  },
  {
    title: 'applies a unified diff, for which allow_multiple means nothing',
    args: {
      ...where,
      patch_type: 'unified_diff',
      patch: '@@ -1,2 +1,2 @@\n a\n-b\n+B',
      allow_multiple: true
    },
    exchanges: [read('a\nb'), read('a\nb'), written('a\nB')],
    result: { ...success, changes: 2, summary: 'Line 1: -1 +1' }
  },
  {
    title: 'writes CRLF back where the description has it throughout',
    args,
    exchanges: [read('a\r\nb'), read('a\r\nb'), written('a\r\nB')],
    result: success,
    notices: []
  },
  {
    title: 'refuses more than one match',
    args: { ...args, allow_multiple: null },
    exchanges: [read('b b')],
    error: /^Block 1: its search text is in the description 2 times\..*or set allow_multiple\.$/
  },
  {
    title: 'replaces every match with allow_multiple',
    args: { ...args, allow_multiple: true },
    exchanges: [read('b b'), read('b b'), written('B B')],
    result: { ...success, changes: 2, summary: '1. 2 × "b" → "B"' }
  },
  {
    title: 'writes into an issue without a description by a unified diff',
    args: { ...where, patch_type: 'unified_diff', patch: '@@ -0,0 +1 @@\n+a' },
    exchanges: [read(null), read(null), written('a\n')],
    result: { ...success, summary: 'Line 1: -0 +1' }
  },
  {
    title: 'adds a note behind a fence when asked to',
    args: { ...args, create_note: true },
    exchanges: [read('a\nb'), read('a\nb'), written('a\nB'), noted()],
    result: { ...success, note: { status: 'created' } }
  },
  {
    title: 'reports a note that failed without failing the edit',
    args: { ...args, create_note: true },
    exchanges: [
      read('a\nb'),
      read('a\nb'),
      written('a\nB'),
      noted({ status: 403, body: { message: '403 Forbidden' } })
    ],
    result: {
      ...success,
      note: {
        status: 'failed',
        message:
          'The forge answered 403 Forbidden. The token may not do this: its owner needs a higher role, or the token the api scope (read_api to read).'
      }
    }
  },
  {
    title: 'says when the forge stored another text than the patched one',
    args,
    exchanges: [read('a\nb'), read('a\nb'), written('a\nB', { body: { iid: 7, description: 'a' } })],
    result: { ...success, issue: { iid: 7 } },
    notices: [
      'The forge stored another text than the patched one: lines that begin with / may have been carried out as quick actions. Read the issue again.'
    ]
  },
  {
    title: 'does not mistake a newline the forge left out at the end for that',
    args: { ...where, patch_type: 'unified_diff', patch: '@@ -0,0 +1 @@\n+a' },
    exchanges: [read(''), read(''), written('a\n', { body: { iid: 7, description: 'a' } })],
    notices: []
  },
  {
    title: 'accepts a forge that answers the write without a record',
    args,
    exchanges: [read('a\nb'), read('a\nb'), written('a\nB', { status: 204, body: undefined })],
    result: { ...success, issue: { iid: 7 } }
  },
  {
    title: 'does not take an answer without a description for an empty one',
    args: { ...where, patch_type: 'unified_diff', patch: '@@ -0,0 +1 @@\n+a' },
    exchanges: [{ request: `GET ${path}`, reply: { body: { iid: 7 } } }],
    error: 'The forge answered without a description. Nothing was changed.'
  },
  {
    title: 'does not take a list for an issue',
    args,
    exchanges: [{ request: `GET ${path}`, reply: { body: [] } }],
    error: 'The forge answered with something that is not a record.'
  },
  {
    title: 'does not say that something may have changed when only reading failed',
    args,
    exchanges: [{ request: `GET ${path}`, reply: { status: 503, body: '' } }],
    error: 'The forge answered 503 Service Unavailable. The trouble is on its side: try again later.'
  },
  {
    title: 'says so when a write has an unknown outcome',
    args,
    exchanges: [read('a\nb'), read('a\nb'), written('a\nB', { body: '{"iid":' })],
    error:
      'The forge answered with something that is not complete JSON. The change may or may not have been made: look before you repeat the call.'
  },
  {
    title: 'passes on why the forge refuses the write',
    args,
    exchanges: [
      read('a\nb'),
      read('a\nb'),
      written('a\nB', { status: 400, body: { message: { description: ['is too long'] } } })
    ],
    error: 'The forge answered 400 Bad Request: "description: is too long".'
  },
  {
    title: 'says what to do about an issue that is not there',
    args,
    exchanges: [{ request: `GET ${path}`, reply: { status: 404, body: { message: '404 Not found' } } }],
    error: /^The forge answered 404 Not Found.*issue_iid is the number in the project/
  },
  {
    title: 'needs to know what to patch and how',
    args: { project_id: '1' },
    error:
      'Invalid arguments: issue_iid is required; patch_type is required (one of search_replace, unified_diff); patch is required.'
  },
  {
    title: 'knows two kinds of patch',
    args: { ...args, patch_type: 'ed' },
    error: 'Invalid arguments: patch_type must be one of search_replace, unified_diff.'
  },
  {
    title: 'refuses an empty patch',
    args: { ...args, patch: '' },
    error: /^Invalid arguments: patch must have at least 1 character\.$/
  },
  {
    title: 'refuses a patch of more than 50,000 characters before anything is sent',
    args: { ...args, patch: 'x'.repeat(50_001) },
    error: /^Invalid arguments: patch must not have more than 50000 characters\.$/
  },
  {
    title: 'refuses a project path that climbs',
    args: { ...args, project_id: '..' },
    error: /^project_id has an empty, "\." or "\.\." segment/
  }
]

runTable(
  issues,
  cases.map(row => ({ ...row, tool }))
)
