import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { people } from '../../../tools/people/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

/* People as callers name them: with @, as themselves, by their full name. */

const list = (query: string, body: unknown = [{ iid: 1 }]) => ({
  request: `GET /projects/1/merge_requests?${query}`,
  reply: { body }
})
const you = { request: 'GET /user', reply: { body: { id: 2, username: 'ada' } } }

const cases: Case[] = [
  {
    title: 'takes the @ from a username',
    tool: 'list_merge_requests',
    args: { project_id: '1', author_username: '@grace' },
    exchanges: [list('author_username=grace')],
    result: [{ iid: 1 }]
  },
  ...['https://forge.example/grace', 'https://forge.example/users/grace?tab=activity'].map(
    (author_username): Case => ({
      title: `takes the username from the address of a profile: ${author_username}`,
      tool: 'list_merge_requests',
      args: { project_id: '1', author_username },
      exchanges: [list('author_username=grace')],
      result: [{ iid: 1 }]
    })
  ),
  {
    title: 'refuses an address that is of no person here',
    tool: 'list_merge_requests',
    args: { project_id: '1', author_username: 'https://other.example/grace' },
    error:
      'author_username is an address, and not that of a person on https://forge.example: give the username.'
  },
  {
    title: 'puts whoever calls in the place of me',
    tool: 'list_merge_requests',
    args: { project_id: '1', reviewer_username: 'me', approved_by_usernames: ['@me', 'linus'] },
    exchanges: [
      you,
      list('reviewer_username=ada&approved_by_usernames%5B%5D=ada&approved_by_usernames%5B%5D=linus')
    ],
    result: [{ iid: 1 }]
  },
  {
    title: 'takes a username, None and me where a person is filtered by id',
    tool: 'list_merge_requests',
    args: { project_id: '1', assignee_id: 'None', reviewer_id: 'current user' },
    exchanges: [you, list('assignee_id=None&reviewer_id=2')],
    result: [{ iid: 1 }]
  },
  {
    title: 'says that the token of a CI job has no me',
    tool: 'list_merge_requests',
    args: { project_id: '1', author_username: 'me' },
    settings: { kind: 'job-token' },
    exchanges: [{ request: 'GET /user', reply: { status: 401, body: {} } }],
    error: 'author_username means you, and the forge does not say who this token is of: give the username.'
  },
  ...(
    [
      [
        401,
        { error: 'invalid_token', error_description: 'Token is expired.' },
        /Token is expired".* expired or/
      ],
      [403, { error: 'insufficient_scope' }, /insufficient_scope".* too narrow .* Or give the username\.$/],
      [
        403,
        { error: 'insufficient_granular_scope', error_description: 'The token needs [read_user].' },
        /\[read_user\]".* permission that is named.* Or give the username\.$/
      ],
      [403, { message: '403 Forbidden' }, /Forbidden\. The token may not do this.* Or give the username\.$/],
      [403, { message: 'Your account has been blocked.' }, /been blocked".* log in there as that user\.$/]
    ] as const
  ).map(
    ([status, body, error]): Case => ({
      title: `says why the forge does not say who calls: ${status} ${JSON.stringify(body)}`,
      tool: 'list_merge_requests',
      args: { project_id: '1', author_username: 'me' },
      exchanges: [{ request: 'GET /user', reply: { status, body } }],
      error: new RegExp(`^author_username means you, and .* The forge answered ${status} .*${error.source}`)
    })
  )
]

runTable(mergeRequests, cases)

runTable(people, [
  {
    title: 'finds a person by the address that records have',
    tool: 'get_user',
    args: { username: 'https://forge.example/grace' },
    exchanges: [
      { request: 'GET /users?username=grace', reply: { body: [{ id: 4, username: 'grace' }] } },
      { request: 'GET /users/4', reply: { body: { id: 4, username: 'grace' } } }
    ],
    result: { id: 4, username: 'grace' }
  }
])

runTable(issues, [
  {
    title: 'takes a username where the catalog has a number',
    tool: 'list_todos',
    args: { author_id: '@grace' },
    exchanges: [
      { request: 'GET /users?username=grace', reply: { body: [{ id: 4, username: 'grace' }] } },
      { request: 'GET /todos?author_id=4', reply: { body: [] } }
    ],
    result: []
  },
  {
    title: 'takes the number as a number',
    tool: 'list_todos',
    args: { author_id: 4 },
    exchanges: [{ request: 'GET /todos?author_id=4', reply: { body: [] } }],
    result: []
  }
])

story('whoever calls is me in every tool', [issues, people, projects], async (t, as) => {
  const call = as('ada')
  const project_id = 'acme/rocket'
  const { value } = await call('create_issue', { project_id, title: 'Mine', assignee_ids: ['@me'] })
  t.equal(value.assignees[0].username, 'ada')
  t.equal((await call('get_user', { username: 'me' })).value.username, 'ada')
  t.equal((await call('list_events', { user: '@me' })).value[0].author.username, 'ada')
  const { error } = await call('create_issue', { project_id, title: 'Hers', assignee_ids: 'Grace Hopper' })
  t.equal(
    error,
    'assignee_ids names "Grace Hopper", and nobody has that username: did you mean "grace" ("Grace Hopper")?'
  )
  const off = { project_id, issue_iid: '1', assignee_ids: ['none'] }
  t.equal(
    (await call('update_issue', off)).error,
    'assignee_ids names "none", and nobody has that username: an empty list is for nobody; left out, it stays.'
  )
  const free = { project_id, scope: 'all', assignee_id: 'unassigned' }
  const { value: unassigned } = await call('list_issues', free)
  t.ok(unassigned.length > 0)
  t.same(unassigned, (await call('list_issues', { ...free, assignee_id: 'None' })).value)
  t.same((await call('update_issue', { ...off, assignee_ids: [] })).value.assignees ?? [], [])
})
