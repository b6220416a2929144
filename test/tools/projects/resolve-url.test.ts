import t from 'tap'
import { argumentReader } from '../../../src/engine/arguments/arguments.ts'
import { readWebUrl } from '../../../src/engine/web-urls/web-url.ts'
import { toolsets } from '../../../tools/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { runTable } from '../../support/tool-table.ts'

const forge = 'https://forge.example'
const sha = 'a'.repeat(40)
const secret = '0123456789abcdef'.repeat(2)
const rocket = 'acme/rocket'

/** Address after the forge's own → kind, tool, and what the tool is to be given besides the project. */
const inProject: readonly (readonly [address: string, kind: string, tool: string, use: object])[] = [
  ['/-/issues/7', 'issue', 'get_issue', { issue_iid: '7' }],
  [
    '/-/merge_requests/7/conflicts',
    'merge_request',
    'get_merge_request_conflicts',
    { merge_request_iid: '7' }
  ],
  ['/-/edit/main/README.md', 'file', 'get_file_contents', { ref: 'main', path: 'README.md' }],
  ['/-/hooks/7/edit', 'webhooks', 'list_webhooks', {}],
  ['/-/settings/ci_cd', 'variables', 'list_variables', {}],
  ['/-/runners/7', 'runners', 'list_runners', {}],
  ['/-/iterations/7', 'iterations', 'list_iterations', {}],
  ['/-/packages', 'packages', 'list_packages', {}],
  ['/-/container_registry', 'container_registries', 'list_registry_repositories', {}],
  ['/-/snippets', 'snippets', 'list_snippets', {}],
  ['/-/activity', 'events', 'list_events', {}],
  ['/-/wikis/home?version_id=abc123', 'wiki_page', 'get_wiki_page', { slug: 'home', version: 'abc123' }],
  ['/issues/7', 'issue', 'get_issue', { issue_iid: '7' }],
  ['/-/issues/7/', 'issue', 'get_issue', { issue_iid: '7' }],
  ['/-/issues/7?tab=designs', 'issue', 'get_issue', { issue_iid: '7' }],
  ['/-/issues/7?tab=designs#note_12', 'issue', 'list_issue_discussions', { issue_iid: '7' }],
  ['/-/issues/7/designs/a.png', 'issue', 'get_issue', { issue_iid: '7' }],
  ['/-/issues/incident/7', 'issue', 'get_issue', { issue_iid: '7' }],
  ['/-/issues', 'issues', 'list_issues', { scope: 'all', state: 'opened' }],
  [
    '/-/issues/?label_name[]=bug&label_name%5B%5D=to%20do&state=closed&assignee_username[]=ada&milestone_title=v1&search=a+b&sort=updated_asc&first_page_size=20',
    'issues',
    'list_issues',
    {
      scope: 'all',
      state: 'closed',
      labels: ['bug', 'to do'],
      assignee_username: ['ada'],
      milestone: 'v1',
      search: 'a b',
      order_by: 'updated_at',
      sort: 'asc'
    }
  ],
  [
    '/-/boards/5?label_name[]=bug&assignee_username=ada',
    'board',
    'list_issues',
    { scope: 'all', labels: ['bug'], assignee_username: ['ada'] }
  ],
  ['/-/boards', 'board', 'list_issues', { scope: 'all' }],
  [
    '/-/work_items?label_name[]=bug',
    'work_items',
    'list_work_items',
    { state: 'opened', label_names: ['bug'] }
  ],
  ...['None', 'Any', 'Upcoming', '#started'].map(
    word =>
      [
        `/-/work_items?milestone_title=${encodeURIComponent(word)}&label_name[]=None`,
        'work_items',
        'list_work_items',
        { state: 'opened', milestone_titles: [word], label_names: ['None'] }
      ] as const
  ),
  ['/-/work_items/7', 'work_item', 'get_work_item', { iid: '7' }],
  ['/-/work_items/7#note_12', 'work_item', 'list_work_item_notes', { iid: '7' }],
  ['/-/merge_requests/7', 'merge_request', 'get_merge_request', { merge_request_iid: '7' }],
  [
    '/-/merge_requests/7/diffs#abc_1_2',
    'merge_request',
    'get_merge_request_diffs',
    { merge_request_iid: '7' }
  ],
  ['/-/merge_requests/7/commits', 'merge_request', 'list_merge_request_commits', { merge_request_iid: '7' }],
  [
    '/-/merge_requests/7/pipelines',
    'merge_request',
    'list_merge_request_pipelines',
    { merge_request_iid: '7' }
  ],
  [
    '/-/merge_requests/7#note_12',
    'merge_request',
    'get_merge_request_note',
    { merge_request_iid: '7', note_id: '12' }
  ],
  ['/merge_requests/7', 'merge_request', 'get_merge_request', { merge_request_iid: '7' }],
  ['/-/merge_requests', 'merge_requests', 'list_merge_requests', { scope: 'all', state: 'opened' }],
  [
    '/-/merge_requests?state=merged&reviewer_username=ada&draft=no&target_branch=main&sort=created_date',
    'merge_requests',
    'list_merge_requests',
    {
      scope: 'all',
      state: 'merged',
      reviewer_username: 'ada',
      draft: false,
      target_branch: 'main',
      order_by: 'created_at',
      sort: 'desc'
    }
  ],
  ['/-/blob/main/README.md', 'file', 'get_file_contents', { ref: 'main', path: 'README.md' }],
  ['/-/blob/refs/tags/v1/a.md', 'file', 'get_file_contents', { ref: 'refs/tags/v1', path: 'a.md' }],
  [`/-/blob/${sha}/src/a%20b.ts`, 'file', 'get_file_contents', { ref: sha, path: 'src/a b.ts' }],
  ['/blob/HEAD/src/a.ts', 'file', 'get_file_contents', { ref: 'HEAD', path: 'src/a.ts' }],
  ['/-/raw/v1.0/a.txt', 'file', 'get_file_contents', { ref: 'v1.0', path: 'a.txt' }],
  [
    `/-/blob/${sha}/src/a.ts#L10-20`,
    'file',
    'get_file_contents',
    { ref: sha, path: 'src/a.ts', start_line: 10, end_line: 20 }
  ],
  [
    '/-/blob/main/a.ts?ref_type=heads#L10',
    'file',
    'get_file_contents',
    { ref: 'main', path: 'a.ts', start_line: 10, end_line: 10 }
  ],
  [
    '/-/blame/main/a.ts#L20-L10',
    'file',
    'get_file_blame',
    { ref: 'main', path: 'a.ts', start_line: 10, end_line: 20 }
  ],
  ['/-/tree/main', 'directory', 'get_repository_tree', { ref: 'main' }],
  [`/-/tree/${sha}/src/deep`, 'directory', 'get_repository_tree', { ref: sha, path: 'src/deep' }],
  ['/-/commit/abc123', 'commit', 'get_commit', { sha: 'abc123' }],
  ['/-/commits/main', 'commits', 'list_commits', { ref: 'main' }],
  ['/-/compare/main...feature/x', 'compare', 'get_branch_diffs', { from: 'main', to: 'feature/x' }],
  ['/-/compare/v1..v2', 'compare', 'get_branch_diffs', { from: 'v1', to: 'v2', straight: true }],
  ['/-/tags/v1.0', 'tag', 'get_tag', { tag_name: 'v1.0' }],
  ['/-/tags/a%2Fb', 'tag', 'get_tag', { tag_name: 'a/b' }],
  ['/-/tags', 'tags', 'list_tags', {}],
  ['/-/releases/v1.0', 'release', 'get_release', { tag_name: 'v1.0' }],
  ['/-/releases/permalink/latest', 'release', 'get_release', {}],
  ['/-/releases', 'releases', 'list_releases', {}],
  ['/-/branches', 'branch', 'list_branches', {}],
  ['/-/branches/all', 'branch', 'list_branches', {}],
  ['/-/branches/all?search=fix', 'branch', 'list_branches', { search: 'fix' }],
  ['/-/commits/main?author=Ada&ref_type=heads', 'commits', 'list_commits', { ref: 'main', author: 'Ada' }],
  [
    '/-/tags?search=v1&sort=version_desc',
    'tags',
    'list_tags',
    { search: 'v1', order_by: 'version', sort: 'desc' }
  ],
  ['/-/pipelines/7', 'pipeline', 'get_pipeline', { pipeline_id: '7' }],
  ['/-/pipelines', 'pipelines', 'list_pipelines', {}],
  [
    '/-/pipelines?scope=all&status=failed&ref=main&page=2',
    'pipelines',
    'list_pipelines',
    { status: 'failed', ref: 'main' }
  ],
  ['/-/jobs/7', 'job', 'get_pipeline_job', { job_id: '7' }],
  ['/-/jobs/7/artifacts/browse', 'artifact', 'list_job_artifacts', { job_id: '7' }],
  [
    '/-/jobs/7/artifacts/browse/out/logs/',
    'artifact',
    'list_job_artifacts',
    { job_id: '7', path: 'out/logs' }
  ],
  [
    '/-/jobs/7/artifacts/file/out/a.txt',
    'artifact',
    'get_job_artifact_file',
    { job_id: '7', artifact_path: 'out/a.txt' }
  ],
  [
    '/-/jobs/7/artifacts/raw/a.txt',
    'artifact',
    'get_job_artifact_file',
    { job_id: '7', artifact_path: 'a.txt' }
  ],
  ['/-/jobs/7/artifacts/download', 'job', 'get_pipeline_job', { job_id: '7' }],
  ['/-/pipelines/7/test_report', 'pipeline', 'get_pipeline_test_report', { pipeline_id: '7' }],
  ['/-/pipelines/7/failures', 'pipeline', 'get_pipeline', { pipeline_id: '7' }],
  ['/-/merge_requests/7/diffs?commit_id=66b0516c', 'merge_request', 'get_commit_diff', { sha: '66b0516c' }],
  [`/uploads/${secret}/a%20b.png`, 'attachment', 'get_attachment', { secret, filename: 'a b.png' }],
  ['/-/environments', 'environments', 'list_environments', {}],
  ['/-/environments?scope=stopped', 'environments', 'list_environments', { states: 'stopped' }],
  ['/-/deployments', 'deployments', 'list_deployments', {}],
  [
    '/-/security/vulnerability_report',
    'vulnerabilities',
    'list_vulnerabilities',
    { state: ['detected', 'confirmed'] }
  ],
  [
    '/-/security/vulnerability_report/?state=DISMISSED&severity=CRITICAL,HIGH',
    'vulnerabilities',
    'list_vulnerabilities',
    { state: ['dismissed'], severity: ['critical', 'high'] }
  ],
  ['/-/jobs/7#L12', 'job', 'get_pipeline_job_output', { job_id: '7' }],
  ['/-/issues/7#L12', 'issue', 'get_issue', { issue_iid: '7' }],
  ['/-/merge_requests/7/diffs#L12', 'merge_request', 'get_merge_request_diffs', { merge_request_iid: '7' }],
  ['/-/pipelines/7#L12', 'pipeline', 'get_pipeline', { pipeline_id: '7' }],
  ['/-/wikis/home#L2-3', 'wiki_page', 'get_wiki_page', { slug: 'home', start_line: 2, end_line: 3 }],
  ['/-/snippets/7#L2', 'snippet', 'get_snippet', { snippet_id: '7', start_line: 2, end_line: 2 }],
  ['/-/tree/main#L2', 'directory', 'get_repository_tree', { ref: 'main' }],
  ['/builds/7', 'job', 'get_pipeline_job', { job_id: '7' }],
  ['/-/pipeline_schedules/7', 'pipeline_schedule', 'get_pipeline_schedule', { schedule_id: '7' }],
  ['/-/environments/7', 'environment', 'get_environment', { environment_id: '7' }],
  ['/-/milestones/3', 'milestone', 'list_milestones', { iids: ['3'] }],
  ['/-/milestones', 'milestones', 'list_milestones', { state: 'active' }],
  [
    '/-/milestones?state=closed&search_title=v1',
    'milestones',
    'list_milestones',
    { state: 'closed', search: 'v1' }
  ],
  ['/-/pipeline_schedules', 'pipeline_schedules', 'list_pipeline_schedules', {}],
  [
    '/-/pipeline_schedules?scope=active',
    'pipeline_schedules',
    'list_pipeline_schedules',
    { scope: 'active' }
  ],
  ['/-/hooks', 'webhooks', 'list_webhooks', {}],
  ['/-/wikis/docs/setup', 'wiki_page', 'get_wiki_page', { slug: 'docs/setup' }],
  ['/-/wikis/home/edit', 'wiki_page', 'get_wiki_page', { slug: 'home' }],
  ['/-/wikis', 'wiki_pages', 'list_wiki_pages', {}],
  ['/-/snippets/7', 'snippet', 'get_snippet', { snippet_id: '7' }],
  ['/-/packages/7', 'package', 'get_package', { package_id: '7' }],
  ['/-/container_registry/7', 'container_registry', 'list_registry_tags', { repository_id: '7' }],
  ['/-/labels', 'labels', 'list_labels', {}],
  ['/-/project_members', 'members', 'list_members', {}],
  ['', 'project', 'get_project', {}],
  ['.git', 'project', 'get_project', {}]
]

