import { repository } from '../../../tools/repository/index.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

const P = { project_id: 'acme/rocket' }
const at = 'GET /projects/acme%2Frocket/repository'

const commit = {
  id: 'c0ffee00',
  short_id: 'c0ffee0',
  created_at: '2026-01-02T00:00:00Z',
  parent_ids: ['b0'],
  title: 'Burn less',
  message: 'Burn less\n',
  author_name: 'Ada',
  author_email: 'ada@acme.example',
  authored_date: '2026-01-02T00:00:00Z',
  committer_name: 'Ada',
  committer_email: 'ada@acme.example',
  committed_date: '2026-01-02T00:00:00Z',
  trailers: {},
  extended_trailers: {},
  web_url: 'https://forge.example/c'
}
const shown = {
  id: 'c0ffee00',
  title: 'Burn less',
  author_name: 'Ada',
  authored_date: '2026-01-02T00:00:00Z',
  parent_ids: ['b0'],
  web_url: 'https://forge.example/c'
}
const level = { id: 1, access_level_description: 'x', user_id: null, group_id: null, deploy_key_id: null }
const blobs = {
  path: 'a.ts',
  basename: 'a',
  filename: 'a.ts',
  id: null,
  ref: 'main',
  startline: 3,
  project_id: 41
}
const blobsShown = { path: 'a.ts', ref: 'main', startline: 3, project_id: 41, data: 'burn()' }

const refusedSearch = (request: string, args: object, status: number): Case => ({
  title: `a forge that cannot search there (${status}) is asked for one project instead`,
  tool: 'search_code',
  args: { query: 'burn', ...args },
  exchanges: [
    { request, reply: { status, body: { message: 'Scope not supported without Elasticsearch!' } } }
  ],
  error: /Beyond one project, code is searched only where the forge has advanced search .* give project_id\.$/
})

