import t from 'tap'
import { calling } from './support/answered-calls.ts'
import { type HeldRow, holdNoLonger } from './support/held.ts'

/* The same as in held-tools.test.ts of times as long as an answer may have them. */

const MB = 1024 * 1024
const project = { project_id: '1' }
const longTime = `2026-01-01T00:00:00.${'1'.repeat(9 * MB)}x`

const rows: HeldRow[] = [
  [
    'when a merge request was merged',
    1,
    calling(
      'list_merge_requests',
      { ...project, merged_after: '2026-01-01' },
      { '/merge_requests': [{ merged_at: longTime }] }
    )
  ],
  [
    'when a comment was made',
    1,
    calling(
      'create_issue_note',
      { ...project, issue_iid: '1', body: 'x', created_at: '2020-01-01T00:00:00Z' },
      { '/notes': { id: 1, created_at: longTime } }
    )
  ],
  [
    'when a token expires',
    1,
    calling(
      'get_current_user',
      {},
      {
        '/user': { id: 1, username: 'a' },
        '/self': { id: 1, name: 'a', expires_at: longTime, active: true, scopes: ['api'] }
      }
    )
  ]
]

t.test('no time of an answer holds the event loop for long', t => holdNoLonger(t, rows))