t.test('an address of a project names what the tool is to be given', async t => {
  for (const [address, kind, tool, use] of inProject) {
    const found = readWebUrl(`${forge}/${rocket}${address}`, forge)
    t.same(
      { kind: found.kind, tool: found.tool, use: found.use, owner: found.owner, unclear: found.unclear },
      { kind, tool, use, owner: { project_path: rocket }, unclear: undefined },
      address
    )
  }
})

/** The forge's own pages → the same. */
const ofForge: readonly (readonly [address: string, kind: string, tool: string, use: object])[] = [
  [
    `/-/project/41/uploads/${secret}/a.png`,
    'attachment',
    'get_attachment',
    { project_id: '41', secret, filename: 'a.png' }
  ],
  ['/users/ada', 'user', 'get_user', { username: 'ada' }],
  ['/dashboard/todos', 'todos', 'list_todos', {}],
  ['/dashboard/todos?state=done&project_id=41', 'todos', 'list_todos', { state: 'done', project_id: '41' }],
  ['/dashboard/issues', 'issues', 'list_issues', { scope: 'assigned_to_me', state: 'opened' }],
  [
    '/dashboard/merge_requests?reviewer_username=ada',
    'merge_requests',
    'list_merge_requests',
    { scope: 'all', state: 'opened', reviewer_username: 'ada' }
  ],
  ['/dashboard/projects', 'projects', 'list_projects', { membership: true }],
  ['/dashboard/groups?filter=tools', 'groups', 'list_groups', { search: 'tools' }],
  ['/explore', 'projects', 'list_projects', { membership: false }],
  [
    '/explore/projects?name=rocket&sort=latest_activity_desc',
    'projects',
    'list_projects',
    { membership: false, search: 'rocket', order_by: 'last_activity_at', sort: 'desc' }
  ],
  ['/explore/groups', 'groups', 'list_groups', { all_available: true }],
  ['/search?search=gauge', 'search', 'search', { scope: 'projects', query: 'gauge' }],
  [
    '/search?search=gauge&project_id=41&group_id=7&repository_ref=main',
    'search',
    'search_code',
    { query: 'gauge', project_id: '41', ref: 'main' }
  ],
  [
    '/search?search=gauge&scope=issues&group_id=7&state=opened&repository_ref=main',
    'search',
    'search',
    { scope: 'issues', query: 'gauge', group_id: '7', state: 'opened' }
  ]
]