runTable(repository, [
  {
    title: 'filters are words of the query',
    tool: 'search_code',
    args: {
      ...P,
      query: 'burn rate',
      filename: '*.ts',
      extension: 'ts',
      path: 'src/*',
      ref: 'main',
      page: 2
    },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/-/search?scope=blobs&ref=main&page=2&search=burn+rate+filename%3A*.ts+extension%3Ats+path%3Asrc%2F*',
        reply: { body: [{ ...blobs, data: 'burn()' }] }
      }
    ],
    result: [blobsShown]
  },
  {
    title: 'a match of an older forge, which says filename only, has its path',
    tool: 'search_code',
    args: { ...P, query: 'burn', search_type: 'basic' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/-/search?scope=blobs&search_type=basic&search=burn',
        reply: { body: [{ ...blobs, path: undefined, data: 'burn()' }] }
      }
    ],
    result: [{ ref: 'main', startline: 3, project_id: 41, data: 'burn()', path: 'a.ts' }]
  },
  refusedSearch('GET /groups/acme/-/search?scope=blobs&search=burn', { group_id: 'acme' }, 400),
  refusedSearch('GET /search?scope=blobs&search=burn', {}, 403),
  {
    title: 'lines after a path are no part of a filter',
    tool: 'search_code',
    args: { ...P, query: 'burn', path: 'src/engine.ts#L1-6' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/-/search?scope=blobs&search=burn+path%3Asrc%2Fengine.ts',
        reply: { body: [] }
      }
    ],
    result: [],
    notices: []
  },
  {
    title: 'says that a filename is a whole one where nothing is found by a part',
    tool: 'search_code',
    args: { ...P, query: 'burn', filename: 'engine' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/-/search?scope=blobs&search=burn+filename%3Aengine',
        reply: { body: [] }
      }
    ],
    result: [],
    notices: ['filename is compared with whole names: "*engine*" fits any that has it.']
  },
  {
    title: 'a filename with its folder is a path',
    tool: 'search_code',
    args: { ...P, query: 'burn', filename: './src/engine.ts' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/-/search?scope=blobs&search=burn+path%3Asrc%2Fengine.ts',
        reply: { body: [] }
      }
    ],
    result: []
  },
  {
    title: 'several extensions are refused, as no file has them',
    tool: 'search_code',
    args: { ...P, query: 'burn', extension: 'ts,js' },
    error: 'extension takes one: search for each alone.'
  },
  {
    title: 'a filter with a blank would end the filter',
    tool: 'search_code',
    args: { ...P, query: 'burn', path: 'my docs/' },
    error: 'path cannot have a blank: use * for it.'
  },
  {
    title: 'a ref beyond one project is refused, where the forge would pass over it',
    tool: 'search_code',
    args: { group_id: 'acme', query: 'burn', ref: 'main' },
    error: 'ref goes with project_id only: a search of more than one project is of default branches.'
  },
  {
    title: 'a project and a group are not searched at once',
    tool: 'search_code',
    args: { ...P, group_id: 'acme', query: 'burn' },
    error: "Only one of 'project_id' or 'group_id' can be provided, not both."
  },
  ...['list_commits', 'list_contributors'].map(tool => ({
    title: `a repository without commits may be why there is nothing: ${tool}`,
    tool,
    args: { ...P },
    exchanges: [
      {
        request: tool === 'list_commits' ? `${at}/commits` : `${at}/contributors?order_by=commits&sort=desc`,
        reply: { status: 404, body: { message: '404 Commit Not Found' } }
      }
    ],
    error: /an empty repository has no commits, and commit_files makes the first\.$/
  })),
  {
    title: 'what the title says already is not said again',
    tool: 'list_commits',
    args: { ...P },
    exchanges: [{ request: `${at}/commits`, reply: { body: [commit] } }],
    result: [shown]
  },
  {
    title: 'a commit says what its title does not, and when it was committed where that is another time',
    tool: 'list_commits',
    args: {
      ...P,
      ref: 'v1..main',
      path: 'src/a b.ts',
      author: 'ada',
      since: '2026-01-01T00:00:00Z',
      with_stats: true,
      order: 'topo'
    },
    exchanges: [
      {
        request: `${at}/commits?ref_name=v1..main&path=src%2Fa+b.ts&author=ada&since=2026-01-01T00%3A00%3A00Z&with_stats=true&order=topo`,
        reply: {
          body: [
            {
              ...commit,
              message: `Burn less\n\n${'x'.repeat(600)}`,
              committed_date: '2026-01-03T00:00:00Z',
              stats: { additions: 1, deletions: 0, total: 1 }
            }
          ],
          headers: { 'x-next-page': '2', 'x-page': '1', 'x-per-page': '20' }
        }
      }
    ],
    result: [
      {
        id: 'c0ffee00',
        title: 'Burn less',
        author_name: 'Ada',
        authored_date: '2026-01-02T00:00:00Z',
        committed_date: '2026-01-03T00:00:00Z',
        parent_ids: ['b0'],
        stats: { additions: 1, deletions: 0, total: 1 },
        web_url: 'https://forge.example/c',
        message: `Burn less\n\n${'x'.repeat(489)}… [111 more]`
      }
    ],
    notices: [{ pagination: { page: 1, per_page: 20, next_page: 2 } }]
  },
  {
    title: 'the author me is whoever calls, by the name that commits have',
    tool: 'list_commits',
    args: { ...P, author: 'me' },
    exchanges: [
      { request: 'GET /user', reply: { body: { id: 2, username: 'ada', name: 'Ada Lovelace' } } },
      { request: `${at}/commits?author=Ada+Lovelace`, reply: { body: [commit] } }
    ],
    result: [shown],
    notices: ['author was read as "Ada Lovelace": commits made under another name are not listed.']
  },
  {
    title: 'an author with @ is the one of that username',
    tool: 'list_commits',
    args: { ...P, author: '@linus' },
    exchanges: [
      {
        request: 'GET /users?username=linus',
        reply: { body: [{ id: 5, username: 'linus', name: 'Linus Pauling' }] }
      },
      { request: `${at}/commits?author=Linus+Pauling`, reply: { body: [commit] } }
    ],
    result: [shown],
    notices: ['author was read as "Linus Pauling": commits made under another name are not listed.']
  },
  {
    title: 'an author with @ that is nobody is part of an address',
    tool: 'list_commits',
    args: { ...P, author: '@acme.example' },
    exchanges: [
      { request: 'GET /users?username=acme.example', reply: { body: [] } },
      { request: `${at}/commits?author=%40acme.example`, reply: { body: [commit] } }
    ],
    result: [shown]
  },
  {
    title: 'an author whom no commit has is perhaps a username',
    tool: 'list_commits',
    args: { ...P, author: 'lpauling' },
    exchanges: [{ request: `${at}/commits?author=lpauling`, reply: { body: [] } }],
    result: [],
    notices: [
      'author is part of a name or email as the commits have them, and no username: list_contributors has those of the project.'
    ]
  },
  {
    title: 'past the first page an author is not doubted',
    tool: 'list_commits',
    args: { ...P, author: 'ada', page: 2 },
    exchanges: [{ request: `${at}/commits?author=ada&page=2`, reply: { body: [] } }],
    result: []
  },
  {
    title: 'all and a ref exclude each other, where the forge would pass over the ref',
    tool: 'list_commits',
    args: { ...P, ref: 'main', all: true },
    error: 'Give ref or all, not both: of all the forge takes no ref.'
  },
  {
    title: 'a ref that looks like an option is none',
    tool: 'list_commits',
    args: { ...P, ref: '--output=/tmp/x' },
    error: 'Invalid arguments: ref is no branch, tag or commit: it is empty or begins with a hyphen.'
  },
  {
    title: 'a commit by a branch is asked for by one segment, and says whom to ask about it',
    tool: 'get_commit',
    args: { ...P, sha: 'release/1.4', stats: false },
    exchanges: [
      {
        request: `${at}/commits/release%2F1%2E4?stats=false`,
        reply: {
          body: {
            ...commit,
            message: 'Burn less\n\nWhy.',
            status: 'success',
            project_id: 41,
            last_pipeline: {
              id: 9,
              iid: 1,
              ref: 'main',
              sha: 'c0ffee00',
              status: 'success',
              web_url: 'https://x'
            }
          }
        }
      }
    ],
    result: {
      ...shown,
      message: 'Burn less\n\nWhy.',
      author_email: 'ada@acme.example',
      status: 'success',
      last_pipeline: { id: 9, ref: 'main', sha: 'c0ffee00', status: 'success', web_url: 'https://x' },
      project_id: 41
    }
  },
  {
    title: 'files may be left out of a diff',
    tool: 'get_commit_diff',
    args: { ...P, sha: 'c0ffee00', unidiff: true, excluded_file_patterns: ['\\.lock$'], per_page: 2 },
    exchanges: [
      {
        request: `${at}/commits/c0ffee00/diff?unidiff=true&per_page=2`,
        reply: {
          body: [
            { old_path: 'a.ts', new_path: 'a.ts', diff: '@@' },
            { old_path: 'x.lock', new_path: 'x.lock', diff: '@@' }
          ]
        }
      }
    ],
    result: [{ old_path: 'a.ts', new_path: 'a.ts', diff: '@@' }]
  },
  {
    title: 'merge requests of a commit are named shortly',
    tool: 'list_commit_merge_requests',
    args: { ...P, sha: 'c0ffee00', state: 'merged' },
    exchanges: [
      {
        request: `${at}/commits/c0ffee00/merge_requests?state=merged`,
        reply: {
          body: [
            {
              iid: 3,
              title: 'T',
              state: 'merged',
              author: { id: 1, username: 'ada' },
              description: 'long',
              labels: []
            }
          ]
        }
      }
    ],
    result: [{ iid: 3, title: 'T', state: 'merged', author: { username: 'ada' } }]
  },
  {
    title: 'refs of a commit are of one kind where that is asked',
    tool: 'list_commit_refs',
    args: { ...P, sha: 'c0ffee00', type: 'tag', per_page: 1 },
    exchanges: [
      {
        request: `${at}/commits/c0ffee00/refs?type=tag&per_page=1`,
        reply: { body: [{ type: 'tag', name: 'v1' }], headers: { 'x-next-page': '2' } }
      }
    ],
    result: [{ type: 'tag', name: 'v1' }],
    notices: [{ pagination: { next_page: 2 } }]
  },
  {
    title: 'a branch is no commit: its statuses would be none',
    tool: 'list_commit_statuses',
    args: { ...P, sha: 'main' },
    error: 'Invalid arguments: sha must be the SHA of a commit: get_commit gives that of a branch or tag.'
  },
  {
    title: 'a path that climbs changed in no commit',
    tool: 'list_commits',
    args: { ...P, path: '../secrets' },
    error: 'path has an empty, "." or ".." segment: "../secrets".'
  },
  {
    title: 'statuses of a shortened commit are asked for whole where the forge lists none',
    tool: 'list_commit_statuses',
    args: { ...P, sha: 'c0ffee00' },
    exchanges: [{ request: `${at}/commits/c0ffee00/statuses`, reply: { body: [] } }],
    result: [],
    notices: ['Give the whole SHA, which get_commit has as id.']
  },
  {
    title: 'statuses are filtered by the forge',
    tool: 'list_commit_statuses',
    args: { ...P, sha: 'c0ffee00', ref: 'main', name: 'lint', pipeline_id: 9, all: true, sort: 'desc' },
    exchanges: [
      {
        request: `${at}/commits/c0ffee00/statuses?ref=main&name=lint&pipeline_id=9&all=true&sort=desc`,
        reply: {
          body: [
            {
              id: 1,
              sha: 'c0ffee00',
              status: 'success',
              name: 'lint',
              created_at: 'x',
              author: { username: 'ada', id: 1 },
              coverage: null
            }
          ]
        }
      }
    ],
    result: [{ id: 1, name: 'lint', status: 'success', author: { username: 'ada' } }]
  },
  {
    title: 'those with most commits come first',
    tool: 'list_contributors',
    args: P,
    exchanges: [
      {
        request: `${at}/contributors?order_by=commits&sort=desc`,
        reply: { body: [{ name: 'Ada', email: 'a@x', commits: 3, additions: 0, deletions: 0 }] }
      }
    ],
    result: [{ name: 'Ada', email: 'a@x', commits: 3 }]
  },
  {
    title: 'people may be listed in another order',
    tool: 'list_contributors',
    args: { ...P, order_by: 'name', sort: 'asc', ref: 'main' },
    exchanges: [{ request: `${at}/contributors?order_by=name&sort=asc&ref=main`, reply: { body: [] } }],
    result: []
  },
  {
    title: 'tags are listed by key, without the texts of their releases',
    tool: 'list_tags',
    args: { ...P, search: '^v1', order_by: 'version', sort: 'asc', per_page: 1 },
    exchanges: [
      {
        request: `${at}/tags?pagination=keyset&search=%5Ev1&order_by=version&sort=asc&per_page=1`,
        reply: {
          body: [
            {
              name: 'v1.0',
              message: '',
              target: 'c0',
              commit,
              release: { tag_name: 'v1.0', description: 'long' },
              protected: false,
              created_at: null
            }
          ],
          headers: { link: '<https://forge.example/x?page_token=v1.0>; rel="next"' }
        }
      }
    ],
    result: [
      {
        name: 'v1.0',
        target: 'c0',
        message: '',
        protected: false,
        commit: { id: 'c0ffee00', title: 'Burn less', committed_date: '2026-01-02T00:00:00Z' },
        release: { tag_name: 'v1.0' }
      }
    ],
    notices: [{ pagination: { next_page_token: 'v1.0' } }]
  },
  {
    title: 'a tag is one segment without a dot, and has the text of its release',
    tool: 'get_tag',
    args: { ...P, tag_name: 'a/v1.0' },
    exchanges: [
      {
        request: `${at}/tags/a%2Fv1%2E0`,
        reply: { body: { name: 'a/v1.0', release: { tag_name: 'a/v1.0', description: 'Notes' } } }
      }
    ],
    result: { name: 'a/v1.0', release: { tag_name: 'a/v1.0', description: 'Notes' } }
  },
  {
    title: 'access levels are also said in words, but where a person is named',
    tool: 'list_protected_branches',
    args: { ...P, search: 'rel' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/protected_branches?search=rel',
        reply: {
          body: [
            {
              id: 5,
              name: 'release/*',
              push_access_levels: [{ ...level, access_level: 40 }],
              merge_access_levels: [
                { ...level, access_level: 30 },
                { ...level, access_level: 40, user_id: 7 }
              ],
              unprotect_access_levels: [],
              allow_force_push: false,
              code_owner_approval_required: false,
              inherited: false
            }
          ]
        }
      }
    ],
    result: [
      {
        id: 5,
        name: 'release/*',
        push_access_levels: [{ access_level: 40, role: 'maintainer' }],
        merge_access_levels: [
          { access_level: 30, role: 'developer' },
          { access_level: 40, user_id: 7 }
        ],
        unprotect_access_levels: [],
        allow_force_push: false,
        code_owner_approval_required: false
      }
    ]
  }
])
