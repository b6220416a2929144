import t from 'tap'
import { toolsetIds } from '../../../src/engine/rows/toolset-id.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { listen } from '../../support/listen.ts'
import { call, initialize, OTHER_TOKEN, post, request, taken, testServer } from '../../support/server.ts'

type Server = Awaited<ReturnType<typeof testServer>>

async function names(server: Server, headers: Record<string, string> = {}): Promise<string[]> {
  const response = await post(server, { headers, body: request('tools/list') })
  return response.json().result.tools.map(({ name }: { name: string }) => name)
}

/** The text of a refused call; undefined when the call got as far as the forge, which is not there. */
async function refusal(server: Server, name: string, args: object, headers: Record<string, string> = {}) {
  const { result } = (await post(server, { headers, body: call(name, args) })).json()
  const text: string = result.content[0].text
  return text.includes('could not be reached (ECONNREFUSED)') ? undefined : text
}

const issue = { project_id: 'acme/rocket', issue_iid: '1' }

t.test('the default toolsets are merge_requests and issues, with discover_tools', async t => {
  const listed = await names(await testServer(t))
  for (const name of ['list_merge_requests', 'list_issues', 'list_todos', 'discover_tools'])
    t.ok(listed.includes(name), name)
  for (const name of ['list_pipelines', 'get_dependency_proxy_settings']) t.notOk(listed.includes(name), name)
})

t.test(
  'FORGE_TOOLSETS replaces the selection, USE_PIPELINE adds to it, FORGE_TOOLS adds single tools',
  async t => {
    const only = await names(await testServer(t, { FORGE_TOOLSETS: ' Dependency_Proxy ' }))
    t.same(only.toSorted(), [
      'discover_tools',
      'get_dependency_proxy_settings',
      'list_dependency_proxy_blobs',
      'purge_dependency_proxy_cache',
      'update_dependency_proxy_settings'
    ])
    const withPipelines = await names(await testServer(t, { USE_PIPELINE: 'true' }))
    t.ok(withPipelines.includes('list_pipelines') && withPipelines.includes('list_issues'))
    const all = await names(await testServer(t, { FORGE_TOOLSETS: 'all' }))
    t.ok(
      all.includes('list_pipelines') &&
        all.includes('list_issues') &&
        all.includes('purge_dependency_proxy_cache')
    )
    const extra = await testServer(t, { FORGE_TOOLSETS: 'issues', FORGE_TOOLS: 'get_pipeline' })
    t.ok((await names(extra)).includes('get_pipeline'))
    t.equal(await refusal(extra, 'get_pipeline', { project_id: '1', pipeline_id: '1' }), undefined)
  }
)

t.test('FORGE_TOOLS with an unknown name does not start', async t => {
  await t.rejects(testServer(t, { FORGE_TOOLS: 'get_issue,get_wiki,create_mr' }), {
    message: /unknown tools: get_wiki.*, create_mr \(create_merge_request may be meant\)/
  })
})

t.test(
  'of a tool among toolsets, and of a toolset or preset among tools, it is said what takes it',
  async t => {
    await t.rejects(testServer(t, { FORGE_TOOLSETS: 'issues,list_issues' }), {
      name: 'ConfigError',
      problems: [
        /^FORGE_TOOLSETS may list .* not "list_issues"\.$/,
        'FORGE_TOOLSETS takes no tools, as FORGE_TOOLS does: list_issues.'
      ]
    })
    await t.rejects(testServer(t, { FORGE_TOOLS: 'wiki,Review' }), {
      name: 'ConfigError',
      problems: [
        'FORGE_TOOLS names unknown tools: wiki (a toolset, which FORGE_TOOLSETS takes), Review (a preset, which FORGE_TOOLSETS takes).'
      ]
    })
  }
)

t.test('each toolset can be chosen, also one whose name a tool has', async t => {
  t.ok((await names(await testServer(t, { FORGE_TOOLSETS: toolsetIds.join(',') }))).length > 200)
  t.ok((await names(await testServer(t, { FORGE_TOOLSETS: 'search' }))).includes('search'))
})

t.test('unknown tools are told of together with whatever else is wrong', async t => {
  await t.rejects(testServer(t, { FORGE_TOOLS: 'nosuch,a-b', PORT: 'y' }), {
    name: 'ConfigError',
    problems: [/^PORT/, /^FORGE_TOOLS must list/, /^FORGE_TOOLS names unknown tools: nosuch\.$/]
  })
})

t.test('read-only mode neither lists nor runs what writes', async t => {
  const server = await testServer(t, { FORGE_READ_ONLY_MODE: 'true', FORGE_TOOLSETS: 'all' })
  const listed = await names(server)
  t.ok(
    listed.includes('get_issue') &&
      !listed.includes('update_issue') &&
      !listed.includes('merge_merge_request')
  )
  t.match(await refusal(server, 'update_issue', { ...issue, title: 'x' }), /only reading is allowed/)
  t.equal(await refusal(server, 'get_issue', issue), undefined)
})

t.test('denied tools are neither listed nor called, however they are selected', async t => {
  const server = await testServer(t, {
    FORGE_DENIED_TOOLS_REGEX: '^delete_|merge_merge',
    FORGE_TOOLS: 'delete_issue'
  })
  const listed = await names(server)
  t.notOk(listed.some(name => name.startsWith('delete_') || name === 'merge_merge_request'))
  t.match(await refusal(server, 'delete_issue', issue), /delete_issue is switched off on this server/)
  const strict = await testServer(t, { FORGE_DENIED_TOOLS_REGEX: '^approve_|^create_merge_request$' })
  const one = { project_id: '1', merge_request_iid: '7' }
  t.match(
    await refusal(strict, 'submit_review', { ...one, verdict: 'approve' }),
    /it does what approve_merge_request does/
  )
  t.match(
    await refusal(strict, 'backport_merge_request', { ...one, target_branch: 'stable' }),
    /it does what create_merge_request does/
  )
  t.notOk((await names(strict)).includes('submit_review'))
})

t.test('what shows or does the same as a denied tool is off with it', async t => {
  const off: Record<string, readonly string[]> = {
    get_pipeline_job_output: ['diagnose_pipeline', 'wait_for_job'],
    get_file_contents: ['diagnose_pipeline', 'get_files', 'get_file_blame'],
    get_pipeline: ['wait_for_pipeline'],
    get_pipeline_job: ['wait_for_job'],
    list_branches: ['list_commit_refs'],
    list_tags: ['list_commit_refs'],
    mr_discussions: ['review_merge_request'],
    get_merge_request_approval_state: ['review_merge_request'],
    get_issue: ['get_work_item'],
    list_issues: ['my_issues', 'list_work_items', 'whats_on_my_plate', 'list_merge_request_closes_issues'],
    list_merge_requests: [
      'whats_on_my_plate',
      'list_issue_related_merge_requests',
      'list_commit_merge_requests'
    ],
    get_job_artifact_file: ['download_job_artifacts'],
    list_issue_discussions: ['list_work_item_notes'],
    list_todos: ['whats_on_my_plate'],
    delete_release: ['delete_tag'],
    delete_merge_request_note: ['delete_merge_request_discussion_note'],
    delete_merge_request_discussion_note: ['delete_merge_request_note'],
    update_merge_request_note: ['update_merge_request_discussion_note'],
    update_merge_request_discussion_note: ['update_merge_request_note'],
    merge_merge_request: ['add_merge_request_to_merge_train'],
    create_pipeline: ['play_pipeline_schedule', 'create_pipeline_schedule'],
    commit_files: ['apply_suggestions'],
    list_pipeline_jobs: ['get_failed_jobs', 'diagnose_pipeline'],
    mark_todo_done: ['mark_all_todos_done'],
    retry_pipeline_job: ['retry_pipeline'],
    cancel_pipeline_job: ['cancel_pipeline'],
    create_project: ['fork_project'],
    create_issue: ['create_work_item', 'move_issue'],
    update_issue: ['update_issues', 'update_issue_description_patch', 'update_work_item', 'move_issue'],
    create_issue_note: ['create_work_item_note'],
    bulk_publish_draft_notes: ['submit_review'],
    create_draft_note: ['submit_review'],
    create_merge_request_note: ['submit_review', 'publish_draft_note', 'bulk_publish_draft_notes'],
    create_merge_request_thread: ['submit_review', 'publish_draft_note', 'bulk_publish_draft_notes']
  }
  for (const [denied, others] of Object.entries(off)) {
    const server = await testServer(t, {
      FORGE_DENIED_TOOLS_REGEX: `^${denied}$`,
      FORGE_TOOLSETS: 'all'
    })
    const listed = await names(server)
    for (const other of others) {
      t.notOk(listed.includes(other), `${other} without ${denied}`)
      t.match(await refusal(server, other, {}), new RegExp(`it does what ${denied} does`))
    }
  }
})