t.test('an address of the forge itself names the tool that shows what its page does', async t => {
  for (const [address, kind, tool, use] of ofForge) {
    const found = readWebUrl(forge + address, forge)
    t.same(
      { kind: found.kind, tool: found.tool, use: found.use, owner: found.owner },
      { kind, tool, use, owner: undefined },
      address
    )
  }
})

t.test('a project or group that has the name of a page is one all the same', async t => {
  for (const [path, owner] of [
    ['acme/tools/hooks', { project_path: 'acme/tools/hooks' }],
    ['acme/tools/milestones', { project_path: 'acme/tools/milestones' }],
    ['acme/tools/environments', { project_path: 'acme/tools/environments' }],
    ['acme/tools/uploads/of/ada', { project_path: 'acme/tools/uploads/of/ada' }],
    ['acme/tools/search', { project_path: 'acme/tools/search' }],
    ['acme/dashboard/todos', { project_path: 'acme/dashboard/todos' }],
    ['groups/acme/search', { group_path: 'acme/search' }]
  ] as const)
    t.same(readWebUrl(`${forge}/${path}`, forge).owner, owner, path)
})

t.test('the tool that an address names takes the arguments that go with it', async t => {
  const rows = toolsets.flatMap(({ rows }) => rows)
  const faults: string[] = []
  const addresses = [
    ...inProject.map(([address]) => `/${rocket}${address}`),
    ...ofForge.map(([address]) => address)
  ]
  for (const address of addresses) {
    const { tool, use, owner } = readWebUrl(forge + address, forge)
    const row = rows.find(({ name }) => name === tool)!
    const args = owner && 'project_id' in row.input.properties ? { project_id: rocket, ...use } : use
    try {
      const read = argumentReader(row.input)(args)
      for (const check of row.check ?? []) check(read)
    } catch (error) {
      faults.push(`${address}: ${(error as Error).message}`)
    }
  }
  t.same(faults, [])
})

