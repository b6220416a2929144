import { search } from '../../tools/search/index.ts'
import { wiki } from '../../tools/wiki/index.ts'
import { story } from '../support/sandbox-tools.ts'
import { runTable } from '../support/tool-table.ts'

const issue = {
  id: 500,
  iid: 7,
  project_id: 41,
  title: 'Drift',
  description: 'long',
  state: 'opened',
  author: { id: 2, username: 'ada', name: 'Ada', state: 'active', avatar_url: '/a.png' },
  labels: ['bug'],
  updated_at: '2026-11-01T00:00:00Z',
  web_url: 'https://forge.example/i'
}
const shownIssue = {
  iid: 7,
  project_id: 41,
  title: 'Drift',
  state: 'opened',
  author: { username: 'ada' },
  labels: ['bug'],
  updated_at: '2026-11-01T00:00:00Z',
  web_url: 'https://forge.example/i',
  description: 'long'
}

runTable(search, [
  {
    title: 'searches a project for issues',
    tool: 'search',
    args: {
      scope: 'issues',
      query: 'drift & hold',
      project_id: 'acme/rocket',
      state: 'opened',
      confidential: false
    },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/-/search?scope=issues&search=drift+%26+hold&state=opened&confidential=false',
        reply: { body: [issue] }
      }
    ],
    result: [shownIssue]
  },
  {
    title: 'says where nothing is found that the qualifiers of other forges are searched for as text',
    tool: 'search',
    args: { scope: 'issues', query: 'is:issue is:open fuel' },
    exchanges: [
      { request: 'GET /search?scope=issues&search=is%3Aissue+is%3Aopen+fuel', reply: { body: [] } }
    ],
    result: [],
    notices: [
      '"is:issue" is searched for as text, and filters nothing: give as query the words alone, and filters as arguments; list_issues and list_merge_requests have more of them.'
    ]
  },
  {
    title: 'says nothing of a colon in a text that is not found',
    tool: 'search',
    args: { scope: 'issues', query: 'panic: disk' },
    exchanges: [{ request: 'GET /search?scope=issues&search=panic%3A+disk', reply: { body: [] } }],
    result: [],
    notices: []
  },
  {
    title: 'searches a group for merge requests',
    tool: 'search',
    args: {
      scope: 'merge_requests',
      query: 'x',
      group_id: 'acme',
      order_by: 'created_at',
      sort: 'desc',
      page: 2
    },
    exchanges: [
      {
        request:
          'GET /groups/acme/-/search?scope=merge_requests&search=x&order_by=created_at&sort=desc&page=2',
        reply: { body: [issue] }
      }
    ],
    result: [shownIssue]
  },
  {
    title: 'searches everywhere for people, who are shown as people',
    tool: 'search',
    args: { scope: 'users', query: 'ada' },
    exchanges: [{ request: 'GET /search?scope=users&search=ada', reply: { body: [issue.author] } }],
    result: [{ id: 2, username: 'ada', name: 'Ada', state: 'active' }]
  },
  {
    title: 'searches everywhere for projects, shown as in their list',
    tool: 'search',
    args: { scope: 'projects', query: 'rocket' },
    exchanges: [
      {
        request: 'GET /search?scope=projects&search=rocket',
        reply: { body: [{ id: 41, path_with_namespace: 'acme/rocket', readme_url: 'x', description: null }] }
      }
    ],
    result: [{ id: 41, path_with_namespace: 'acme/rocket' }]
  },
  {
    title: 'searches a project for milestones',
    tool: 'search',
    args: { scope: 'milestones', query: '1.5', project_id: 1 },
    exchanges: [
      {
        request: 'GET /projects/1/-/search?scope=milestones&search=1.5',
        reply: {
          body: [
            { id: 1, iid: 1, title: '1.5', state: 'active', due_date: null, project_id: 1, web_url: 'x' }
          ]
        }
      }
    ],
    result: [{ id: 1, iid: 1, title: '1.5', state: 'active', project_id: 1 }]
  },
  {
    title: 'searches a branch for wiki pages and commits',
    tool: 'search',
    args: { scope: 'wiki_blobs', query: 'abort', project_id: 1, ref: 'main' },
    exchanges: [
      {
        request: 'GET /projects/1/-/search?scope=wiki_blobs&search=abort&ref=main',
        reply: {
          body: [
            {
              path: 'a.md',
              filename: 'a.md',
              basename: 'a',
              ref: 'main',
              startline: 3,
              data: 'abort',
              id: null,
              project_id: 1,
              group_id: null
            }
          ]
        }
      }
    ],
    result: [{ path: 'a.md', ref: 'main', startline: 3, data: 'abort', project_id: 1 }]
  },
  {
    title: 'searches a project for comments, which are cut',
    tool: 'search',
    args: { scope: 'notes', query: 'x', project_id: 1 },
    exchanges: [
      {
        request: 'GET /projects/1/-/search?scope=notes&search=x',
        reply: {
          body: [
            {
              id: 5,
              body: 'x'.repeat(501),
              noteable_type: 'Issue',
              noteable_iid: 7,
              project_id: 1,
              author: issue.author,
              system: false
            }
          ]
        }
      }
    ],
    result: [
      {
        id: 5,
        body: `${'x'.repeat(500)}… [1 more]`,
        noteable_type: 'Issue',
        noteable_iid: 7,
        project_id: 1,
        author: { username: 'ada' }
      }
    ]
  },
  {
    title: 'searches everywhere for snippets',
    tool: 'search',
    args: { scope: 'snippet_titles', query: 'x' },
    exchanges: [
      {
        request: 'GET /search?scope=snippet_titles&search=x',
        reply: { body: [{ id: 5, title: 'x', file_name: 'a.sh', project_id: null, author: issue.author }] }
      }
    ],
    result: [{ id: 5, title: 'x', file_name: 'a.sh' }]
  },
  {
    title: 'says where a scope is searched that is not searched there',
    tool: 'search',
    args: { scope: 'snippet_titles', query: 'x', project_id: 1 },
    error: 'snippet_titles are searched without project_id and group_id, not with project_id.'
  },
  {
    title: 'a project has no projects in it',
    tool: 'search',
    args: { scope: 'projects', query: 'x', project_id: 1 },
    error: 'projects are searched without project_id and group_id or with group_id, not with project_id.'
  },
  {
    title: 'a filter that the scope does not have is refused',
    tool: 'search',
    args: { scope: 'users', query: 'x', state: 'opened' },
    error: 'state goes with scope issues or merge_requests only.'
  },
  {
    title: 'an issue is never merged',
    tool: 'search',
    args: { scope: 'issues', query: 'x', state: 'merged' },
    error: 'state merged goes with scope merge_requests only.'
  },
  {
    title: 'a branch is one of a project',
    tool: 'search',
    args: { scope: 'commits', query: 'x', ref: 'main' },
    error: 'ref goes with project_id only.'
  },
  {
    title: 'says what a forge without advanced search can do',
    tool: 'search',
    args: { scope: 'notes', query: 'x', group_id: 'acme' },
    exchanges: [
      {
        request: 'GET /groups/acme/-/search?scope=notes&search=x',
        reply: { status: 400, body: { message: 'Scope not supported without Elasticsearch!' } }
      }
    ],
    error:
      'The forge answered 400 Bad Request: "Scope not supported without Elasticsearch!". Commits, wikis and notes are searched in one project, or beyond one where the forge has advanced search (Premium): give project_id.'
  },
  ...Object.entries({ comments: 'notes', wiki: 'wiki_blobs' }).map(([word, scope]) => ({
    title: `takes ${word} for the scope ${scope}`,
    tool: 'search',
    args: { scope: word, query: 'x', project_id: 'acme/rocket' },
    exchanges: [
      { request: `GET /projects/acme%2Frocket/-/search?scope=${scope}&search=x`, reply: { body: [] } }
    ]
  })),
  {
    title: 'code is not one of its scopes',
    tool: 'search',
    args: { scope: 'blobs', query: 'x' },
    error: /^Invalid arguments: scope must be one of issues, merge_requests, milestones/
  }
])