t.test(
  'what an argument does that a denied tool does is refused, and the rest of its tool is not',
  async t => {
    const place = { project_id: '1', merge_request_iid: '7' }
    const commit = {
      project_id: '1',
      branch: 'x',
      commit_message: 'x',
      actions: [{ action: 'create', file_path: 'x', content: 'x' }]
    }
    const release = { project_id: '1', tag_name: 'v1' }
    const remark = { project_id: '1', noteable_iid: '5', body: 'x' }
    const onIssue = { noteable_type: 'issue' }
    const hunk = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE'
    const patch = { ...issue, patch_type: 'search_replace', patch: hunk, dry_run: false, create_note: false }
    const note = { ...place, discussion_id: 'abc', note_id: '1' }
    const schedule = { project_id: '1', schedule_id: '5', description: 'x' }
    const opened = { project_id: '1', title: 'x', source_branch: 'x', target_branch: 'main' }
    const member = { project_id: '1', user_id: '2', confirm: 'ada' }
    const cases = [
      ['create_branch', 'commit_files', commit, { start_branch: 'main' }],
      ['create_branch', 'commit_files', commit, { from_branch: 'main' }],
      ['create_branch', 'commit_files', commit, { start_sha: 'abcdef01' }],
      ['create_tag', 'create_release', release, { ref: 'main' }],
      [
        'create_release_link',
        'create_release',
        { ...release, links: [] },
        { links: [{ name: 'x', url: 'https://x.example' }] }
      ],
      ['resolve_merge_request_thread', 'update_merge_request_discussion_note', note, { resolved: true }],
      [
        'resolve_merge_request_thread',
        'create_draft_note',
        { ...place, body: 'x', resolve_discussion: false },
        { resolve_discussion: true }
      ],
      ['list_members', 'find_users', { search: 'ada' }, { group_id: 'acme' }],
      ['list_members', 'find_users', { search: 'ada' }, { project_id: '1' }],
      ['list_members', 'search', { scope: 'projects', query: 'x' }, { scope: 'users' }],
      ['create_issue_note', 'create_note', { ...remark, noteable_type: 'merge_request' }, onIssue],
      [
        'create_merge_request_note',
        'create_note',
        { ...remark, ...onIssue },
        { noteable_type: 'merge_request' }
      ],
      ['create_issue_note', 'update_issue_description_patch', patch, { create_note: true }],
      ['get_issue', 'update_issue_description_patch', patch, { dry_run: true }],
      ['list_issues', 'update_issue_description_patch', patch, { dry_run: true }],
      ['list_labels', 'list_issues', { project_id: '1' }, { with_labels_details: true }],
      ['list_labels', 'list_merge_requests', { project_id: '1' }, { with_labels_details: true }],
      ['list_merge_requests', 'create_release', release, { generate_notes: true }],
      ['list_commits', 'create_release', { ...release, links: [] }, { generate_notes: true }],
      ['list_issues', 'search', { scope: 'merge_requests', query: 'x' }, { scope: 'issues' }],
      ['list_merge_requests', 'search', { scope: 'issues', query: 'x' }, { scope: 'merge_requests' }],
      ['mr_discussions', 'search', { scope: 'issues', query: 'x' }, { scope: 'notes' }],
      ['create_pipeline', 'update_pipeline_schedule', schedule, { cron: '* * * * *' }],
      ['create_pipeline', 'update_pipeline_schedule', { ...schedule, active: false }, { active: true }],
      ['create_pipeline', 'update_pipeline_schedule', schedule, { ref: 'x' }],
      ['create_pipeline', 'update_pipeline_schedule', schedule, { cron_timezone: 'Asia/Tokyo' }],
      ['create_pipeline', 'update_pipeline_schedule', schedule, { inputs: [{ name: 'x', value: 'y' }] }],
      ['create_pipeline', 'update_pipeline_schedule', schedule, { variables: [{ key: 'X', value: 'y' }] }],
      [
        'get_file_contents',
        'lint_ci',
        { project_id: '1', include_merged_yaml: false },
        { include_merged_yaml: true }
      ],
      [
        'delete_branch',
        'merge_merge_request',
        { ...place, should_remove_source_branch: false },
        { should_remove_source_branch: true }
      ],
      ['delete_branch', 'update_merge_request', { ...place, title: 'x' }, { remove_source_branch: true }],
      ['delete_branch', 'create_merge_request', opened, { remove_source_branch: true }],
      [
        'delete_branch',
        'update_project',
        { project_id: '1', name: 'x' },
        { remove_source_branch_after_merge: true }
      ],
      ['update_issue', 'remove_member', member, { unassign_issuables: true }],
      ['update_merge_request', 'remove_member', member, { unassign_issuables: true }]
    ] as const
    const settings = { FORGE_TOOLSETS: 'all' }
    const open = await testServer(t, settings)
    for (const [denied, tool, args, more] of cases) {
      const server = await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX: `^${denied}$` })
      t.match(await refusal(server, tool, { ...args, ...more }), new RegExp(`what ${denied} does`), tool)
      t.notMatch((await refusal(server, tool, args)) ?? '', /switched off/, `${tool} without it`)
      t.notMatch(
        (await refusal(open, tool, { ...args, ...more })) ?? '',
        /switched off/,
        `${tool} where it may`
      )
    }
  }
)

t.test('no advice sends a caller to a denied tool', async t => {
  const forge = await listen(t, (_request, response) => {
    response.statusCode = 409
    response.setHeader('content-type', 'application/json').end('{"message":"Label already exists"}')
  })
  const label = { project_id: '1', name: 'bug', color: '#ff0000' }
  const told = (FORGE_DENIED_TOOLS_REGEX: string) =>
    testServer(t, { FORGE_API_URL: forge, FORGE_TOOLSETS: 'planning', FORGE_DENIED_TOOLS_REGEX }).then(
      server => refusal(server, 'create_label', label)
    )
  t.match(await told('^none$'), /There is a label of that name, perhaps of a group above: see list_labels/)
  t.match(await told('^list_labels$'), /There is a label of that name, perhaps of a group above\.$/)
})

t.test('a rebase that failed names no denied tool', async t => {
  const forge = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"sha":"a","merge_error":"It conflicts"}')
  })
  const settings = { FORGE_API_URL: forge, FORGE_DENIED_TOOLS_REGEX: '^get_merge_request_conflicts$' }
  const server = await testServer(t, settings)
  const args = { project_id: '1', merge_request_iid: '1' }
  const { result } = (await post(server, { body: call('rebase_merge_request', args) })).json()
  t.equal(result.content.at(-1).text, 'The rebase failed and the branch is unchanged: "It conflicts".')
})

t.test('a part of a result that a denied tool shows is left out, and says why', async t => {
  const answers: Record<string, unknown> = {
    'merge_requests/7/': [],
    'merge_requests/7': { iid: 7, project_id: 1, sha: 'b', head_pipeline: { id: 9, status: 'failed' } },
    compare: { commits: [{ title: 'secret' }], diffs: [{ new_path: 'secret' }] },
    'pipelines?': [{ id: 8, sha: 'a', status: 'success' }],
    'pipelines/9/jobs': [{ id: 6, name: 'unit-tests', status: 'failed' }],
    'pipelines/9/test_report': {},
    'pipelines/9': { id: 9, status: 'failed', project_id: 1, ref: 'main', sha: 'b' },
    jobs: []
  }
  const forge = await listen(t, (asked, response) => {
    const what = Object.keys(answers).find(name => asked.url!.includes(name))!
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[what]))
  })
  const settings = { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' }
  const ofPipeline = { project_id: '1', pipeline_id: '9' }
  const cases = [
    ['list_pipeline_jobs', 'wait_for_pipeline', ofPipeline, 'unit-tests'],
    ['list_pipeline_jobs', 'review_merge_request', { project_id: '1', merge_request_iid: '7' }, 'unit-tests'],
    ['list_commits|get_branch_diffs', 'diagnose_pipeline', ofPipeline, 'secret'],
    ['list_pipelines', 'diagnose_pipeline', ofPipeline, 'secret']
  ] as const
  const text = async (server: Server, tool: string, args: object) =>
    JSON.stringify((await post(server, { headers: toolsets, body: call(tool, args) })).json().result)
  const toolsets = { 'x-forge-toolsets': 'merge_requests,pipelines' }
  const open = await testServer(t, settings)
  for (const [denied, tool, args, secret] of cases) {
    t.match(await text(open, tool, args), secret, tool)
    const regex = `^(?:${denied})$`
    const shown = await text(
      await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX: regex }),
      tool,
      args
    )
    for (const name of denied.split('|'))
      t.match(shown, `${name}, which shows that, is switched off on this server.`, tool)
    t.match(shown, 'status', `${tool} has the rest`)
    t.notMatch(shown, secret, tool)
  }
})

t.test('a part of a record that a denied tool shows is left out, and the notice says why', async t => {
  const secret = 'a secret'
  const project = { project_id: '1' }
  const linkedItems = {
    nodes: [{ linkType: 'blocks', workItem: { iid: '2', namespace: { fullPath: secret } } }]
  }
  const workItem = { iid: '1', title: 'v1', features: { linkedItems: { linkedItems } } }
  const cases: [denied: string, tool: string, args: object, answer: object, path: string][] = [
    ['mr_discussions', 'list_events', project, [{ action_name: 'v1', note: { body: secret } }], 'note.body'],
    ['list_issue_discussions', 'list_todos', {}, [{ id: 'v1', body: secret }], 'body'],
    ['get_merge_request_notes', 'mark_todo_done', { id: 1 }, { id: 'v1', body: secret }, 'body'],
    ['get_file_contents', 'search_code', { ...project, query: 'x' }, [{ path: 'v1', data: secret }], 'data'],
    [
      'get_file_contents',
      'lint_ci',
      { ...project, include_jobs: true },
      { valid: true, jobs: [{ name: 'v1', script: [secret] }] },
      'jobs.script'
    ],
    [
      'list_issue_links',
      'get_work_item',
      { project_id: 'a/b', iid: '1' },
      { data: { namespace: { workItem } } },
      'linked'
    ],
    [
      'list_merge_request_commits',
      'get_merge_request_version',
      { ...project, merge_request_iid: '1', version_id: '1' },
      { id: 'v1', commits: [{ title: secret }] },
      'commits'
    ],
    [
      'list_commits',
      'get_branch_diffs',
      { ...project, from: 'a', to: 'b' },
      { web_url: 'v1', diffs: [], commits: [{ title: secret }] },
      'commits'
    ]
  ]
  let answer: object = {}
  const forge = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const settings = { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' }
  const full = { 'x-forge-output': 'full' }
  const open = await testServer(t, settings)
  const FORGE_DENIED_TOOLS_REGEX = `^(?:${cases.map(([denied]) => denied).join('|')})$`
  const server = await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX })
  const text = async (server: Server, tool: string, args: object) =>
    JSON.stringify((await post(server, { headers: full, body: call(tool, args) })).json().result)
  for (const [, tool, args, sent, path] of cases) {
    answer = sent
    t.match(await text(open, tool, args), secret, `${tool} where it may`)
    const shown = await text(server, tool, args)
    t.notMatch(shown, secret, tool)
    t.match(shown, 'v1', `${tool} has the rest`)
    t.match(shown, new RegExp(`${path} is left out: \\w+, which shows that, is switched off`), tool)
    answer = {}
    t.notMatch(await text(server, tool, args), /left out/, `${tool} without that part`)
  }
})