t.test('an address of a group, of a person, or of the forge itself', async t => {
  for (const [address, kind, tool, use, owner] of [
    ['/groups/acme/tools/-/epics/4', 'epic', 'get_work_item', { iid: '4' }, { group_path: 'acme/tools' }],
    ['/groups/acme/-/work_items/4', 'work_item', 'get_work_item', { iid: '4' }, { group_path: 'acme' }],
    ['/groups/acme/-/milestones/4', 'milestone', 'list_milestones', { iids: ['4'] }, { group_path: 'acme' }],
    ['/groups/acme/-/wikis/home', 'wiki_page', 'get_wiki_page', { slug: 'home' }, { group_path: 'acme' }],
    ['/groups/acme/-/group_members', 'members', 'list_members', {}, { group_path: 'acme' }],
    ['/groups/acme/tools', 'group', 'get_group', {}, { group_path: 'acme/tools' }],
    ['/-/snippets/7', 'snippet', 'get_snippet', { snippet_id: '7' }, undefined],
    ['/snippets/7', 'snippet', 'get_snippet', { snippet_id: '7' }, undefined],
    [
      '/groups/acme/-/milestones',
      'milestones',
      'list_milestones',
      { state: 'active' },
      { group_path: 'acme' }
    ],
    ['/groups/acme/-/hooks', 'webhooks', 'list_webhooks', {}, { group_path: 'acme' }]
  ] as const) {
    const found = readWebUrl(forge + address, forge)
    t.same(
      { kind: found.kind, tool: found.tool, use: found.use, owner: found.owner },
      { kind, tool, use, owner },
      address
    )
  }
  t.match(readWebUrl(`${forge}/acme`, forge), { kind: 'group', guessed: true }, 'or it is a person')
})