story('what there is on the forge is found', [search, wiki], async (t, as) => {
  const ada = as('ada')
  const rocket = { project_id: 'acme/rocket' }
  const titles = (rows: { title: string }[]) => rows.map(({ title }) => title)
  t.same(titles((await ada('search', { ...rocket, scope: 'issues', query: 'drifts' })).value), [
    'Countdown drifts after a hold'
  ])
  t.match((await ada('search', { scope: 'issues', query: 'ground station' })).value, [{ iid: 4 }])
  t.same((await as('edsger')('search', { scope: 'issues', query: 'ground station' })).value, [])
  t.match((await ada('search', { group_id: 'acme', scope: 'milestones', query: 'autumn' })).value, [
    { title: 'Autumn' }
  ])
  t.match((await ada('search', { scope: 'projects', query: 'HAMMER' })).value, [
    { path_with_namespace: 'acme/tools/hammer' }
  ])
  t.match((await ada('search', { ...rocket, scope: 'users', query: 'grace' })).value, [{ username: 'grace' }])
  t.match((await ada('search', { ...rocket, scope: 'commits', query: 'first flight' })).value, [
    { title: 'First flight' }
  ])
  t.ok((await ada('search', { ...rocket, scope: 'notes', query: 'in ticks' })).value.length > 0)
  t.match((await ada('search', { scope: 'notes', query: 'x' })).error, /give project_id/)
  await ada('create_wiki_page', { ...rocket, title: 'Abort', content: 'Press the red button' })
  t.match((await ada('search', { ...rocket, scope: 'wiki_blobs', query: 'red button' })).value, [
    { path: 'Abort.md' }
  ])
})
