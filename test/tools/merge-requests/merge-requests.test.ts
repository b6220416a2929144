import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { runTable } from '../../support/tool-table.ts'

const open = 'GET /projects/1/merge_requests?state=opened&per_page=5&source_branch=fix%2Fleak'
const any = 'GET /projects/1/merge_requests?state=all&per_page=1&source_branch=fix%2Fleak'
const opened = 'GET /projects/1/merge_requests?state=opened&per_page=100'

const twoOpen = [
  { iid: 12, source_branch: 'fix/leak', target_branch: 'main' },
  { iid: 7, source_branch: 'fix/leak', target_branch: 'release/1.4' }
]

const merged = { iid: 5, state: 'merged', source_branch: 'fix/leak', target_branch: 'main' }

runTable(mergeRequests, [
  {
    title: 'reads one by number',
    tool: 'get_merge_request',
    args: { project_id: 'acme/rocket', merge_request_iid: 12 },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/merge_requests/12?include_diverged_commits_count=true',
        reply: { body: { iid: 12, merge_error: null, sha: 'abc' } }
      }
    ],
    result: { iid: 12, sha: 'abc' },
    notices: []
  },
  {
    title: 'finds the open one of a branch and says which it is',
    tool: 'get_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak' },
    exchanges: [
      { request: open, reply: { body: [{ iid: 12, source_branch: 'fix/leak' }] } },
      { request: 'GET /projects/1/merge_requests/12?include_diverged_commits_count=true' }
    ],
    notices: ['source_branch "fix/leak" is merge request 12.']
  },
  {
    title: 'says of a branch with several open ones which it shows, and names the others',
    tool: 'get_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak' },
    exchanges: [
      { request: open, reply: { body: twoOpen } },
      { request: 'GET /projects/1/merge_requests/12?include_diverged_commits_count=true' }
    ],
    notices: [
      'source_branch "fix/leak" is merge request 12. Several open ones have it: 12 (target_branch "main"), 7 (target_branch "release/1.4").'
    ]
  },
  {
    title: 'changes none of several open ones of a branch',
    tool: 'update_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak', target_branch: 'main', state_event: 'close' },
    exchanges: [{ request: open, reply: { body: twoOpen } }],
    error:
      'Several have source_branch "fix/leak": 12 (target_branch "main"), 7 (target_branch "release/1.4"). Nothing was done: give merge_request_iid.'
  },
  {
    title: 'tells several open ones into one branch apart by their authors, and that there may be more',
    tool: 'update_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak', state_event: 'close' },
    exchanges: [
      {
        request: open,
        reply: {
          body: [
            ...['ada', 'bob', 'eve', 'joe'].map((username, at) => ({
              ...{ iid: 20 - at, source_branch: 'fix/leak', target_branch: 'main' },
              author: { username }
            })),
            { iid: 7, source_branch: 'fix/leak', target_branch: 'release/1.4', author: { username: 'ada' } }
          ]
        }
      }
    ],
    error:
      'Several have source_branch "fix/leak": 20 (target_branch "main", by "ada"), 19 (target_branch "main", by "bob"), 18 (target_branch "main", by "eve"), 17 (target_branch "main", by "joe"), 7 (target_branch "release/1.4"), and perhaps more. Nothing was done: give merge_request_iid.'
  },
  ...[
    ['behind', [{ iid: 9, state: 'opened' }, merged]] as const,
    ['before', [merged, { iid: 9, state: 'opened' }]] as const
  ].map(([where, body]) => ({
    title: `takes the open one of a branch from a forge that passes the state over, with a merged one ${where} it`,
    tool: 'update_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak', title: 'New' },
    exchanges: [
      { request: open, reply: { body } },
      { request: 'PUT /projects/1/merge_requests/9', body: { title: 'New' }, reply: { body: { iid: 9 } } }
    ],
    notices: ['source_branch "fix/leak" is merge request 9.']
  })),
  {
    title: 'names no target branch that the forge does not tell',
    tool: 'update_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak', title: 'New' },
    exchanges: [
      {
        request: open,
        reply: {
          body: [
            { iid: 9, author: { username: 'ada' } },
            { iid: 5, target_branch: null, state: null }
          ]
        }
      }
    ],
    error: 'Several have source_branch "fix/leak": 9 (by "ada"), 5. Nothing was done: give merge_request_iid.'
  },
  {
    title: 'takes a number that the forge writes as a text',
    tool: 'get_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak' },
    exchanges: [
      { request: open, reply: { body: [{ iid: '9' }] } },
      { request: 'GET /projects/1/merge_requests/9?include_diverged_commits_count=true' }
    ],
    notices: ['source_branch "fix/leak" is merge request 9.']
  },
  {
    title: 'takes the latest of a branch when none is open, and says so',
    tool: 'get_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak', merge_request_iid: null },
    exchanges: [
      { request: open, reply: { body: [] } },
      { request: any, reply: { body: [{ iid: 9, state: 'merged' }] } },
      { request: 'GET /projects/1/merge_requests/9?include_diverged_commits_count=true' }
    ],
    notices: ['source_branch "fix/leak" is merge request 9. It is the latest of that branch; none is open.']
  },
  {
    title: 'goes by the number when both are given, and says so',
    tool: 'get_merge_request',
    args: { project_id: '1', merge_request_iid: '12', source_branch: 'fix/leak' },
    exchanges: [{ request: 'GET /projects/1/merge_requests/12?include_diverged_commits_count=true' }],
    notices: ['source_branch was passed over: merge_request_iid says which merge request.']
  },
  {
    title: 'says of an empty branch beside the number nothing',
    tool: 'get_merge_request',
    args: { project_id: '1', merge_request_iid: '12', source_branch: '' },
    exchanges: [{ request: 'GET /projects/1/merge_requests/12?include_diverged_commits_count=true' }],
    notices: []
  },
  {
    title: 'needs a number or a branch',
    tool: 'get_merge_request',
    args: { project_id: '1' },
    error: 'Invalid arguments: give merge_request_iid or source_branch.'
  },
  {
    title: 'takes an empty branch for none, because the forge would give any merge request',
    tool: 'get_merge_request',
    args: { project_id: '1', source_branch: '' },
    error: 'Invalid arguments: give merge_request_iid or source_branch.'
  },
  {
    title: 'says that a branch has no merge request',
    tool: 'get_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak' },
    exchanges: [
      { request: open, reply: { body: [] } },
      { request: any, reply: { body: [] } },
      { request: opened, reply: { body: [{ source_branch: 'main' }, { source_branch: 'fix/leaks' }] } }
    ],
    error: 'No merge request has source_branch "fix/leak". Nothing was done. Did you mean "fix/leaks"?'
  },
  {
    title: 'does not take a merge request of another branch for it',
    tool: 'update_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak', state_event: 'close' },
    exchanges: [
      { request: open, reply: { body: [{ iid: 3, source_branch: 'main' }] } },
      { request: any, reply: { body: [] } },
      { request: opened, reply: { status: 403, body: {} } }
    ],
    error:
      'No merge request has source_branch "fix/leak". Nothing was done. list_merge_requests says which have one.'
  },
  {
    title: 'does not take the full name of a tag for a branch that is called so',
    tool: 'update_merge_request',
    args: { project_id: '1', source_branch: 'refs/tags/fix/leak', state_event: 'close' },
    exchanges: [open, any]
      .map(request => ({
        request: request.replace('source_branch=fix', 'source_branch=refs%2Ftags%2Ffix'),
        reply: { body: [] }
      }))
      .concat({ request: opened, reply: { body: [] } }),
    error: /^No merge request has source_branch "refs\/tags\/fix\/leak"/
  },
  {
    title: 'does not say that there is none where the forge gave no list',
    tool: 'update_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak', state_event: 'close' },
    exchanges: [{ request: open, reply: { body: { message: 'not now' } } }],
    error: 'The forge gave no list, but said: "not now".'
  },
  {
    title: 'refuses a project path that climbs',
    tool: 'get_merge_request',
    args: { project_id: 'acme/../admin', merge_request_iid: '1' },
    error: 'project_id has an empty, "." or ".." segment: "acme/../admin".'
  },
  {
    title: 'refuses a number that is none',
    tool: 'get_merge_request',
    args: { project_id: '1', merge_request_iid: '12/notes' },
    error: 'merge_request_iid must be a number, as in !7 and in web addresses, not "12/notes".'
  },
  {
    title: 'explains a login page instead of JSON',
    tool: 'get_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12?include_diverged_commits_count=true',
        reply: { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }
      }
    ],
    error: /answered with a web page instead of JSON/
  },
  {
    title: 'explains an answer that was cut off',
    tool: 'get_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12?include_diverged_commits_count=true',
        reply: { body: '{"iid":12,"title":"Le' }
      }
    ],
    error: 'The forge answered with something that is not complete JSON.'
  },
  {
    title: 'does not call an empty answer to a question a success',
    tool: 'get_merge_request',
    args: { project_id: '1', merge_request_iid: '12' },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12?include_diverged_commits_count=true',
        reply: { status: 204 }
      }
    ],
    error: /^The forge answered without a record: check that the API URL/
  },
  {
    title: 'lists those of a project',
    tool: 'list_merge_requests',
    args: {
      project_id: 'acme/rocket',
      state: 'opened',
      labels: ['bug', 'p1'],
      reviewer_id: 'any',
      approved_by_usernames: ['ada', 'bob'],
      wip: 'no',
      updated_after: '2026-01-01T00:00:00+02:00',
      per_page: 50
    },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/merge_requests?state=opened&labels=bug%2Cp1&reviewer_id=any&approved_by_usernames%5B%5D=ada&approved_by_usernames%5B%5D=bob&wip=no&updated_after=2026-01-01T00%3A00%3A00%2B02%3A00&per_page=50',
        reply: { body: [{ iid: 1 }], headers: { 'x-next-page': '2', 'x-page': '1', 'x-per-page': '50' } }
      }
    ],
    result: [{ iid: 1 }],
    notices: [{ pagination: { page: 1, per_page: 50, next_page: 2 } }]
  },
  {
    title: 'lists across projects without project_id, and leaves out empty lists',
    tool: 'list_merge_requests',
    args: { project_id: null, scope: 'all', labels: [], approved_by_usernames: [], author_id: 7 },
    exchanges: [{ request: 'GET /merge_requests?scope=all&author_id=7', reply: { body: [] } }],
    result: []
  },
  {
    title: 'stays in FORGE_PROJECT_ID when it is set and no project is named',
    tool: 'list_merge_requests',
    args: { assignee_username: 'ada' },
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/merge_requests?assignee_username=ada',
        reply: { body: [] }
      },
      { request: 'GET /users?username=ada', reply: { body: [{ id: 2, username: 'ada' }] } }
    ],
    result: []
  },
  {
    title: 'says of a project that is required why FORGE_PROJECT_ID does not stand in',
    tool: 'update_merge_request',
    args: { merge_request_iid: '2', title: 'x' },
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [],
    error:
      'Invalid arguments: project_id is required (a default project stands in only where it is optional).'
  },
  {
    title: 'takes no number of a merge request that is none',
    tool: 'get_merge_request',
    args: { project_id: '1', source_branch: 'fix' },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests?state=opened&per_page=5&source_branch=fix',
        reply: { body: [{ iid: '12/notes', source_branch: 'fix' }] }
      }
    ],
    error: "The forge's answer lacks iid."
  },
  ...(['assignee', 'author', 'reviewer'] as const).map(who => ({
    title: `refuses two ways to say who is ${who}`,
    tool: 'list_merge_requests',
    args: { [`${who}_id`]: '5', [`${who}_username`]: 'ada' },
    error: `Only one of '${who}_id' or '${who}_username' can be provided, not both.`
  })),
  {
    title: 'names every argument that does not fit',
    tool: 'list_merge_requests',
    args: { state: 'done', per_page: 101, sha: 'abc' },
    error: /unknown argument "sha".*state must be one of opened, closed, locked, merged, all.*per_page/
  },
  {
    title: 'opens one in another project, whose milestone and id are looked up by their names',
    tool: 'create_merge_request',
    args: {
      project_id: 'ada/rocket',
      title: 'Fix leak',
      source_branch: 'fix/leak',
      target_branch: 'main',
      target_project_id: 'acme/rocket',
      milestone_id: '1.5'
    },
    exchanges: [
      { request: 'GET /projects/acme%2Frocket', reply: { body: { id: 7 } } },
      {
        request: 'GET /projects/7/milestones?title=1.5&include_ancestors=true',
        reply: { body: [{ id: 3, title: '1.5' }] }
      },
      {
        request: 'POST /projects/ada%2Frocket/merge_requests',
        body: {
          title: 'Fix leak',
          source_branch: 'fix/leak',
          target_branch: 'main',
          target_project_id: 7,
          milestone_id: 3
        },
        reply: { status: 201, body: { iid: 13 } }
      }
    ],
    result: { iid: 13 }
  },
  {
    title: 'creates one with only what was given',
    tool: 'create_merge_request',
    args: {
      project_id: '1',
      title: 'Fix leak',
      source_branch: 'fix/leak',
      target_branch: 'main',
      target_project_id: '7',
      assignee_ids: ['3', 4],
      squash: null,
      remove_source_branch: null,
      allow_collaboration: false
    },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests',
        body: {
          title: 'Fix leak',
          source_branch: 'fix/leak',
          target_branch: 'main',
          target_project_id: 7,
          assignee_ids: [3, 4],
          allow_collaboration: false
        },
        reply: { status: 201, body: { iid: 13 } }
      }
    ],
    result: { iid: 13 }
  },
  {
    title: 'creates a draft by its title, which is what the forge goes by',
    tool: 'create_merge_request',
    args: { project_id: '1', title: 'Fix leak', source_branch: 'a', target_branch: 'main', draft: true },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests',
        body: { title: 'Draft: Fix leak', source_branch: 'a', target_branch: 'main' }
      }
    ]
  },
  {
    title: 'needs title and both branches',
    tool: 'create_merge_request',
    args: { project_id: '1' },
    error: 'Invalid arguments: title is required; source_branch is required; target_branch is required.'
  },
  {
    title: 'says that there is one already',
    tool: 'create_merge_request',
    args: { project_id: '1', title: 'x', source_branch: 'a', target_branch: 'main' },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests',
        body: { title: 'x', source_branch: 'a', target_branch: 'main' },
        reply: { status: 409, body: { message: ['Another open merge request already exists: !3'] } }
      }
    ],
    error: /^The forge answered 409 Conflict: "Another open merge request already exists: !3"\./
  },
  {
    title: 'changes what is given, by branch',
    tool: 'update_merge_request',
    args: { project_id: '1', source_branch: 'fix/leak', labels: [], reviewer_ids: [], squash: false },
    exchanges: [
      { request: open, reply: { body: [{ iid: 12 }] } },
      {
        request: 'PUT /projects/1/merge_requests/12',
        body: { labels: [], reviewer_ids: [], squash: false },
        reply: { body: { iid: 12 } }
      }
    ],
    result: { iid: 12 }
  },
  {
    title: 'takes the draft mark off the title it has',
    tool: 'update_merge_request',
    args: { project_id: '1', merge_request_iid: '12', draft: false },
    exchanges: [
      { request: 'GET /projects/1/merge_requests/12', reply: { body: { title: 'Draft: [Draft] Fix leak' } } },
      { request: 'PUT /projects/1/merge_requests/12', body: { title: 'Fix leak' } }
    ]
  },
  {
    title: 'says of a new title without Draft: that a draft is ready by it',
    tool: 'update_merge_request',
    args: { project_id: '1', merge_request_iid: '12', title: 'Leak' },
    exchanges: [
      {
        request: 'PUT /projects/1/merge_requests/12',
        body: { title: 'Leak' },
        reply: { body: { iid: 12, state: 'opened', draft: false } }
      }
    ],
    notices: [
      'If it was a draft, it is ready now, as its new title does not begin with Draft: (draft=true makes it one again).'
    ]
  },
  ...(
    [
      ['the state is asked for with it', { draft: false }, 'opened', false],
      ['it is a draft', {}, 'opened', true],
      ['it is merged', {}, 'merged', false]
    ] as const
  ).map(([how, args, state, draft]) => ({
    title: `says nothing of a new title where ${how}`,
    tool: 'update_merge_request',
    args: { project_id: '1', merge_request_iid: '12', title: draft ? 'Draft: Leak' : 'Leak', ...args },
    exchanges: [
      {
        request: 'PUT /projects/1/merge_requests/12',
        body: { title: draft ? 'Draft: Leak' : 'Leak' },
        reply: { body: { iid: 12, state, draft } }
      }
    ],
    notices: []
  })),
  {
    title: 'marks a new title as draft without asking for the old one',
    tool: 'update_merge_request',
    args: { project_id: '1', merge_request_iid: '12', title: 'Leak', draft: true },
    exchanges: [{ request: 'PUT /projects/1/merge_requests/12', body: { title: 'Draft: Leak' } }]
  },
  {
    title: 'leaves a title alone that is marked already',
    tool: 'update_merge_request',
    args: { project_id: '1', merge_request_iid: '12', title: '(draft) Leak', draft: true },
    exchanges: [{ request: 'PUT /projects/1/merge_requests/12', body: { title: '(draft) Leak' } }]
  },
  {
    title: 'writes nothing when the forge does not tell the title',
    tool: 'update_merge_request',
    args: { project_id: '1', merge_request_iid: '12', draft: true },
    exchanges: [{ request: 'GET /projects/1/merge_requests/12', reply: { body: { iid: 12 } } }],
    error: 'The forge gave no title to mark as draft or ready.'
  },
  {
    title: 'needs something to change',
    tool: 'update_merge_request',
    args: { project_id: '1', merge_request_iid: '12', description: null },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'gets a branch whose name has slashes',
    tool: 'get_branch',
    args: { project_id: '1', branch_name: 'fix/leak#2.1' },
    exchanges: [
      {
        request: 'GET /projects/1/repository/branches/fix%2Fleak%232%2E1',
        reply: {
          body: {
            name: 'fix/leak#2',
            protected: true,
            commit: { id: 'abc', author_email: 'a@b', trailers: {} }
          }
        }
      }
    ],
    result: { name: 'fix/leak#2', protected: true, commit: { id: 'abc' } }
  },
  {
    title: 'refuses a branch that climbs',
    tool: 'get_branch',
    args: { project_id: '1', branch_name: '..' },
    error: 'branch_name has an empty, "." or ".." segment: "..".'
  },
  {
    title: 'lists branches by name',
    tool: 'list_branches',
    args: { project_id: '1', search: '^fix', page: 2, per_page: 10 },
    exchanges: [
      {
        request: 'GET /projects/1/repository/branches?search=%5Efix&page=2&per_page=10',
        reply: {
          body: [{ name: 'fix/leak' }],
          headers: { link: '<https://forge.example/api/v4/x?page=3&per_page=10>; rel="next"' }
        }
      }
    ],
    result: [{ name: 'fix/leak' }],
    notices: [{ pagination: { next_page: 3 } }]
  }
])