t.test('projects lie as deep as they like, and may have dots', async t => {
  t.same(readWebUrl(`${forge}/acme/tools/hammer.js/-/issues/1`, forge).owner, {
    project_path: 'acme/tools/hammer.js'
  })
  t.same(readWebUrl(`${forge}/acme/tools/hammer/issues/1`, forge).owner, {
    project_path: 'acme/tools/hammer'
  })
  t.match(readWebUrl(`${forge}/acme/issues/tags/compare/issues/1`, forge), {
    kind: 'tag',
    owner: { project_path: 'acme/issues' }
  })
  t.match(readWebUrl(`${forge}/acme/rocket/compare/issues/issues/1`, forge), {
    kind: 'issue',
    owner: { project_path: 'acme/rocket/compare/issues' }
  })
})

t.test('a forge below a path has its addresses there, and only there', async t => {
  const below = `${forge}/git`
  t.match(readWebUrl(`${below}/acme/rocket/-/issues/7`, below), {
    owner: { project_path: 'acme/rocket' },
    fields: { issue_iid: '7' }
  })
  for (const address of [`${forge}/acme/rocket`, `${forge}/github/acme/rocket`])
    t.throws(() => readWebUrl(address, below), { message: /^url is not of this forge/ })
})

t.test('what is no address of the forge, or of no known shape, is said to be', async t => {
  for (const [address, message] of [
    ['acme/rocket#7', 'url must be a whole address, such as https://host/group/project.'],
    [
      'https://evil.example/acme/rocket/-/issues/7',
      'url is not of this forge, which is https://forge.example. Nothing was asked.'
    ],
    ['https://forge.example.evil.example/a/b', /^url is not of this forge/],
    ['https://forge.example@evil.example/a/b', /^url is not of this forge/],
    ['https://forge.example:8443/a/b', /^url is not of this forge/],
    ['javascript:alert(1)', /^url must be a whole address/],
    ['ftp://forge.example/acme/rocket', /^url must be a whole address/],
    [`${forge}/acme/rocket/-/issues/%E0%A4%A`, 'url has a malformed % escape.'],
    [`${forge}/acme/rocket/-/wikis/a%0Ab`, /control character/],
    [`${forge}/acme/rocket/-/wikis/a%C2%85b`, /control character/],
    [`${forge}/acme/rocket/-/compare/main...a%E2%80%A8b`, /control character/],
    [`${forge}/acme/rocket/-/settings/repository`, /names nothing that a tool here shows/],
    [`${forge}/api/v4/projects/41/milestones/7`, /names nothing/],
    [`${forge}/api/v4/users/7`, /names nothing/],
    [`${forge}/admin/users`, /names nothing/],
    [`${forge}/help/ci/yaml`, /names nothing/],
    [`${forge}/dashboard/activity`, /names nothing/],
    [`${forge}/search?search=`, /names nothing/],
    [`${forge}/users/ada/projects`, /names nothing/],
    [`${forge}/${rocket}/-/search?search=x`, /names nothing/],
    [`${forge}/acme/rocket/-/issues/seven`, /names nothing/],
    [`${forge}/acme/rocket/-/blob/main`, /names nothing/],
    [`${forge}/acme/rocket/-/compare/main`, /names nothing/],
    [`${forge}/groups/acme/-/merge_requests/7`, /names nothing/],
    [forge, /names nothing/]
  ] as const)
    t.throws(() => readWebUrl(address, forge), { message }, address)
})