t.test('of a record within another only what names it is shown where its own tool is denied', async t => {
  const secret = 'a secret'
  const project = { project_id: '1' }
  const issue = { iid: 1, title: 'v1', description: secret }
  const commit = { id: 'a', title: 'v1', message: secret, author_email: secret }
  const cases: [denied: string, tool: string, args: object, answer: object][] = [
    ['get_issue', 'list_issue_links', { ...project, issue_iid: '2' }, [{ ...issue, issue_link_id: 3 }]],
    [
      'list_issues',
      'get_issue_link',
      { ...project, issue_iid: '2', issue_link_id: '3' },
      { id: 3, source_issue: issue }
    ],
    ['get_issue', 'list_todos', {}, [{ id: 4, target_type: 'Issue', target: issue }]],
    ['get_merge_request', 'mark_todo_done', { id: 4 }, { target_type: 'MergeRequest', target: issue }],
    [
      'list_milestones',
      'get_merge_request',
      { ...project, merge_request_iid: '1' },
      { iid: 1, milestone: issue }
    ],
    ['list_merge_requests', 'list_merge_trains', project, [{ id: 4, merge_request: issue }]],
    ['list_commits', 'get_branch', { ...project, branch_name: 'b' }, { name: 'b', commit }],
    ['get_commit', 'list_pipeline_jobs', { ...project, pipeline_id: '1' }, [{ id: 4, commit }]],
    [
      'get_release',
      'get_tag',
      { ...project, tag_name: 'b' },
      { name: 'v1', release: { tag_name: 'v1', description: secret } }
    ],
    [
      'get_deployment',
      'get_environment',
      { ...project, environment_id: '1' },
      { name: 'v1', last_deployment: { iid: 1, ref: secret } }
    ]
  ]
  let answer: object = {}
  const forge = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const settings = { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' }
  const open = await testServer(t, settings)
  for (const [denied, tool, args, sent] of cases) {
    answer = sent
    const server = await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX: `^${denied}$` })
    const text = async (output: string, of: Server) =>
      JSON.stringify(
        (await post(of, { headers: { 'x-forge-output': output }, body: call(tool, args) })).json().result
      )
    t.match(await text('full', open), secret, `${tool} where it may`)
    for (const output of ['full', 'compact']) {
      const shown = await text(output, server)
      t.notMatch(shown, secret, `${tool} without ${denied}`)
      if (tool !== 'get_merge_request' || output === 'full') t.match(shown, 'v1', `${tool} names it`)
    }
  }
})

t.test('what does not fit is not told by the text that nobody may read', async t => {
  const shas = { base_sha: 'a', start_sha: 'a', head_sha: 'b' }
  const diff = '@@ -1 +1,2 @@\n context\n+const secret = 1\n'
  const answers: [end: RegExp, answer: unknown][] = [
    [/\/raw$/, 'const secret = 1\n'],
    [/issues\/1$/, { iid: 1, description: 'a secret plan' }],
    [/diffs/, [{ old_path: 'secret.js', new_path: 'secret.js', diff }]],
    [/merge_requests\/1$/, { iid: 1, diff_refs: shas }],
    [/draft_notes$|discussions$/, { id: 5 }]
  ]
  const forge = await listen(t, ({ url }, response) => {
    const [, answer] = answers.find(([end]) => end.test(url!.split('?')[0]!)) ?? []
    response.setHeader('content-type', 'application/json')
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}))
  })
  const settings = { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' }
  const diffs = '_diffs?$|^get_merge_request_version$'
  const comment = { project_id: '1', merge_request_iid: '1', body: 'x' }
  const edits = [{ find: 'const  secret = 1', replace: 'x' }]
  const hunk = '@@ -1 +1 @@\n-a plan\n+b\n'
  const cases: [denied: string, tool: string, args: object, said: RegExp][] = [
    [
      '^get_file_contents$',
      'commit_files',
      {
        project_id: '1',
        branch: 'x',
        commit_message: 'x',
        actions: [{ action: 'edit', file_path: 'a.js', edits }]
      },
      /Nothing was committed: read the file again/
    ],
    [
      '^get_issue$',
      'update_issue_description_patch',
      { ...issue, patch_type: 'unified_diff', patch: hunk },
      /^Hunk 1 fits nowhere: the description has not its old lines, [\w ,]+\.$/
    ],
    [
      diffs,
      'create_draft_note',
      { ...comment, path: 'a.js', line: 1 },
      /is not changed by this merge request\.$/
    ],
    [
      diffs,
      'create_draft_note',
      { ...comment, path: 'secret.js', line: 9 },
      /^The diff does not have line 9 of this file after the change\.$/
    ],
    [diffs, 'create_merge_request_thread', { ...comment, path: 'secret.js', line: 2 }, /"id":5/]
  ]
  const tells = /line 1 is|secret plan|Changed are|It has 1–2|"code"/
  const open = await testServer(t, settings)
  for (const [denied, tool, args, said] of cases) {
    t.match(await refusal(open, tool, args), tells, `${tool} where it may be read`)
    const told = await refusal(
      await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX: denied }),
      tool,
      args
    )
    t.match(told, said, tool)
    t.notMatch(told, tells, tool)
  }
})

t.test(
  'a default project does not switch off the search for people where nobody may list members',
  async t => {
    const asked: string[] = []
    const forge = await listen(t, ({ url }, response) => {
      asked.push(url!)
      response.setHeader('content-type', 'application/json').end('[]')
    })
    const settings = { FORGE_API_URL: forge, FORGE_PROJECT_ID: '1', FORGE_TOOLSETS: 'all' }
    for (const FORGE_DENIED_TOOLS_REGEX of ['', '^list_members$']) {
      const server = await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX })
      await refusal(server, 'find_users', { search: 'ada' })
    }
    t.match(asked, [/projects\/1\/users\?search=ada/, /v4\/users\?search=ada/])
  }
)