t.test('what an address of the API is of, and pages of people and groups, are read as pages', t => {
  const one = { project_path: '41' }
  const all = [
    ['api/v4/projects/41', one, 'get_project', {}],
    ['projects/41', one, 'get_project', {}],
    ['api/v4/projects/41/issues/7', one, 'get_issue', { issue_iid: '7' }],
    [
      'api/v4/projects/acme%2Frocket/merge_requests/7',
      { project_path: rocket },
      'get_merge_request',
      { merge_request_iid: '7' }
    ],
    ['api/v4/groups/acme/epics/7', { group_path: 'acme' }, 'get_work_item', { iid: '7' }],
    ['groups/acme/-/epics', { group_path: 'acme' }, 'list_work_items', { types: ['epic'], state: 'opened' }],
    ['groups/acme/-/packages', { group_path: 'acme' }, 'list_packages', {}],
    ['users/ada/activity', undefined, 'list_events', { user: 'ada' }],
    ['users/ada/followers', undefined, 'list_user_followers', { username: 'ada' }],
    ['users/ada/following', undefined, 'list_user_followers', { username: 'ada', following: true }]
  ] as const
  for (const [address, owner, tool, use] of all) {
    const read = readWebUrl(`${forge}/${address}`, forge)
    t.same({ owner: read.owner, tool: read.tool, use: read.use }, { owner, tool, use }, address)
  }
  t.end()
})

const branches = (...names: string[]) => ({ body: names.map(name => ({ name })) })

runTable(projects, [
  {
    title: 'the address of a comment is told alone, and leads to the comment',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/merge_requests/7/diffs?tab=x#note_123` },
    result: {
      kind: 'merge_request',
      project_path: rocket,
      merge_request_iid: '7',
      note_id: '123',
      use: {
        tool: 'get_merge_request_note',
        arguments: { project_id: rocket, merge_request_iid: '7', note_id: '123' }
      }
    }
  },
  {
    title: 'where a branch name ends is asked, and the longest branch that fits counts',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/blob/feature/gauge/src/a.ts#L3` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/branches?search=%5Efeature',
        reply: branches('feature', 'feature/gauge', 'feature/gauge-2')
      }
    ],
    result: {
      kind: 'file',
      project_path: rocket,
      ref: 'feature/gauge',
      path: 'src/a.ts',
      start_line: 3,
      end_line: 3,
      use: {
        tool: 'get_file_contents',
        arguments: { project_id: rocket, ref: 'feature/gauge', path: 'src/a.ts', start_line: 3, end_line: 3 }
      }
    }
  },
  {
    title: 'the full name of a branch in an address stays, as a tag may have the same short name',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/blob/refs/heads/feature/gauge/src/a.ts` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/branches?search=%5Efeature',
        reply: branches('feature/gauge')
      }
    ],
    result: {
      kind: 'file',
      project_path: rocket,
      ref: 'refs/heads/feature/gauge',
      path: 'src/a.ts',
      use: {
        tool: 'get_file_contents',
        arguments: { project_id: rocket, ref: 'refs/heads/feature/gauge', path: 'src/a.ts' }
      }
    }
  },
  {
    title: 'of more branches than a page has, those that begin with the second segment too are asked for',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/blob/feature/gauge/src/a.ts` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/branches?search=%5Efeature',
        reply: { ...branches('feature/a', 'feature/b'), headers: { 'x-next-page': '2' } }
      },
      {
        request: 'GET /projects/acme%2Frocket/repository/branches?search=%5Efeature%2Fgauge',
        reply: branches('feature/gauge', 'feature/gauge-2')
      }
    ],
    result: {
      kind: 'file',
      project_path: rocket,
      ref: 'feature/gauge',
      path: 'src/a.ts',
      use: {
        tool: 'get_file_contents',
        arguments: { project_id: rocket, ref: 'feature/gauge', path: 'src/a.ts' }
      }
    }
  },
  {
    title: 'a branch that fits is certain, whatever other pages have',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/tree/feature/gauge` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/branches?search=%5Efeature',
        reply: { ...branches('feature/gauge'), headers: { 'x-next-page': '2' } }
      }
    ],
    result: {
      kind: 'directory',
      project_path: rocket,
      ref: 'feature/gauge',
      use: { tool: 'get_repository_tree', arguments: { project_id: rocket, ref: 'feature/gauge' } }
    }
  },
  {
    title: 'a directory may be all branch',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/tree/feature/gauge` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/branches?search=%5Efeature',
        reply: branches('feature/gauge')
      }
    ],
    result: {
      kind: 'directory',
      project_path: rocket,
      ref: 'feature/gauge',
      use: { tool: 'get_repository_tree', arguments: { project_id: rocket, ref: 'feature/gauge' } }
    }
  },
  {
    title: 'where no branch fits the first segment is taken, and said to be a guess',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/blob/v1.0/src/a.ts` },
    exchanges: [
      { request: 'GET /projects/acme%2Frocket/repository/branches?search=%5Ev1.0', reply: branches() }
    ],
    result: {
      kind: 'file',
      project_path: rocket,
      ref: 'v1.0',
      path: 'src/a.ts',
      guessed: true,
      use: { tool: 'get_file_contents', arguments: { project_id: rocket, ref: 'v1.0', path: 'src/a.ts' } }
    }
  },
  {
    title: 'a project that may not be seen leaves it a guess too',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/tree/feature/x` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/branches?search=%5Efeature',
        reply: { status: 404, body: {} }
      }
    ],
    result: {
      kind: 'directory',
      project_path: rocket,
      ref: 'feature',
      path: 'x',
      guessed: true,
      use: { tool: 'get_repository_tree', arguments: { project_id: rocket, ref: 'feature', path: 'x' } }
    }
  },
  {
    title: 'an attachment is named with the secret of its address, with which it is read',
    tool: 'resolve_url',
    args: { url: `${forge}/-/project/41/uploads/${secret}/a.png` },
    result: {
      kind: 'attachment',
      project_id: '41',
      secret,
      filename: 'a.png',
      use: { tool: 'get_attachment', arguments: { project_id: '41', secret, filename: 'a.png' } }
    }
  },
  {
    title: 'a vulnerability has an id of its own, and no project goes with it',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/security/vulnerabilities/9` },
    result: {
      kind: 'vulnerability',
      project_path: rocket,
      vulnerability_id: '9',
      use: { tool: 'get_vulnerability', arguments: { vulnerability_id: '9' } }
    }
  },
  {
    title: 'filters that the tool of a list has no words for are named',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/issues/?not[label_name][]=bug&weight=3&state=merged&search=&page=2` },
    result: {
      kind: 'issues',
      project_path: rocket,
      use: { tool: 'list_issues', arguments: { project_id: rocket, scope: 'all', state: 'opened' } }
    },
    notices: [
      'list_issues is not told of these filters in the address: "not[label_name][]", "weight", "state".'
    ]
  },
  {
    title: 'a word beside titles, which the tool of a list refuses, is named as well',
    tool: 'resolve_url',
    args: { url: `${forge}/${rocket}/-/work_items?milestone_title[]=Started&milestone_title[]=v1` },
    result: {
      kind: 'work_items',
      project_path: rocket,
      use: { tool: 'list_work_items', arguments: { project_id: rocket, state: 'opened' } }
    },
    notices: ['list_work_items is not told of these filters in the address: "milestone_title[]".']
  },
  {
    title: 'another host is never asked',
    tool: 'resolve_url',
    args: { url: 'https://evil.example/acme/rocket' },
    error: 'url is not of this forge, which is https://forge.example. Nothing was asked.'
  }
])

story('the web addresses that the forge gives lead back to what they are of', [projects], async (t, as) => {
  const ada = as('ada')
  const { web_url: url } = (await ada('get_project', { project_id: rocket })).value
  t.match((await ada('resolve_url', { url })).value, { kind: 'project', project_path: rocket })
  t.match((await ada('resolve_url', { url: `${url}/-/tree/release/1.4/src` })).value, {
    ref: 'release/1.4',
    path: 'src'
  })
  const group = (await ada('get_group', { group_id: 'acme/tools' })).value
  t.match((await ada('resolve_url', { url: group.web_url })).value, { group_path: 'acme/tools' })
})