t.test('FORGE_ALLOWED_PROJECT_IDS keeps every call within some projects', async t => {
  for (const FORGE_ALLOWED_PROJECT_IDS of ['acme%2Frocket', 'acme%2frocket,1'])
    t.equal(await refusal(await testServer(t, { FORGE_ALLOWED_PROJECT_IDS }), 'get_issue', issue), undefined)
  const server = await testServer(t, { FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket, 42', FORGE_TOOLSETS: 'all' })
  taken(server)
  for (const project_id of ['acme/rocket', 'acme%2Frocket', 'Acme/Rocket', '42'])
    t.equal(await refusal(server, 'get_issue', { ...issue, project_id }), undefined, project_id)
  for (const project_id of ['acme/website', '41', 'acme/rocket/x'])
    t.match(
      await refusal(server, 'get_issue', { ...issue, project_id }),
      /is not served here: use acme\/rocket, 42/
    )
  t.match(
    await refusal(server, 'list_issues', {}),
    /project_id is required/,
    'a list across projects is none of them'
  )
  t.match(
    await refusal(server, 'create_issue_link', {
      ...issue,
      target_project_id: 'acme/website',
      target_issue_iid: '1'
    }),
    /target_project_id "acme\/website" is not served/
  )
  const place = { project_id: '42' }
  t.match(
    await refusal(server, 'create_work_item', { ...place, type: 'task', title: 'x', parent_id: '7' }),
    /parent_id may lead out of the projects that this server keeps to/
  )
  t.match(
    await refusal(server, 'list_work_items', { ...place, include_ancestors: true }),
    /include_ancestors may lead out/
  )
  t.equal(await refusal(server, 'list_work_items', { ...place, include_ancestors: false }), undefined)
  const config = { ...place, content: 'include: {project: acme/secret, file: ci.yml}' }
  for (const shown of ['include_merged_yaml', 'include_jobs'])
    t.match(await refusal(server, 'lint_ci', { ...config, [shown]: true }), /may lead out of the projects/)
  for (const [file, served] of [
    ['ci.yml@secret/infra', false],
    ['ci.yml@secret/infra:main', false],
    ['ci.yml@acme/rocket:a@b', true],
    ['ci/main.yml', true]
  ] as const) {
    const said = await refusal(server, 'update_project', { ...place, ci_config_path: file })
    t.equal(said === undefined, served, file)
    if (!served) t.match(said, /^ci_config_path .* is in a project that is not served here/)
  }
  const listed = await names(server)
  for (const name of ['mark_all_todos_done', 'get_vulnerability', 'purge_dependency_proxy_cache']) {
    t.notOk(listed.includes(name), name)
    t.match(await refusal(server, name, {}), /keeps to some projects/)
  }
})

t.test(
  'a project that is allowed by its id, and named by its path, is told to be named by the id',
  async t => {
    const said = async (FORGE_ALLOWED_PROJECT_IDS: string, project_id: string) => {
      const server = await testServer(t, { FORGE_ALLOWED_PROJECT_IDS })
      taken(server)
      return refusal(server, 'get_issue', { ...issue, project_id })
    }
    t.equal(
      await said('42', 'acme/rocket'),
      'project_id "acme/rocket" is not served here: use 42. If it is one of these, name it by the id as it stands there: by its path it is not known.'
    )
    t.equal(
      await said('acme/rocket', '42'),
      'project_id "42" is not served here: use acme/rocket. If it is one of these, name it by the path as it stands there: by its id it is not known.'
    )
    t.equal(
      await said('acme/rocket', 'acme/pad'),
      'project_id "acme/pad" is not served here: use acme/rocket.'
    )
  }
)

t.test('a letter that becomes another one in small letters by Unicode names no allowed project', async t => {
  const server = await testServer(t, { FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket' })
  const get = (project_id: string) => refusal(server, 'get_issue', { ...issue, project_id })
  t.equal(await get('Acme/ROCKET'), undefined)
  for (const project of ['acme/roc\u212aet', encodeURIComponent('acme/roc\u212aet')])
    t.match(await get(project), /is not served here/, project)
})

t.test(
  'FORGE_ALLOWED_PROJECT_IDS leaves what names no project’s things callable, and to-dos of the one',
  async t => {
    const server = await testServer(t, { FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket', FORGE_TOOLSETS: 'issues' })
    const text = async (name: string, args: object) =>
      (await post(server, { body: call(name, args) })).json().result.content[0].text
    t.match(await text('discover_tools', {}), /"toolsets":/)
    for (const category of ['ISSUES', 'Pipelines'])
      t.match(await text('discover_tools', { category }), /"(?:activated|already_active)":/, category)
    t.match(await text('list_todos', {}), /could not be reached/, 'asked for, of that project')
  }
)

t.test('which projects are served is told only to a token that the forge has taken', async t => {
  const forge = await listen(t, ({ headers }, response) => {
    response.statusCode = headers['private-token'] === OTHER_TOKEN ? 401 : 200
    response.setHeader('content-type', 'application/json').end('{"iid":1}')
  })
  const server = await testServer(t, {
    FORGE_API_URL: `${forge}/api/v4`,
    FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket,acme/merger',
    FORGE_PROJECT_ID: 'acme/rocket'
  })
  const uri = 'forge://projects/{project_id}/issues/{issue_iid}'
  const completion = { ref: { type: 'ref/resource', uri }, argument: { name: 'project_id', value: '' } }
  const asked = [
    call('get_issue', { ...issue, project_id: 'x' }),
    call('create_issue', { title: 'x', project_id: 'x' }),
    request('completion/complete', completion)
  ]
  t.match(
    (await post(server, { body: asked[0]! })).body,
    /by its id or by its path: try its other form\. Once the forge has answered/,
    'how to go on'
  )
  const naming = async (token?: string) => {
    const said: boolean[] = []
    for (const body of asked) said.push(/acme/.test((await post(server, { token, body })).body))
    return said
  }
  for (const token of [undefined, OTHER_TOKEN]) {
    t.same(await naming(token), [false, false, false], 'before the forge was asked')
    await post(server, { token, body: call('get_issue', issue) })
  }
  t.same(await naming(), [true, true, true])
  t.same(await naming(OTHER_TOKEN), [false, false, false], 'whom it has refused')
})

const here = { references: { full: 'acme/rocket!3' }, project_id: 7 }
const elsewhere = { references: { full: 'acme/website!4' }, project_id: 8 }

t.test('under FORGE_ALLOWED_PROJECT_IDS nothing of another project is made or shown', async t => {
  const answers: Record<string, unknown> = {
    related_merge_requests: [
      { iid: 3, ...here },
      { iid: 4, ...elsewhere },
      { iid: 5, project_id: 42 },
      // The forge is known by another name outside.
      { iid: 6, project_id: 7, web_url: 'https://elsewhere.example/acme/rocket/-/merge_requests/6' },
      { iid: 8, project_id: 9, web_url: 'https://elsewhere.example/acme/rocket/x/-/merge_requests/8' }
    ],
    bridges: [
      { id: 1, name: 'own', downstream_pipeline: { id: 11, project_id: 42 } },
      { id: 2, name: 'other', downstream_pipeline: { id: 12, project_id: 8 } }
    ],
    links: { source_issue: { iid: 1, ...here }, target_issue: { iid: 2, title: 'secret', ...elsewhere } },
    // Of a merge request that comes from a fork.
    '7/pipelines': [{ id: 5, sha: 'head', ...elsewhere }],
    'merge_requests/7': { iid: 7, sha: 'head' },
    'merge_requests/8': { iid: 8, ...here, head_pipeline: { id: 5, status: 'failed', ...elsewhere } },
    trace: 'secret',
    jobs: [{ id: 6, name: 'secret', status: 'failed' }],
    '42/pipelines/9': { id: 9, status: 'failed', project_id: 42 },
    'pipelines/5': { id: 5, status: 'failed', ...elsewhere }
  }
  const paths: string[] = []
  const forge = await listen(t, (asked, response) => {
    paths.push(asked.url!)
    const what = Object.keys(answers).find(name => asked.url!.includes(`/${name}`))!
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[what]))
  })
  const settings = { FORGE_API_URL: `${forge}/api/v4`, FORGE_TOOLSETS: 'all' }
  const server = await testServer(t, { ...settings, FORGE_ALLOWED_PROJECT_IDS: 'Acme/Rocket, 42' })
  const full = { 'x-forge-output': 'full' }
  const run = async (name: string, args: object, of = server, headers: Record<string, string> = {}) => {
    const body = call(name, { project_id: 'acme/rocket', ...args })
    const { result } = (await post(of, { headers, body })).json()
    return result.content.map(({ text }: { text: string }) => text) as string[]
  }
  const [list, notice] = await run('list_issue_related_merge_requests', { issue_iid: '1' })
  t.same(
    JSON.parse(list!).map(({ iid }: { iid: number }) => iid),
    [3, 5, 6]
  )
  t.equal(notice, 'Left out, as they are of projects that are not served here: 2 records.')
  const [jobs] = await run('list_pipeline_trigger_jobs', { pipeline_id: '1' })
  t.match(JSON.parse(jobs!), [{ downstream_pipeline: { id: 11 } }, { name: 'other' }])
  t.notMatch(jobs, /12/)
  t.notMatch((await run('get_issue_link', { issue_iid: '1', issue_link_id: '1' })).join(), /secret/)
  const ofFork = { project_id: '42', merge_request_iid: '7' }
  for (const tool of ['diagnose_pipeline', 'wait_for_pipeline']) {
    paths.length = 0
    t.same(await run(tool, ofFork), ['This is of a project that is not served here.'], tool)
    t.same(
      paths.filter(path => !path.includes('/projects/42/')),
      [],
      `${tool} reads nothing of the fork`
    )
    t.match((await run(tool, { project_id: '42', pipeline_id: '9' })).join(), /"id":6/, `${tool} at home`)
  }
  const whole: readonly (readonly [tool: string, args: object])[] = [
    ['get_merge_request', {}],
    ['review_merge_request', {}],
    ['update_merge_request', { title: 'x' }],
    ['merge_merge_request', {}]
  ]
  for (const [tool, args] of whole) {
    paths.length = 0
    const [shown, left] = await run(tool, { merge_request_iid: '8', ...args }, server, full)
    t.match(shown, '"iid":8')
    t.notMatch(shown, /pipeline|secret/, `${tool} of a fork`)
    t.notMatch(paths.join(), '/jobs', `${tool} asks the fork for nothing`)
    t.match(left, /^Left out, as it is of a project that is not served here: 1 record\.$/)
  }
  t.match(await refusal(server, 'fork_project', { project_id: '42' }), /this tool makes another/)
  t.notOk((await names(server)).includes('fork_project'))
  const open = await testServer(t, settings)
  t.equal(
    JSON.parse((await run('list_issue_related_merge_requests', { issue_iid: '1' }, open))[0]!).length,
    5
  )
})

t.test(
  'under FORGE_ALLOWED_PROJECT_IDS of an issue’s epic, which is of a group, only its number is shown',
  async t => {
    const epic = { id: 9, iid: 2, title: 'secret', url: '/groups/acme/-/epics/2', group_id: 7 }
    const issue = { iid: 1, title: 'own', ...here, project_id: 42, epic_iid: 2, epic }
    const forge = await listen(t, (asked, response) => {
      const isList = asked.method === 'GET' && !asked.url!.includes('/issues/1')
      const record = asked.url!.includes('/todos') ? { id: 3, target_type: 'Issue', target: issue } : issue
      response.setHeader('content-type', 'application/json').end(JSON.stringify(isList ? [record] : record))
    })
    const settings = { FORGE_API_URL: `${forge}/api/v4`, FORGE_TOOLSETS: 'all' }
    const server = await testServer(t, { ...settings, FORGE_ALLOWED_PROJECT_IDS: '42' })
    const one = { issue_iid: '1' }
    const calls: readonly (readonly [tool: string, args: object])[] = [
      ['get_issue', one],
      ['create_issue', { title: 'own' }],
      ['update_issue', { ...one, title: 'own' }],
      ['update_issues', { issues: [{ ...one, title: 'own' }] }],
      ['move_issue', { ...one, to_project: '42' }],
      ['list_issues', { scope: 'all' }],
      ['my_issues', {}],
      ['list_todos', {}]
    ]
    const run = async (tool: string, args: object, output: string, of = server) => {
      const body = call(tool, { project_id: '42', ...args })
      return JSON.stringify((await post(of, { headers: { 'x-forge-output': output }, body })).json().result)
    }
    const faults: string[] = []
    for (const output of ['compact', 'full'])
      for (const [tool, args] of calls) {
        const shown = await run(tool, args, output)
        if (!shown.includes('iid') || /secret|epics|Left out|switched off/.test(shown))
          faults.push(`${tool} ${shown}`)
      }
    t.same(faults, [])
    t.match(
      await run('get_issue', one, 'compact', await testServer(t, settings)),
      'secret',
      'without a limit'
    )
  }
)

t.test('under FORGE_ALLOWED_PROJECT_IDS a work item names none of other projects', async t => {
  const at = (fullPath: string) => ({ iid: '2', namespace: { fullPath } })
  const features = {
    hierarchy: { parent: at('acme/secret'), children: { nodes: [at('acme/rocket'), at('acme/secret')] } },
    linkedItems: {
      linkedItems: {
        nodes: [
          { linkType: 'blocks', workItem: at('acme/secret') },
          { linkType: 'blocks', workItem: at('acme/website') }
        ]
      }
    }
  }
  const workItem = { id: 'gid://gitlab/WorkItem/9', iid: '3', title: 'x', features }
  const namespace = { workItem, workItems: { nodes: [workItem] } }
  const forge = await listen(t, (asked, response) => {
    asked.resume()
    const answer = asked.method === 'POST' ? { data: { namespace } } : { path_with_namespace: 'acme/rocket' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const settings = { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' }
  const shown = async (limit: string, tool: string, args: object) => {
    const server = await testServer(t, { ...settings, FORGE_ALLOWED_PROJECT_IDS: limit })
    return (await post(server, { body: call(tool, args) })).json().result.content[0].text as string
  }
  for (const [limit, project_id] of [
    ['acme/rocket,acme/website', 'acme/rocket'],
    ['42', '42']
  ] as const) {
    const one = await shown(limit, 'get_work_item', { project_id, iid: '3' })
    const { children, linked = [], parent, left_out } = JSON.parse(one)
    t.same([children, parent], [['acme/rocket#2'], undefined], limit)
    t.same(linked.length, limit === '42' ? 0 : 1)
    t.equal(left_out, `${limit === '42' ? 4 : 3} items of other projects or groups`)
    t.notMatch(await shown(limit, 'list_work_items', { project_id }), /secret/)
  }
  t.match(await shown('', 'get_work_item', { project_id: '42', iid: '3' }), /"parent":"acme\/secret#2"/)
})

t.test('under FORGE_ALLOWED_PROJECT_IDS a check of CI names no files of other projects', async t => {
  const file = (location: string, context_project: string, extra = {}) => ({
    type: 'file',
    location,
    context_project,
    extra
  })
  const includes = [
    file('own.yml', 'acme/rocket'),
    file('secret.yml', 'acme/rocket', { project: 'secret/infra', ref: 'HEAD' }),
    file('secret-nested.yml', 'secret/infra'),
    file('shared.yml', 'acme/rocket', { project: 'Acme/CI', ref: 'HEAD' })
  ]
  const asked: string[] = []
  const forge = await listen(t, ({ url }, response) => {
    asked.push(url!.split('?')[0]!)
    const answer = url!.endsWith('/projects/42')
      ? { path_with_namespace: 'acme/rocket' }
      : { valid: true, includes }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const shown = async (limit: string, project_id: string, more = {}) => {
    asked.length = 0
    const settings = { FORGE_API_URL: `${forge}/api/v4`, FORGE_TOOLSETS: 'all' }
    const server = await testServer(t, { ...settings, FORGE_ALLOWED_PROJECT_IDS: limit })
    const headers = { 'x-forge-output': 'full' }
    const { result } = (
      await post(server, { headers, body: call('lint_ci', { project_id, ...more }) })
    ).json()
    const [value, notice] = result.content.map(({ text }: { text: string }) => text)
    return [JSON.parse(value).includes.map(({ location }: { location: string }) => location), notice]
  }
  const left = (many: number) =>
    `Left out, as they are of projects that are not served here: ${many} includes.`
  for (const more of [{}, { content: 'include: own.yml' }]) {
    t.same(await shown('acme/rocket,acme/ci', 'acme/rocket', more), [['own.yml', 'shared.yml'], left(2)])
    t.same(await shown('42', '42', more), [['own.yml'], left(3)], 'its own are shown where it is a number')
  }
  t.same(await shown('acme/rocket,acme/ci,secret/infra', 'acme/rocket'), [
    includes.map(({ location }) => location),
    undefined
  ])
  t.equal((await shown('', '42'))[0].length, 4)
  t.same(asked, ['/api/v4/projects/42/ci/lint'], 'and nothing more is read without a limit')
})

t.test(
  'under FORGE_ALLOWED_PROJECT_IDS a record is shown without what in it is of another project',
  async t => {
    const secret = { id: 99, name: 'secret', path_with_namespace: 'secret/parent' }
    const jobs = [
      {
        id: 8,
        ref: 'secret',
        project_id: 99,
        web_url: 'https://elsewhere.example/secret/parent/-/pipelines/8'
      },
      { id: 9, ref: 'own', project_id: 7, web_url: 'https://elsewhere.example/acme/rocket/-/pipelines/9' }
    ]
    const fork = { id: 7, path_with_namespace: 'acme/rocket', forked_from_project: secret }
    const sample = { id: 5, name: 'lib', pipeline: jobs[0], pipelines: jobs }
    const answers: [end: string, answer: unknown][] = [
      ['/packages', [sample]],
      ['/packages/5', sample],
      ['/environments', [{ id: 3, cluster_agent: { id: 1, config_project: secret } }]],
      ['/environments/3', { id: 3, cluster_agent: { id: 1, config_project: secret } }],
      ['/projects/acme%2Frocket', fork],
      ['/star', fork]
    ]
    const forge = await listen(t, ({ url }, response) => {
      const [, answer] = answers.find(([end]) => url!.split('?')[0]!.endsWith(end)) ?? []
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer ?? []))
    })
    const settings = { FORGE_API_URL: `${forge}/api/v4`, FORGE_TOOLSETS: 'all' }
    const limited = await testServer(t, { ...settings, FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket' })
    const open = await testServer(t, settings)
    const full = { 'x-forge-output': 'full' }
    const shown = async (server: Server, tool: string, args: object) =>
      (await post(server, { headers: full, body: call(tool, { project_id: 'acme/rocket', ...args }) })).body
    for (const [tool, args] of [
      ['list_packages', {}],
      ['get_package', { package_id: '5' }],
      ['list_environments', {}],
      ['get_environment', { environment_id: '3' }],
      ['get_project', {}],
      ['star_project', {}]
    ] as const) {
      t.match(await shown(open, tool, args), 'secret', tool)
      const text = await shown(limited, tool, args)
      t.match(
        text,
        /Left out, as (?:it is of a project|they are of projects) that (?:is|are) not served here/,
        tool
      )
      t.notMatch(text, 'secret', tool)
      if (tool.endsWith('package')) t.match(text, 'own', 'a pipeline of its own is shown')
    }
  }
)

t.test('a pipeline of another project is not told of while it is waited for, either', async t => {
  const forge = await listen(t, (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 5, status: 'running', project_id: 99 }))
  })
  const server = await testServer(t, { FORGE_API_URL: `${forge}/api/v4`, FORGE_ALLOWED_PROJECT_IDS: '42' })
  const wait = request('tools/call', {
    name: 'wait_for_pipeline',
    arguments: { project_id: '42', pipeline_id: '5', timeout: 1 },
    _meta: { progressToken: 'p' }
  })
  const headers = { accept: 'application/json, text/event-stream' }
  const { body } = await post(server, { headers, body: wait })
  t.match(body, /This is of a project that is not served here/)
  t.notMatch(body, /running/)
})

t.test('what a denied tool lists is not told where a name is not found, nor asked for', async t => {
  const asked: string[] = []
  const forge = await listen(t, ({ method, url }, response) => {
    asked.push(`${method} ${url!.replace('/api/v4', '')}`)
    response.setHeader('content-type', 'application/json')
    const says = (message: string) => response.writeHead(404).end(JSON.stringify({ message }))
    if (/(?:branches|commits)\/mian$/.test(url!)) return says('404 Branch Not Found')
    if (/tags\/v/.test(url!)) return says('404 Tag Not Found')
    if (/files\//.test(url!)) return says('404 File Not Found')
    if (/wikis\/hom/.test(url!)) return says('404 Not found')
    if (/users\?username|issues\?|pipelines\?/.test(url!)) return response.end('[]')
    if (method === 'PUT') return response.end('{"iid":1}')
    response.end(
      JSON.stringify([{ name: 'main', path: 'a.ts', type: 'blob', slug: 'home', username: 'adam' }])
    )
  })
  const project_id = '1'
  const url = `${forge}/a/b/-/tree/x/y`
  const calls: readonly (readonly [denied: string, tool: string, args: object, list: RegExp])[] = [
    ['list_branches', 'get_branch', { branch_name: 'mian' }, /branches\?/],
    ['list_branches', 'resolve_url', { project_id: undefined, url }, /branches\?/],
    ['list_branches', 'list_pipelines', { ref: 'mian' }, /branches\?/],
    ['list_tags', 'get_tag', { tag_name: 'v1' }, /tags\?/],
    ['get_repository_tree', 'get_file_contents', { path: 'b.ts', ref: 'main' }, /tree|search/],
    ['list_wiki_pages', 'get_wiki_page', { slug: 'hom' }, /wikis$/],
    ['list_labels', 'list_issues', { labels: ['mian'] }, /1\/labels/],
    ['list_members', 'update_issue', { issue_iid: '1', assignee_ids: ['ada'] }, /projects\/1\/users/]
  ]
  const settings = { FORGE_API_URL: `${forge}/api/v4` }
  const free = await testServer(t, settings)
  const all = calls.map(([name]) => name).join('|')
  const denied = await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX: `^(?:${all})$` })
  for (const [name, tool, args, list] of calls)
    for (const [server, isTold] of [
      [free, true],
      [denied, false]
    ] as const) {
      asked.splice(0)
      await post(server, { body: call(tool, { project_id, ...args }) })
      t.equal(
        asked.some(request => list.test(request)),
        isTold,
        `${tool} ${isTold ? 'with' : 'without'} ${name}: ${asked}`
      )
    }
})

t.test('where create_label is denied no label is made by setting it', async t => {
  const changes: string[] = []
  const forge = await listen(t, ({ method, url }, response) => {
    if (method !== 'GET') changes.push(`${method} ${url!.replace('/api/v4/projects/1/', '')}`)
    response.setHeader('content-type', 'application/json')
    const isList = url!.includes('/labels?')
    const labels = url!.includes('/projects/2/')
      ? [{ name: 'upstream' }]
      : [{ name: 'bug' }, { name: 'newest' }]
    response.end(JSON.stringify(isList ? labels : { iid: 1 }))
  })
  const settings = { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' }
  const denied = await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX: '^create_label$' })
  const mr = { project_id: '1', merge_request_iid: '1' }
  const made = { project_id: '1', title: 'x', source_branch: 'a', target_branch: 'b' }
  for (const [tool, args] of [
    ['create_issue', { project_id: '1', title: 'x', labels: ['bug', '12'] }],
    ['update_issue', { project_id: '1', issue_iid: '1', add_labels: ['new'] }],
    ['update_issues', { project_id: '1', issues: [{ issue_iid: '1', labels: ['new'] }] }],
    ['update_merge_request', { ...mr, labels: ['new,newer'] }],
    ['create_merge_request', { ...made, labels: ['new'] }],
    ['create_merge_request', { ...made, target_project_id: '2', labels: ['bug'] }]
  ] as const)
    t.match(await refusal(denied, tool, args), /would become a label, and create_label is switched off/, tool)
  t.same(changes, [])
  const bug = { project_id: '1', issue_iid: '1', add_labels: ['bug'], remove_labels: ['new'] }
  await refusal(denied, 'update_issue', bug)
  await refusal(await testServer(t, settings), 'update_issue', { ...bug, add_labels: ['new'] })
  await refusal(denied, 'create_merge_request', { ...made, target_project_id: '2', labels: ['upstream'] })
  t.same(changes, ['PUT issues/1', 'PUT issues/1', 'POST merge_requests'])
})

t.test('a draft that resolves a thread is not published where nobody may resolve one', async t => {
  const changes: string[] = []
  const draft = { id: 1, note: 'fine', resolve_discussion: true }
  const forge = await listen(t, ({ method, url }, response) => {
    if (method !== 'GET') changes.push(url!)
    const one = /draft_notes\/\d/.test(url!)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(one ? draft : [draft]))
  })
  const settings = { FORGE_API_URL: forge, FORGE_DENIED_TOOLS_REGEX: '^resolve_merge_request_thread$' }
  const server = await testServer(t, settings)
  const one = { project_id: '1', merge_request_iid: '7' }
  for (const [tool, args] of [
    ['publish_draft_note', { ...one, draft_note_id: '1' }],
    ['bulk_publish_draft_notes', one]
  ] as const)
    t.match(await refusal(server, tool, args), /^Draft note 1 resolves its thread/, tool)
  t.same(changes, [])
})

t.test('drafts that the forge has are read before they are published, where policy limits', async t => {
  const sent: string[] = []
  let notes = ['fine']
  let isPaged = false
  const forge = await listen(t, (asked, response) => {
    sent.push(`${asked.method} ${asked.url!.split('/7/')[1]}`)
    const drafts = notes.map((note, at) => ({ id: at + 1, note }))
    const one = /draft_notes\/\d/.test(asked.url!)
    response.setHeader('content-type', 'application/json')
    const page = Number(/[?&]page=(\d)/.exec(asked.url!)?.[1] ?? 1)
    if (isPaged && page < drafts.length) response.setHeader('x-next-page', page + 1)
    const shown = isPaged ? drafts.slice(page - 1, page) : drafts
    response.end(JSON.stringify(asked.method !== 'GET' ? {} : one ? drafts.at(-1) : shown))
  })
  const settings = { FORGE_API_URL: `${forge}/api/v4` }
  const limited = await testServer(t, { ...settings, FORGE_DENIED_TOOLS_REGEX: '^merge_' })
  const one = { project_id: '1', merge_request_iid: '7' }
  const publish = async (
    server: Server,
    name: string,
    args: object,
    headers: Record<string, string> = {}
  ) => {
    const { result } = (await post(server, { headers, body: call(name, { ...one, ...args }) })).json()
    return result.isError === true ? result.content[0].text : undefined
  }
  t.equal(await publish(limited, 'bulk_publish_draft_notes', {}), undefined)
  t.same(sent.splice(0), ['GET draft_notes', 'POST draft_notes/bulk_publish'])
  notes = ['fine', 'looks good\n/merge']
  t.match(await publish(limited, 'bulk_publish_draft_notes', {}), /^Draft note 2 has the line "\/merge"/)
  t.match(
    await publish(limited, 'publish_draft_note', { draft_note_id: '2' }),
    /^Draft note 2 has the line "\/merge"/
  )
  t.notOk(sent.some(request => /^(?:POST|PUT)/.test(request)))
  isPaged = true
  t.match(await publish(limited, 'bulk_publish_draft_notes', {}), /^Draft note 2 has the line "\/merge"/)
  isPaged = false
  const free = await testServer(t, settings)
  sent.splice(0)
  t.equal(await publish(free, 'bulk_publish_draft_notes', {}), undefined)
  t.same(sent, ['POST draft_notes/bulk_publish'], 'without a limit nothing is read')
  t.match(
    await publish(free, 'bulk_publish_draft_notes', {}, { 'x-forge-toolsets': 'merge_requests' }),
    /^Draft note 2 has/,
    'what a gateway narrows is limited, too'
  )
})

t.test('a single allowed project stands in where none is named', async t => {
  const server = await testServer(t, { FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket' })
  t.equal(await refusal(server, 'list_issues', {}), undefined)
})

t.test('beside a default project that is not served the single one that is does not stand in', async t => {
  const server = await testServer(t, {
    FORGE_TOOLSETS: 'all',
    FORGE_PROJECT_ID: 'acme/launchpad',
    FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket'
  })
  for (const [tool, args] of [
    ['delete_label', { label: 'bug' }],
    ['create_snippet', { title: 'Notes', files: [{ file_path: 'a.md', content: 'x' }] }],
    ['list_issues', {}]
  ] as const)
    t.match(await refusal(server, tool, args), /project/, tool)
})

t.test('the headers X-Forge-Toolsets and X-Forge-Readonly narrow one request and never widen', async t => {
  const server = await testServer(t)
  const issuesOnly = await names(server, { 'x-forge-toolsets': 'issues, pipelines' })
  t.ok(issuesOnly.includes('list_issues'))
  t.notOk(issuesOnly.includes('list_merge_requests'), 'what is left out is gone')
  t.notOk(issuesOnly.includes('list_pipelines'), 'what was off stays off')
  t.match(
    await refusal(
      server,
      'get_branch',
      { project_id: '1', branch_name: 'x' },
      { 'x-forge-toolsets': 'issues' }
    ),
    /leaves out/
  )
  t.match(
    await refusal(server, 'update_issue', { ...issue, title: 'x' }, { 'x-forge-readonly': 'true' }),
    /only reading is allowed here \(by X-Forge-Readonly of this request\)\.$/
  )
  const strict = await testServer(t, { FORGE_READ_ONLY_MODE: 'true' })
  t.match(
    await refusal(strict, 'update_issue', { ...issue, title: 'x' }, { 'x-forge-readonly': 'false' }),
    /only reading is allowed here\.$/
  )
  const response = await post(server, { headers: { 'x-forge-toolsets': 'wikis' }, body: request('ping') })
  t.equal(response.statusCode, 400)
  t.match(response.json().error.message, /, not wikis\. Did you mean wiki\?$/)
  const preset = await post(server, {
    headers: { 'x-forge-toolsets': 'wiki, review' },
    body: request('ping')
  })
  t.match(
    preset.json().error.message,
    /, not review\. review is a preset, which FORGE_TOOLSETS takes and this header does not\.$/
  )
  const asked = (word: string) =>
    refusal(server, 'update_issue', { ...issue, title: 'x' }, { 'x-forge-readonly': word })
  for (const word of ['1', 'Yes', 'on']) t.match(await asked(word), /only reading/, word)
  for (const word of ['0', 'no', 'OFF']) t.equal(await asked(word), undefined, word)
  for (const word of ['maybe', '']) {
    const vague = await post(server, { headers: { 'x-forge-readonly': word }, body: request('ping') })
    t.equal(vague.statusCode, 400)
    t.match(vague.json().error.message, `X-Forge-Readonly may be true or false, not "${word}".`)
  }
})

t.test(
  'a header that narrows is refused when it is there twice, rather than joined into a wider one',
  async t => {
    const server = await testServer(t)
    for (const [name, values] of [
      ['X-Forge-Toolsets', ['issues', 'merge_requests']],
      ['X-Forge-Readonly', ['true', 'false']]
    ] as const) {
      const response = await post(server, { headers: { [name]: [...values] }, body: request('ping') })
      t.equal(response.statusCode, 400, name)
      t.match(response.json(), { error: { message: /once only/ } })
    }
  }
)

t.test('a tool of a toolset that is off can be called all the same: the policy decides', async t => {
  const server = await testServer(t)
  t.notOk((await names(server)).includes('list_pipelines'))
  t.equal(await refusal(server, 'list_pipelines', { project_id: '1' }), undefined)
})

t.test('a refusal leads to no tool that is switched off', async t => {
  const forge = await listen(t, ({ method, url }, response) => {
    response.statusCode = method === 'GET' ? 200 : 405
    const stuck = { state: 'opened', detailed_merge_status: 'conflict', draft: true }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(url!.includes('milestones') ? [] : stuck))
  })
  for (const [denied, conflict, milestone] of [
    [
      '^never$',
      'it conflicts with the target branch: get_merge_request_conflicts says what to do; it is a draft: update_merge_request with draft=false.',
      'of the project has that title; list_milestones with include_ancestors=true has those there are, and 0 is for none.'
    ],
    [
      '^get_merge_request_conflicts$|^update_merge_request$|^list_milestones$',
      'it conflicts with the target branch; it is a draft.',
      'of the project has that title, and 0 is for none.'
    ]
  ] as const) {
    const server = await testServer(t, { FORGE_API_URL: forge, FORGE_DENIED_TOOLS_REGEX: denied })
    const one = { project_id: '1', merge_request_iid: '1' }
    t.match(await refusal(server, 'merge_merge_request', one), conflict)
    const why = await refusal(server, 'update_issue', { project_id: '1', issue_iid: '1', milestone_id: 'v9' })
    t.match(why, milestone)
  }
})

t.test('what another name means and the policy forbids is refused as by its own name', async t => {
  const says = async (name: string, settings: Record<string, string>) =>
    (await post(await testServer(t, settings), { body: call(name, {}) })).json().error.message
  const reading = { FORGE_READ_ONLY_MODE: 'true' }
  for (const [name, meant] of [
    ['close_issue', 'update_issue'],
    ['push_files', 'commit_files'],
    ['create_pull_request', 'create_merge_request']
  ])
    t.equal(
      await says(name!, reading),
      `Unknown tool: ${name}. Perhaps ${meant} is meant: ${meant} changes things, and only reading is allowed here.`
    )
  t.equal(
    await says('accept_merge_request', { FORGE_DENIED_TOOLS_REGEX: '^merge_' }),
    'Unknown tool: accept_merge_request. Perhaps merge_merge_request is meant: merge_merge_request is switched off on this server.'
  )
  t.equal(
    await says('issue_write', reading),
    'Unknown tool: issue_write. No tool that may be called here does that.',
    'of several tools none is named'
  )
  t.match(await says('show_issue', reading), /Did you mean get_issue\?$/, 'what may be called is told first')
})

t.test('the search surface', async t => {
  const server = await testServer(t, { FORGE_TOOL_SURFACE: 'search' })
  const run = async (name: string, args: object, headers: Record<string, string> = {}) =>
    (await post(server, { headers, body: call(name, args) })).json()
  const four = ['find_tools', 'call_read_tool', 'call_write_tool', 'call_destructive_tool']

  t.test('lists four tools, in little', async t => {
    const { result } = (await post(server, { body: request('tools/list') })).json()
    t.same(
      result.tools.map(({ name }: { name: string }) => name),
      four
    )
    t.ok(JSON.stringify(result).length < 6000)
    t.same(
      result.tools.map(({ annotations }: { annotations: object }) => Object.values(annotations).slice(0, 2)),
      [
        [true, false],
        [true, false],
        [false, false],
        [false, true]
      ]
    )
  })

  t.test('is chosen by a header for one request, too, which may say nothing else', async t => {
    const full = await testServer(t)
    t.same(await names(full, { 'x-forge-tool-surface': 'Search' }), four)
    t.ok((await names(server, { 'x-forge-tool-surface': 'full' })).includes('list_issues'))
    const wrong = await post(full, { headers: { 'x-forge-tool-surface': 'none' }, body: request('ping') })
    t.equal(wrong.statusCode, 400)
  })

  t.test('finds tools of every toolset by what they do, with their schemas', async t => {
    for (const [query, tool] of [
      ['merge a pull request', 'merge_merge_request'],
      ['why did the build fail', 'list_pipeline_jobs'],
      ['open a ticket', 'create_issue'],
      ['reply to a review comment', 'create_merge_request_discussion_note'],
      ['my todos', 'list_todos']
    ] as const) {
      const { tools } = JSON.parse((await run('find_tools', { query, limit: 10 })).result.content[0].text)
      const found = tools.map(({ name }: { name: string }) => name)
      t.ok(found.includes(tool), `${query}: ${found}`)
      t.ok(tools.every(({ inputSchema }: { inputSchema: object }) => inputSchema))
    }
    t.match(await run('find_tools', { query: 'zzzz' }), { result: { isError: true } })
    t.match((await run('find_tools', { query: ' ; ' })).result.content[0].text, /^query is empty: say /)
    const twelve = Array.from({ length: 12 }, () => 'list issues').join(';')
    t.equal(
      (await run('find_tools', { query: twelve })).result.content[1].text,
      'Of 12 things the first 10 were looked for: ask for the other 2 in another call.'
    )
    t.match(
      (await run('find_tools', { queries: ['a', 'b'] })).result.content[0].text,
      'query must be one text, in which semicolons separate several things, not an array'
    )
    const many = 'issue;merge request;pipeline;branch;label;milestone;release;wiki page;member;project'
    const { tools } = JSON.parse((await run('find_tools', { query: many, limit: 20 })).result.content[0].text)
    t.ok(tools.length > 20 && tools.length <= 40, `${tools.length} of all that were looked for at once`)
  })

  t.test('says where no tool does what is looked for, beside what is found', async t => {
    const said = async (query: string) => {
      const [, ...notices] = (await run('find_tools', { query })).result.content
      return notices.map(({ text }: { text: string }) => text)
    }
    const dead =
      'No tool reads or changes deploy keys and deploy tokens: the settings of the project on the forge do.'
    t.same(await said('create deploy token'), [dead])
    t.match(await said('delete a project; cancel auto merge'), [
      /^No tool deletes or transfers a project/,
      /^No tool cancels an automatic merge/
    ])
    t.match(await said('protect a tag'), [/^No tool reads or changes protected tags/])
    for (const query of ['list_runners', 'create issue', 'approve a merge request'])
      t.same(await said(query), [], query)
  })

  t.test('calls what is found under its own rules', async t => {
    const issue = { project_id: '1', issue_iid: '1' }
    const text = async (name: string, args: object, headers = {}) => {
      const { result, error } = await run(name, args, headers)
      return result?.content[0].text ?? error?.message
    }
    t.match(await text('call_read_tool', { name: 'get_issue', arguments: issue }), /could not be reached/)
    t.match(await text('call_read_tool', { name: 'get_issue' }), /project_id is required/)
    t.equal(
      await text('call_read_tool', { name: 'delete_issue', arguments: issue }),
      'delete_issue is a destructive tool: call it through call_destructive_tool.'
    )
    t.match(
      await text('call_read_tool', { name: 'get_isue' }),
      'Unknown tool: get_isue. Did you mean get_issue?'
    )
    t.match(await text('call_read_tool', { name: 'call_read_tool' }), /name is required: the tool to call/)
    t.match(await text('call_read_tool', {}), /name is required/)
    t.match(await text('call_read_tool', { tool: 'get_issue' }), /"tool", did you mean "name"\?/)
    for (const [other, ours] of [
      ['create_epic', 'create_work_item'],
      ['forge.get_pipeline_logs', 'get_pipeline_job_output'],
      ['merge', 'merge_merge_request'],
      ['list_vars', 'list_variables'],
      ['get_mr_diff', 'get_merge_request_diffs'],
      ['reply_to_thread', 'create_merge_request_discussion_note'],
      ['add_reviewer', 'update_merge_request'],
      ['log_time', 'add_spent_time'],
      ['read_wiki', 'get_wiki_page'],
      ['revert_merge_request', 'revert_commit'],
      ['request_changes', 'submit_review'],
      ['resolve_conflicts', 'get_merge_request_conflicts'],
      ['resolve_pr_conflicts', 'get_merge_request_conflicts']
    ])
      t.match(await text('call_read_tool', { name: other }), `Unknown tool: ${other}. Did you mean ${ours}?`)
    t.match(
      await text(
        'call_write_tool',
        { name: 'update_issue', arguments: issue },
        { 'x-forge-readonly': 'true' }
      ),
      /only reading is allowed/
    )
  })

  t.test('what stands beside the arguments is sent with them, or refused with its name', async t => {
    const sent: unknown[] = []
    const FORGE_API_URL = await listen(t, async (asked, response) => {
      let body = ''
      for await (const piece of asked) body += piece
      sent.push(JSON.parse(body))
      response.statusCode = 201
      response.setHeader('content-type', 'application/json').end('{"iid":7,"labels":["bug"]}')
    })
    const served = await testServer(t, { FORGE_API_URL, FORGE_TOOL_SURFACE: 'search' })
    const create = (more: object) =>
      refusal(served, 'call_write_tool', {
        name: 'create_issue',
        arguments: { project_id: '1', title: 'Boom' },
        ...more
      })
    t.match(await create({ labels: ['bug'], confidential: true }), /"iid":7/)
    t.match(await create({ label: 'bug', colour: 'red' }), /unknown argument "colour"/)
    t.match(await create({ title: 'Bang' }), /"title" stands in arguments and, with another value, beside/)
    t.same(sent, [{ title: 'Boom', labels: ['bug'], confidential: true }])
  })

  t.test('is there where a pattern denies all names but some, for the tools that it leaves', async t => {
    const issue = { project_id: '1', issue_iid: '1' }
    for (const denied of ['^(?!get_|list_)', '^(?!get_|list_|find_|call_read_).+_', '^(?!.*issue)']) {
      const full = await testServer(t, { FORGE_DENIED_TOOLS_REGEX: denied })
      t.same(await names(full, { 'x-forge-tool-surface': 'search' }), four, denied)
      const readers = await testServer(t, { FORGE_DENIED_TOOLS_REGEX: denied, FORGE_TOOL_SURFACE: 'search' })
      t.same(await names(readers), four)
      const found = await post(readers, {
        body: call('find_tools', { query: 'read or merge a request; issue' })
      })
      const { tools } = JSON.parse(found.json().result.content[0].text) as { tools: { name: string }[] }
      t.same(
        tools.filter(({ name }) => new RegExp(denied).test(name)),
        []
      )
      t.ok(tools.length > 0)
      t.equal(await refusal(readers, 'call_read_tool', { name: 'get_issue', arguments: issue }), undefined)
      t.equal(
        await refusal(readers, 'call_destructive_tool', {
          name: 'merge_merge_request',
          arguments: { project_id: '1', merge_request_iid: '1' }
        }),
        'merge_merge_request is switched off on this server.'
      )
    }
    const none = { FORGE_TOOL_SURFACE: 'search', FORGE_DENIED_TOOLS_REGEX: '^call_|^find_tools$' }
    t.same(await names(await testServer(t, none)), [], 'one that names them denies them')
  })

  t.test('what fits best and is not allowed here is said not to be', async t => {
    const surface = { FORGE_TOOL_SURFACE: 'search' }
    const notices = async (settings: Record<string, string>, query: string) => {
      const server = await testServer(t, { ...surface, ...settings })
      const { result } = (await post(server, { body: call('find_tools', { query }) })).json()
      return result.content.slice(1).map(({ text }: { text: string }) => text)
    }
    const reading = { FORGE_READ_ONLY_MODE: 'true' }
    t.same(await notices(reading, 'create an issue'), [
      'create_issue changes things, and only reading is allowed here.'
    ])
    t.same(await notices(reading, 'list issues'), [], 'and of what is allowed nothing')
    t.match(await notices({ FORGE_ALLOWED_PROJECT_IDS: '1' }, 'list projects'), [
      /^list_projects is switched off: this server keeps to some projects/
    ])
    t.same(
      await notices({ FORGE_DENIED_TOOLS_REGEX: '^create_issue$' }, 'create an issue'),
      [],
      'nor of the denied'
    )
  })

  t.test('a calling tool that is switched off calls nothing, and nothing is found for it', async t => {
    const denied = await testServer(t, {
      FORGE_TOOL_SURFACE: 'search',
      FORGE_DENIED_TOOLS_REGEX: '^call_destructive_tool$'
    })
    const called = { name: 'delete_issue', arguments: { project_id: '1', issue_iid: '1' } }
    t.match(await refusal(denied, 'call_destructive_tool', called), 'call_destructive_tool is switched off')
    const { result } = (
      await post(denied, { body: call('find_tools', { query: 'delete issue', limit: 20 }) })
    ).json()
    const { tools } = JSON.parse(result.content[0].text) as { tools: Record<string, string>[] }
    t.same([...new Set(tools.map(({ call_with }) => call_with))].sort(), [
      'call_read_tool',
      'call_write_tool'
    ])
  })
})

t.test('discover_tools', async t => {
  const server = await testServer(t)
  const sid = (await post(server, { body: initialize() })).headers['mcp-session-id'] as string
  const inSession = { 'mcp-session-id': sid }
  const discover = (args: object, headers: Record<string, string> = {}) =>
    post(server, { headers: { ...inSession, ...headers }, body: call('discover_tools', args) })

  t.test('lists the toolsets, and which are active', async t => {
    const { toolsets } = JSON.parse((await discover({})).json().result.content[0].text)
    t.match(toolsets, [
      { id: 'merge_requests', active: true },
      { id: 'issues', active: true },
      { id: 'pipelines', active: false },
      { id: 'dependency_proxy', tools: 4, active: false }
    ])
  })

  t.test('activates the one that has what is named', async t => {
    for (const [category, activated] of [
      ['deployments', 'pipelines'],
      ['commits', 'repository']
    ] as const) {
      const other = await testServer(t)
      const answer = await post(other, { body: call('discover_tools', { category }) })
      t.match(JSON.parse(answer.json().result.content[0].text), { activated }, category)
    }
  })

  t.test(
    'activates one for the session, gives its tools, and says that the list changed where that can be said',
    async t => {
      const response = await discover(
        { category: 'pipelines' },
        { accept: 'application/json, text/event-stream' }
      )
      t.equal(response.headers['content-type'], 'text/event-stream')
      const [first, second] = response.body
        .split('\n\n')
        .map(event => JSON.parse(event.replace(/^event: message\ndata: /, '') || 'null'))
      t.same(first, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      const { activated, tools } = JSON.parse(second.result.content[0].text)
      t.equal(activated, 'pipelines')
      t.equal(tools.length, pipelines.rows.filter(({ saves }) => !saves).length)
      t.ok((await names(server, inSession)).includes('list_pipelines'))
      t.notOk((await names(server)).includes('list_pipelines'), 'another session is not changed')
    }
  )

  t.test('takes the toolset by that name too, and guesses what a word is near to', async t => {
    const { text } = (await discover({ toolset: 'Wiki' })).json().result.content[0]
    t.equal(JSON.parse(text).activated, 'wiki')
    const list = (await discover({ category: ['wiki', 'ci'] })).json().result.content[0].text
    t.match(list, /^Invalid arguments: category must be one of [^;]* \(not an array\)\.$/)
    const one = (await discover({ name: 'snippet' })).json().result.content[0].text
    t.equal(JSON.parse(one).activated, 'snippets')
    for (const category of ['CI/CD', 'ci-cd', ' Pull Requests '])
      t.notOk((await discover({ category })).json().result.isError, category)
    const near = (await discover({ category: 'pipelins' })).json().result.content[0].text
    t.match(near, /one of .*snippets \(did you mean "pipelines"\?\)\.$/)
  })

  t.test('a second time changes nothing, and names the tools that are listed already', async t => {
    const response = await discover(
      { category: 'pipelines' },
      { accept: 'application/json, text/event-stream' }
    )
    t.match(response.headers['content-type'], /^application\/json/)
    const { already_active: active, tools } = JSON.parse(response.json().result.content[0].text)
    t.equal(active, 'pipelines')
    t.ok(tools.includes('list_pipelines'))
    t.ok(tools.every((tool: unknown) => typeof tool === 'string'))
  })

  t.test('names the categories for one that is none', async t => {
    const { result } = (await discover({ category: 'things' })).json()
    t.match(result, {
      isError: true,
      content: [{ text: /one of merge_requests, issues, pipelines, dependency_proxy, / }]
    })
  })

  t.test('keeps to the policy', async t => {
    const strict = await testServer(t, {
      FORGE_READ_ONLY_MODE: 'true',
      FORGE_DENIED_TOOLS_REGEX: 'dependency_proxy'
    })
    const ask = async (args: object) =>
      (await post(strict, { body: call('discover_tools', args) })).json().result
    t.notMatch(JSON.stringify(await ask({})), /dependency_proxy/)
    t.match(await ask({ category: 'dependency_proxy' }), { isError: true })
    const { tools } = JSON.parse((await ask({ category: 'pipelines' })).content[0].text)
    t.ok(tools.every((tool: { annotations: { readOnlyHint: boolean } }) => tool.annotations.readOnlyHint))
  })

  t.test(
    'in revision 2026-07-28 gives the tools, which can be called, and leaves the list as it was',
    async t => {
      const version = '2026-07-28'
      const modern = async (method: string, params: { name?: string; arguments?: object } = {}) => {
        const _meta = {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': {}
        }
        const headers = {
          'mcp-protocol-version': version,
          'mcp-method': method,
          ...(params.name && { 'mcp-name': params.name })
        }
        return (await post(server, { headers, body: request(method, { ...params, _meta }) })).json().result
      }
      const found = await modern('tools/call', {
        name: 'discover_tools',
        arguments: { category: 'pipelines' }
      })
      const { activated, tools } = JSON.parse(found.content[0].text)
      t.equal(activated, 'pipelines')
      t.match(
        tools.find((tool: { name: string }) => tool.name === 'get_pipeline'),
        { inputSchema: { required: ['project_id', 'pipeline_id'] } }
      )
      const listed = await modern('tools/call', { name: 'discover_tools', arguments: {} })
      t.match(
        JSON.parse(listed.content[0].text).toolsets.find(({ id }: { id: string }) => id === 'pipelines'),
        { active: false }
      )
      t.notMatch(JSON.stringify((await modern('tools/list')).tools), /list_pipelines/)
      const called = await modern('tools/call', {
        name: 'get_pipeline',
        arguments: { project_id: '1', pipeline_id: '1' }
      })
      t.match(called.content[0].text, /could not be reached/)
    }
  )
})

t.test('where tools or projects are limited, lines that the forge would carry out are refused', async t => {
  const merge_request_iid = '1'
  const { project_id } = issue
  const calls: [tool: string, args: object][] = [
    ['create_issue_note', { ...issue, body: 'Done.\n/move other/project' }],
    ['create_note', { project_id, noteable_type: 'merge_request', noteable_iid: '1', body: '/merge' }],
    ['create_merge_request_note', { project_id, merge_request_iid, body: '/APPROVE' }],
    ['create_merge_request_thread', { project_id, merge_request_iid, body: ' /merge' }],
    [
      'create_merge_request_discussion_note',
      { project_id, merge_request_iid, discussion_id: 'a', body: '/merge' }
    ],
    ['create_draft_note', { project_id, merge_request_iid, body: 'a\r\n/merge\r\n' }],
    ['update_draft_note', { project_id, merge_request_iid, draft_note_id: '1', body: '/merge' }],
    ['update_issue_note', { ...issue, discussion_id: 'a', note_id: '1', body: '/close' }],
    ['create_issue', { project_id, title: 'x', description: '/clone other/project' }],
    ['update_issue', { ...issue, description: '/close' }],
    [
      'create_merge_request',
      { project_id, title: 'x', source_branch: 'a', target_branch: 'b', description: '/merge' }
    ],
    ['update_merge_request', { project_id, merge_request_iid, description: '/merge' }]
  ]
  const open = await testServer(t)
  const limits: [name: string, value: string][] = [
    ['FORGE_DENIED_TOOLS_REGEX', 'never'],
    ['FORGE_ALLOWED_PROJECT_IDS', project_id]
  ]
  for (const [name, value] of limits) {
    const server = await testServer(t, { [name]: value })
    for (const [tool, args] of calls) {
      t.match(
        await refusal(server, tool, args),
        /quick action, and this server limits what may be done/,
        tool
      )
      t.notMatch(String(await refusal(open, tool, args)), /quick action/, `${tool}, without limits`)
    }
    t.equal(
      await refusal(server, 'create_issue_note', { ...issue, body: 'See `/merge`, /usr/bin' }),
      undefined
    )
  }
})
