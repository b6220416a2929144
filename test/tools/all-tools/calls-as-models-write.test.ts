import { toolsets } from '../../../tools/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* Calls as models write them: what a person would understand is done, and what is not says what to do. */

const rocket = { project_id: 'acme/rocket' }
story('what is meant is done', toolsets, async (t, as) => {
  const call = async (tool: string, args: object) => {
    const { value, error } = await as('ada')(tool, { ...rocket, ...args })
    t.equal(error, undefined, `${tool} ${JSON.stringify(args)}`)
    return value
  }
  const react = async (name: string) =>
    (await call('create_merge_request_emoji_reaction', { merge_request_iid: 1, name })).name
  t.equal(await react(':tada:'), 'tada')
  t.equal(await react('❤️'), 'heart')
  t.equal((await call('set_member', { username: 'grace', access_level: 30 })).role, 'developer')
  t.equal(
    (await call('protect_branch', { name: 'rel/*', push_access_level: '40' })).push_access_levels[0].role,
    'maintainer'
  )
  t.equal((await call('create_pipeline', { ref: 'main', variables: { A: 'b', C: 3 } })).ref, 'main')
  t.equal((await call('create_label', { name: 'x', color: 'FF0000' })).color, '#FF0000')
  t.equal((await call('update_label', { label: 'x', color: 'ABC' })).color, '#ABC')
  t.equal((await call('get_work_item', { work_item_iid: 1 })).iid, '1')
  t.equal((await call('get_work_item', { issue_iid: '#1' })).iid, '1')
  const action = { action: 'create', file_path: 'NEW.md', content: 'x' }
  t.same(
    (
      await call('commit_files', {
        branch: 'new',
        start_branch: 'main',
        commit_message: 'm',
        actions: action
      })
    ).paths,
    ['NEW.md']
  )
  t.equal(
    (await call('list_issues', { scope: 'all', order_by: 'updated', sort: 'descending' }))[0].project_id,
    undefined
  )
  t.type(await call('list_merge_requests', { draft: 'false', state: 'Open' }), Array)
  const hook = await call('create_webhook', { url: 'https://example.com/h', events: 'push_events, issues' })
  t.same(hook.events, ['push', 'issues'])
  const { value: link } = await as('ada')('create_issue_link', {
    ...rocket,
    issue_iid: 3,
    target_project_id: 'acme/rocket',
    target_issue_iid: '#2',
    link_type: 'blocked_by'
  })
  t.ok(link)
  for (const project_id of [' acme/rocket ', 'acme/rocket.git', 'git@127.0.0.1:acme/rocket.git'])
    t.equal((await call('get_issue', { project_id, issueIid: 1 })).iid, 1, project_id)
  t.equal((await call('get_issue', { number: '#1' })).iid, 1)
  t.type(await call('list_merge_requests', { reviewer_username: ['ada'], perPage: 1 }), Array)
  const pipeline = (await call('list_pipelines', { status: 'succeeded', per_page: 1 }))[0]
  t.equal((await call('get_pipeline', { id: pipeline.id })).status, 'success')
  t.same(await call('list_pipeline_jobs', { pipeline_id: pipeline.id, status: 'failure' }), [])
  t.equal(await call('get_file_contents', { path: 'README.md', start: 1, end: 1 }), '# Rocket')
  // Others are due around today.
  const due = await call('create_issue', { title: 'Due', due_date: '2001-12-01T10:00:00Z' })
  t.equal(due.due_date, '2001-12-01')
  const onOneDay = await call('list_work_items', { due_after: '2001-12-01', due_before: '2001-12-01' })
  t.same(
    onOneDay.work_items.map((item: { iid: string }) => item.iid),
    [String(due.iid)]
  )
  t.equal((await call('update_issue', { issue_iid: due.iid, due_date: '2028-02-29' })).due_date, '2028-02-29')
  t.equal((await call('update_issue', { issue_iid: due.iid, due_date: '' })).due_date, undefined)
  t.equal(
    (await call('create_branch', { branch_name: 'feature/a', source_branch: 'main' })).name,
    'feature/a'
  )
  t.equal((await call('create_tag', { name: 'v2', ref: 'main' })).name, 'v2')
  for (const [tool, argument] of Object.entries({ find_users: 'search', list_members: 'query' }))
    t.equal((await call(tool, { [argument]: '@linus' }))[0].username, 'linus', tool)
  t.equal((await call('search', { scope: 'users', query: '@linus' }))[0].username, 'linus')
  const { value, notices } = await as('ada')('create_issue', {
    ...rocket,
    title: 'Labels',
    labels: ['~bug', '~"to do" ~x', 'ui, docs']
  })
  t.same([value.labels, notices], [['bug', 'to do', 'x', 'ui', 'docs'], []])
  t.equal((await call('add_spent_time', { issue_iid: 1, duration: '1.5h' })).total_time_spent, 5400)
  t.type(await call('search', { scope: 'issue', query: 'fuel' }), Array)
  t.equal((await call('create_milestone', { name: '2.0' })).title, '2.0')
  t.equal((await call('create_issue', { title: 'x', type: 'incident' })).issue_type, 'incident')
  const { diffs } = await call('get_branch_diffs', { head: 'feature/fuel-gauge', base: 'main' })
  t.ok(
    diffs.some(
      (diff: { new_path: string; new_file?: boolean }) =>
        diff.new_file && diff.new_path === 'src/dashboard.ts'
    )
  )
  const words = { branch: 'words', start_branch: 'main', commit_message: 'm' }
  await call('commit_files', { ...words, actions: [{ ...action, action: 'add', file_path: 'W.md' }] })
  const { start_branch: _, ...onWords } = words
  for (const changed of [
    { action: 'replace', file_path: 'W.md', content: 'y' },
    { action: 'rename', file_path: 'V.md', previous_path: 'W.md' },
    { action: 'edit', file_path: 'V.md', edits: [{ search: 'y', new_str: 'z' }] },
    { action: 'edit', file_path: 'V.md', edits: [{ old_str: 'z', replace: 'x' }] }
  ])
    await call('commit_files', { ...onWords, actions: [changed] })
  t.equal(await call('get_file_contents', { path: 'V.md', ref: 'words' }), 'x')
  const started = { branch: 'n', source_branch: 'main', commit_message: 'm' }
  t.equal(
    (await call('commit_files', { ...started, actions: [{ ...action, file_path: 'N.md' }] })).branch,
    'n'
  )
  t.equal((await call('create_branch', { branch: 'm', from_branch: 'main' })).name, 'm')
  t.equal((await call('get_branch', { name: 'm' })).name, 'm')
  t.equal((await call('list_packages', { type: 'npm' }))[0].package_type, 'npm')
  t.equal((await call('list_deployments', { env: 'production' }))[0].environment.name, 'production')
  t.equal((await call('get_files', { files: ['README.md'] })).files.length, 1)
  for (const extension of ['ts', '.ts', '*.ts'])
    t.ok((await call('search_code', { query: 'BURN_RATE', extension, path: '/src' })).length > 0)
  const scoped = { key: 'TIER', value: 'gold', scope: 'production' }
  t.equal((await call('set_variable', scoped)).environment_scope, 'production')
  t.type(await call('create_work_item', { work_item_type: 'task', title: 'w', labels: 'bug' }), Object)
  t.equal((await call('list_issues', { assignee_username: 'Linus' }))[0].assignees[0].username, 'linus')
  const { id: commit_id } = await call('get_commit', { commit: 'main' })
  t.equal((await call('get_commit', { commit_id })).id, commit_id)
  t.type((await call('lint_ci', { yaml: 'a: b' })).valid, 'boolean')
  const thread = await call('create_merge_request_thread', { merge_request_iid: 1, body: 'Why?' })
  const { id: note_id } = thread.notes[0]
  const reply = { merge_request_iid: 1, thread_id: thread.id, note_id, body: '', resolved: true }
  t.equal((await call('update_merge_request_discussion_note', reply)).resolved, true)
})

story('a word for no label is refused where labels are set, and makes none', toolsets, async (t, as) => {
  const ask = (tool: string, args: object) => as('ada')(tool, { ...rocket, ...args })
  const faults: string[] = []
  const refused = async (tool: string, args: object, at: string) => {
    const { error } = await ask(tool, args)
    const stays =
      /(?<![a-z]_)labels\.\d$/.test(at) && tool.startsWith('update_') ? 'left out, they stay, ' : ''
    const said = `Invalid arguments: ${at} must name a label: ${stays}an empty list [] is for none, and an address names none.`
    if (error !== said) faults.push(`${tool} ${JSON.stringify(args)}: ${error}`)
  }
  for (const labels of ['None', 'null', ' ANY ', 'undefined', '{}', ['none']])
    await refused('update_issue', { issue_iid: 1, labels }, 'labels.0')
  await refused('update_issue', { issue_iid: 1, add_labels: ['bug', 'None'] }, 'add_labels.1')
  await refused('create_issue', { title: 'x', labels: 'none' }, 'labels.0')
  await refused('update_issues', { issues: [{ issue_iid: 1, labels: 'None' }] }, 'issues.0.labels.0')
  await refused('update_merge_request', { merge_request_iid: 3, labels: 'None' }, 'labels.0')
  const merged = { source_branch: 'feature/fuel-gauge', target_branch: 'main', title: 'x' }
  await refused('create_merge_request', { ...merged, labels: 'none' }, 'labels.0')
  await refused('create_work_item', { type: 'task', title: 'x', label_ids: 'none' }, 'label_ids.0')
  await refused('update_work_item', { iid: 1, add_label_ids: 'none' }, 'add_label_ids.0')
  t.same(faults, [])
  t.equal((await ask('update_issue', { issue_iid: 1, remove_labels: ['None'] })).error, undefined)
  t.same((await ask('list_labels', { search: 'none' })).value, [])
  t.equal((await ask('list_issues', { labels: 'None' })).error, undefined, 'a filter takes it')
  t.same((await ask('create_issue', { title: 'x', labels: ['any news', 'none-such'] })).value.labels, [
    'any news',
    'none-such'
  ])
})

story('a value that would be misread is refused, or read as what is meant', toolsets, async (t, as) => {
  const ask = (tool: string, args: object, who = 'ada') => as(who)(tool, { ...rocket, ...args })
  const problem = async (tool: string, args: object, who?: string) => (await ask(tool, args, who)).error
  const said = async (tool: string, args: object) => (await ask(tool, args)).notices.join(' ')
  for (const sha of ['HEAD', 'main', 'head-sha']) {
    for (const tool of ['approve_merge_request', 'merge_merge_request'])
      t.match(
        await problem(tool, { merge_request_iid: 3, sha }),
        /^The forge answered 409 .*: get_merge_request has the whole sha\. Review /
      )
    t.match(
      await problem('submit_review', { merge_request_iid: 3, sha, verdict: 'approve' }),
      new RegExp(`^The head is "[0-9a-f]{40}" and not "${sha}": review what is new`)
    )
  }
  const named = / is no branch or tag: empty, HEAD \(get_project has the default_branch\), or/
  for (const [tool, args] of [
    ['list_pipelines', { ref: 'HEAD' }],
    ['create_pipeline', { ref: 'HEAD' }],
    ['diagnose_pipeline', { ref: 'HEAD' }],
    ['create_pipeline_schedule', { ref: 'HEAD', description: 'x', cron: '0 1 * * *' }],
    ['list_merge_requests', { target_branch: 'HEAD' }],
    ['get_branch', { branch_name: 'HEAD' }]
  ] as const)
    t.match(
      await problem(tool, args),
      named,
      `${tool}: HEAD is resolved where commits are named, and not here`
    )
  const replaced = /description would be replaced by that word: an empty text "" is for none/
  for (const description of ['null', 'None', ' undefined\n']) {
    t.match(await problem('update_issue', { issue_iid: 1, description }), replaced)
    t.match(await problem('update_merge_request', { merge_request_iid: 3, description }), replaced)
    t.match(await problem('update_work_item', { iid: 1, description }), replaced)
    t.match(await problem('update_issues', { issues: [{ issue_iid: 1, description }] }), replaced)
    t.match(
      await problem('update_pipeline_schedule', { schedule_id: 1, description }),
      /description would be replaced by that word: left out, it stays/,
      'a schedule has one always'
    )
  }
  t.equal(await problem('update_issue', { issue_iid: 1, description: 'None of it works' }), undefined)
  t.match(
    await problem('update_issue', { issue_iid: 1, assignee_ids: [''] }),
    /^assignee_ids names "", and nobody has that username: an empty list is for nobody; left out, it stays\.$/
  )
  const blank = { description: '', assignee_ids: '', labels: '', milestone_id: '', due_date: '', weight: '' }
  t.equal(await problem('create_issue', { title: 'Blank', ...blank }), undefined)
  t.equal(await problem('set_variable', { key: 'RETRIES', value: 5 }), undefined)
  const { value: variables } = await ask('list_variables', { include_values: true })
  t.ok(variables.some(({ key, value }: { key: string; value: string }) => key === 'RETRIES' && value === '5'))
  t.equal(await problem('create_pipeline', { ref: 'main', variables: [{ key: 'A', value: 1 }] }), undefined)
  t.match(
    await said('list_issues', { assignee: 'unassigned' }),
    /assignee_id=None lists what nobody is assigned to\./
  )
  t.notMatch(await said('list_issues', { assignee: 'nobody-here' }), /assignee_id=None/)
  t.match(
    await problem('list_issues', { iteration_id: 'current' }),
    /iteration_id must be an id, None or Any: list_iterations with state=current/
  )
  for (const iteration_id of [7, 'None', 'any', ''])
    t.equal(await problem('list_issues', { iteration_id }), undefined)
  for (const [tool, search] of [
    ['list_branches', '*nowhere*'],
    ['list_tags', 'x*']
  ] as const) {
    t.match(await said(tool, { search }), /^search is part of a name: leave \* out; \^ begins the name/)
    t.equal(await said(tool, { search: 'nowhere' }), '')
  }
  const { value: link } = await ask('create_issue_link', { issue_iid: 3, target_issue_iid: 2 })
  t.match(link, { target_issue: { iid: 2 } })
  t.match(
    await problem('list_protected_branches', {}, 'grace'),
    /403.*; get_branch says of one branch whether it is protected\.$/
  )
})

story('a filter that there is not says what does the same', toolsets, async (t, as) => {
  const ask = (tool: string, args: object) => as('ada')(tool, { ...rocket, ...args })
  for (const [tool, argument] of [
    ['list_issues', 'labels'],
    ['list_work_items', 'label_names']
  ] as const) {
    const { value, notices } = await ask(tool, { [argument]: ['bug', '!security'], scope: undefined })
    t.match(JSON.stringify(value), /\[\]/)
    t.match(
      notices.join(' '),
      `There is no label "!security", and ${argument} cannot leave a label out: list without it, and pass over what has that label.`
    )
  }
  for (const source of ['push', 'merge_request_event', 'schedule']) {
    const { value } = await ask('list_pipelines', { source })
    t.same([...new Set(value.map((one: { source: string }) => one.source))], value.length > 0 ? [source] : [])
  }
  t.ok((await ask('list_pipelines', { source: 'push' })).value.length > 0)
  t.match((await ask('list_pipelines', { source: 'nightly' })).error, /source must be one of push, web, /)
  t.match(
    (await ask('list_pipelines', { created_after: '2026-01-01' })).error,
    /"created_after", did you mean "updated_after"\?$/
  )
})

story('an argument that a sibling has is taken, or says which is meant', toolsets, async (t, as) => {
  const ask = (tool: string, args: object) => as('ada')(tool, { ...rocket, ...args })
  const faults: string[] = []
  for (const [tool, args, meant] of [
    ['list_issues', { milestone_title: '1.0', scope: 'all' }, { milestone: '1.0', scope: 'all' }],
    ['list_issues', { label_name: 'bug', scope: 'all' }, { labels: 'bug', scope: 'all' }],
    ['list_issues', { q: 'fuel', scope: 'all' }, { search: 'fuel', scope: 'all' }],
    ['list_issues', { keyword: 'fuel', scope: 'all' }, { search: 'fuel', scope: 'all' }],
    ['list_issues', { maxResults: 2, scope: 'all' }, { per_page: 2, scope: 'all' }],
    ['list_work_items', { labels: ['bug'] }, { label_names: ['bug'] }],
    ['list_work_items', { perPage: 2 }, { first: 2 }],
    [
      'get_branch_diffs',
      { source_branch: 'feature/fuel-gauge', target_branch: 'main' },
      { to: 'feature/fuel-gauge', from: 'main' }
    ]
  ] as const) {
    const [given, wanted] = [await ask(tool, args), await ask(tool, meant)]
    if (given.error !== undefined || JSON.stringify(given.value) !== JSON.stringify(wanted.value))
      faults.push(`${tool} ${JSON.stringify(args)}: ${given.error}`)
  }
  for (const [tool, args, said] of [
    ['list_issues', { milestone_id: 3 }, '"milestone_id", did you mean "milestone"?'],
    ['list_commits', { sha: 'main' }, '"sha", did you mean "ref"?'],
    ['list_branches', { pattern: 'feature' }, '"pattern", did you mean "search"?'],
    ['list_members', { username: 'ada' }, '"username", did you mean "user_ids" or "query"?'],
    ['get_file_contents', { path: 'README.md', lines: '1-3' }, '"lines", did you mean "start_line"?'],
    [
      'get_merge_request_diffs',
      { merge_request_iid: 3, page: 2 },
      '"page", which list_merge_request_diffs takes.'
    ]
  ] as const) {
    const { error } = await ask(tool, args)
    if (error !== `Invalid arguments: unknown argument ${said}`) faults.push(`${tool}: ${error}`)
  }
  t.same(faults, [])
})

story('what is not says what to do', toolsets, async (t, as) => {
  const problem = async (tool: string, args: object) => (await as('ada')(tool, { ...rocket, ...args })).error
  t.match(
    await problem('list_issues', { project_id: 'rocket' }),
    /Perhaps "acme\/rocket" is meant\. There is no such/
  )
  for (const [to_project, perhaps] of [
    ['acme/websites', 'Perhaps "acme/website" is meant. '],
    [9999, '']
  ])
    t.match(
      await problem('move_issue', { issue_iid: 6, to_project }),
      `It is to_project that is not found. ${perhaps}There is no such project`
    )
  const linked = { issue_iid: 6, target_issue_iid: 1 }
  t.match(
    await problem('create_issue_link', { ...linked, target_project_id: 'acme/websites' }),
    /It is target_project_id that is not found/
  )
  t.match(
    await problem('create_issue_link', {
      ...linked,
      project_id: 'acme/rockets',
      target_project_id: 'acme/website'
    }),
    /It is project_id that is not found/
  )
  t.match(await problem('update_label', { label: 'bugs', color: 'red' }), /Did you mean "bug"\?/)
  t.match(
    await problem('set_member', { username: 'Grace Hopper', role: 'developer' }),
    /Did you mean "grace" \("Grace Hopper"\)\?/
  )
  t.match(await problem('search', { scope: 'blobs', query: 'fuel' }), /code is searched by search_code/)
  t.match(
    await problem('set_variable', { key: 'MY-KEY', value: 'abc' }),
    /key must be letters, digits and _ alone/
  )
  t.match(await problem('get_file_contents', { path: '/README.md' }), /leave out the first slash/)
  t.match(await problem('get_file_contents', { path: './README.md' }), /leave out \.\/ before it\.$/)
  t.match(await problem('get_file_contents', { path: 'src\\engine.ts' }), /folders are separated by \//)
  t.match(await problem('get_issue', { issue_iid: 'newest' }), /a number, as in #7 and .*not "newest"/)
  t.match(await problem('update_issue', { issue_iid: '!1', title: 'x' }), /a number, as in #7 and .*not "!1"/)
  t.match(await problem('add_spent_time', { issue_iid: 1, duration: '1:30' }), /with its unit, such as 90m/)
  t.match(
    await problem('delete_issue_emoji_reaction', { issue_iid: 1, award_id: 999 }),
    /, and award_id is the id, as the list of emoji has it\./
  )
  t.match(
    await problem('list_work_items', { parent_ids: ['No 2'] }),
    /not "No 2": get_work_item gives the id/
  )
  t.match(await problem('get_work_item', { iid: '!1' }), /must be a number, as in #7 and/)
  for (const [tool, of] of [
    ['create_issue_note', { issue_iid: 1 }],
    ['create_merge_request_thread', { merge_request_iid: 3 }]
  ] as const)
    t.match(
      await problem(tool, { ...of, body: 'Then', created_at: 'yesterday' }),
      /created_at must be a time that there is, in ISO 8601/,
      tool
    )
  const mr = { merge_request_iid: 3 }
  for (const [tool, args, says] of [
    [
      'create_merge_request_note',
      { ...mr, body: 'x', path: 'a', line: 1 },
      /"path", which create_merge_request_thread takes/
    ],
    [
      'create_commit_status',
      { sha: 'abc1', state: 'failed', context: 'ci' },
      /"context", did you mean "name"\?/
    ],
    ['list_projects', { owner: 'ada' }, /"owner", whose projects search finds with search_namespaces=true/],
    ['set_merge_request_approval_rule', { ...mr, rule_id: 1, users: ['ada'] }, /did you mean "user_ids"\?/],
    [
      'create_merge_request',
      { source_branch: 'ada:feat', target_branch: 'main', title: 'x' },
      /source_branch is the branch alone: .* project_id is the fork/
    ],
    ['diagnose_pipeline', { ref: 'Main' }, /There is no "Main": did you mean "main"\?/]
  ] as const)
    t.match(await problem(tool, args), says, tool)
  const said = async (tool: string, args: object) => {
    const { notices } = await as('ada')(tool, { ...rocket, ...args })
    return notices.join(' ')
  }
  t.match(
    await said('search_code', { query: 'BURN_RATE', ref: 'origin/main' }),
    /no branch or tag "origin\/main": did you mean "main"\?/
  )
  for (const tool of ['list_merge_requests', 'list_issues']) {
    const mine = { scope: 'created_by_me', author_username: 'linus' }
    t.match(await said(tool, mine), /keeps to what you created, .*: leave scope out for theirs/, tool)
    t.notMatch(await said(tool, { ...mine, author_username: 'ada' }), /keeps to/, tool)
  }
  const dated = { body: 'Then', created_at: '2020-01-01' }
  const comment = { issue_iid: 1, ...dated }
  t.match(await said('create_issue_note', comment), /did not take created_at/)
  t.match(
    await said('create_merge_request_thread', { merge_request_iid: 3, ...dated }),
    /the comment is of now/
  )
  t.same((await as('margaret')('create_issue_note', { ...rocket, ...comment })).notices, [])
  const nobody = { assignee_ids: ['ada', 999_999] }
  t.match(
    await said('update_issue', { issue_iid: 1, ...nobody }),
    /^Of assignee_ids the forge left out 999999:/
  )
  t.match(await said('create_issue', { title: 'For nobody', ...nobody }), /left out 999999/)
  t.equal(await said('update_issue', { issue_iid: 1, assignee_ids: ['@ada', 'me', 'linus'] }), '')
  t.equal(await said('update_issue', { issue_iid: 1, assignee_ids: [0] }), '')
  t.match(
    await said('update_merge_request', { merge_request_iid: 3, reviewer_ids: [999_999] }),
    /Of reviewer_ids the forge left out 999999/
  )
  t.match(
    await said('set_merge_request_approval_rule', {
      merge_request_iid: 3,
      name: 'QA',
      approvals_required: 1,
      user_ids: [999_999]
    }),
    /Of user_ids the forge left out 999999/
  )
  t.match(
    await said('create_work_item', {
      type: 'task',
      title: 'For nobody',
      ...nobody,
      label_ids: ['bug', 999_999]
    }),
    /Of assignee_ids the forge left out 999999: .* Of label_ids the forge left out 999999: there is no such label here/
  )
  const change = (args: object) => said('update_work_item', { iid: 1, ...args })
  t.match(await change({ add_label_ids: [999_998], assignee_ids: ['ada'] }), /^Of add_label_ids .* 999998:/)
  t.equal(await change({ add_label_ids: ['security'], remove_label_ids: ['bug'], assignee_ids: [] }), '')
  t.equal(await change({ assignee_ids: ['gid://gitlab/User/2'], title: 'Drifts' }), '')
  const [merged] = (await as('ada')('list_merge_requests', { ...rocket, state: 'merged' })).value
  t.match(
    await said('update_merge_request', { merge_request_iid: merged.iid, state_event: 'reopen' }),
    /It is merged and stays so/
  )
  t.match(await problem('update_project', { default_branch: 'mian' }), /no "mian": did you mean "main"\?/)
  t.match(
    await problem('create_work_item', { type: 'task', title: 'w', parent_id: 'acme/rocket 2' }),
    /not "acme\/rocket 2": get_work_item gives the id of what has an iid/
  )
  t.match(await problem('update_issue', { issue_iid: '1', due_date: null }), /null counts as not given/)
  t.match(
    await problem('get_file_contents', { path: 'README.md#L1-3' }),
    /"README\.md" is the file: start_line and end_line/
  )
  t.match(
    await problem('update_issue', { issue_iid: 1, due_date: 'tomorrow' }),
    /due_date must be a date that there is, written YYYY-MM-DD, or empty for none/
  )
  for (const due_date of ['2026-11-31', '2026-13-01'])
    t.match(
      await problem('update_issue', { issue_iid: 1, due_date }),
      /must be a date that there is, written/
    )
  for (const since of [
    '2026-13-01',
    '2026-11-31',
    '2026-02-30T09:00:00Z',
    '2100-02-29',
    '2026-11-21T99:99:99Z',
    '2026-11-21T09:00:60Z',
    'yesterday'
  ])
    t.match(
      await problem('list_commits', { since }),
      /since must be a time that there is, in ISO 8601/,
      since
    )
  for (const since of ['2028-02-29', '2026-11-30 09:00', '2026-11-30T23:59:59.5+0100', '2026-11-30T09:00Z'])
    t.equal(await problem('list_commits', { since }), undefined, since)
  t.match(
    await problem('get_pipeline_job', { job_id: 999 }),
    /Check the project, and that job_id is the id, as list_pipeline_jobs has it\./
  )
  t.match(
    await problem('update_milestone', { milestone_id: 77, state_event: 'close' }),
    /milestone_id is the id, as list_milestones has it\./
  )
  t.match(
    await problem('update_merge_request_note', { merge_request_iid: 3, note_id: 1, body: 'x' }),
    /merge_request_iid is the number .*, and note_id is the id, as mr_discussions has it\./
  )
  t.match(
    await problem('create_issue_emoji_reaction', { issue_iid: 999, name: 'rocket' }),
    /Check the ids and the emoji name/
  )
  const link = { issue_iid: 1, target_project_id: 'acme/rocket', target_issue_iid: 999 }
  t.match(await problem('create_issue_link', link), /, and target_issue_iid is the number in the project/)
  t.match(await problem('update_issue', { issue_iid: 1, milestone_id: 'none' }), /, and 0 is for none\.$/)
  t.match(
    await problem('update_milestone', { milestone_id: 'none', state_event: 'close' }),
    /list_milestones with include_ancestors=true has those there are\.$/
  )
  t.match(await problem('update_issue', { issue_iid: 1, assignee_ids: null }), /a list takes \[\]\.$/)
  t.match(await problem('mark_todo_done', { project_id: undefined, id: 999 }), /list_todos has them/)
  t.match(
    await problem('create_pipeline', { merge_request_iid: 1 }),
    /ref is the source branch of a merge request/
  )
  t.match(
    await problem('list_issues', { project_id: undefined, repo: 'acme/rocket' }),
    /did you mean "project_id"\?/
  )
  t.match(
    await problem('list_registry_tags', { repository: 'engine' }),
    /"repository", did you mean "repository_id"\?/
  )
  t.match(await problem('list_issues', { project: 'rocket' }), /"project", did you mean "project_id"\?/)
  t.match(
    await problem('get_issue', { id: 501 }),
    /"id", did you mean "issue_iid" \(the number in the project, not the id\)\?/
  )
  t.match(
    await problem('get_issue', { project_id: 'git@elsewhere.example:acme/rocket.git', issue_iid: 1 }),
    /./
  )
  t.match(
    await problem('create_merge_request_thread', {
      merge_request_iid: 5,
      body: 'b',
      position: '{"new_path":"src/launch.ts","new_line":18}'
    }),
    /position\.base_sha is required, .*head_sha is required; path and line serve instead of a position/
  )
  for (const body of ['', ' \n']) {
    const said = 'Invalid arguments: body must not be empty.'
    t.equal(await problem('create_note', { noteable_type: 'issue', noteable_iid: 1, body }), said)
    t.equal(await problem('create_merge_request_note', { merge_request_iid: 1, body }), said)
    t.equal(await problem('create_draft_note', { merge_request_iid: 1, body }), said)
    const note = { issue_iid: 1, discussion_id: 'a', note_id: 1, body }
    t.equal(await problem('update_issue_note', note), 'body must not be empty.')
    t.equal(
      await problem('update_issue_note', { ...note, resolved: true }),
      "Only one of 'body' or 'resolved' can be provided, not both."
    )
  }
  t.match(await problem('search', { query: 'fuel' }), /scope is required \(one of issues, .*, notes, /)
  const commit = (change: object) =>
    problem('commit_files', { branch: 'main', commit_message: 'm', actions: [{ file_path: 'a', ...change }] })
  const several = (...actions: object[]) =>
    problem('commit_files', { branch: 'main', commit_message: 'm', actions })
  const fresh = { action: 'create', file_path: 'fresh/a', content: 'x' }
  t.match(
    await several(fresh, { ...fresh, file_path: 'README.md' }),
    /already exists"\. There already: "README\.md"\. Nothing was committed/
  )
  t.match(
    await several(fresh, { action: 'delete', file_path: 'src/engin.ts' }),
    /doesn't exist"\. No such file: "src\/engin\.ts"; did you mean "src\/engine\.ts"\? Nothing/
  )
  t.match(
    await several({ action: 'move', file_path: 'a', previous_path: 'none' }, { ...fresh, action: 'update' }),
    /No such file: "none", "fresh\/a"\. Nothing/
  )
  for (const change of [
    { action: 'delete', file_path: 'src' },
    { action: 'move', file_path: 'lib', previous_path: 'src' }
  ])
    t.match(await several(change), /doesn't exist"\. "src" is a directory: name each of its files\. Nothing/)
  t.match(
    await several({ ...fresh, file_path: 'docs/' }),
    /"docs\/"; leave out the slash at the end, and of a folder name a file\.$/
  )
  const moved = { action: 'move', file_path: 'b', previous_path: 'README.md' }
  t.equal(
    await several(moved, { action: 'edit', file_path: 'b', edits: [{ find: 'a', replace: 'b' }] }),
    '"b" has two actions: give its whole new content with the move, or change it in the next commit.'
  )
  t.match(await commit({}), /actions\.0\.action is required \(one of create, /)
  t.match(
    await commit({ action: 'update', find: 'a', replace: 'b' }),
    /"actions\.0\.find", which edits has: edits=\[\{ find, replace \}\]/
  )
  t.match(await problem('create_branch', { name: 'a', ref: 'main' }), /"name", did you mean "branch"\?/)
  t.match(
    await problem('delete_milestone', { milestone_id: '1.5' }),
    /confirm is required \(its title, to be sure\)/
  )
  t.match(await problem('search', { type: 'issues', query: 'x' }), /"type", did you mean "scope"\?/)
  t.match(
    await problem('commit_files', {
      branch: 'main',
      commit_message: 'm',
      actions: [{ action: 'edit', file_path: 'README.md', old_string: 'a', new_string: 'b' }]
    }),
    /"actions\.0\.old_string", which edits has: edits=\[\{ find, replace \}\]; .*new_string", which edits has/
  )
  t.match(
    await problem('set_time_estimate', { issue_iid: 1, estimate: '1h' }),
    /"estimate", did you mean "duration"\?/
  )
  t.match(
    await problem('move_issue', { issue_iid: 1, target_project_id: 'acme/website' }),
    /"target_project_id", did you mean "to_project"\?/
  )
  t.same((await as('edsger')('list_groups', { owned: true })).notices, [
    'Only groups that you own: without owned are also those that you are a member of.'
  ])
  for (const tool of ['get_repository_tree', 'list_tags']) {
    t.match(
      await problem(tool, { page: 2 }),
      /"page", pages have no numbers here: page_token takes the next_page/
    )
    t.match(
      await problem(tool, { page_token: 2 }),
      /page_token must be the next_page_token .*, not the number "2"/
    )
  }
  t.match(
    (await as('ada')('update_issue', { project_id: 'acme/rocket#6', title: 'x' })).error,
    /issue_iid is required \(6, which is not part of project_id\)/
  )
  for (const tool of ['list_issue_links', 'list_draft_notes', 'list_issue_emoji_reactions'])
    t.match(
      await problem(tool, { page: 2, per_page: 100 }),
      /: unknown argument "page", this list comes whole, so it has no other pages: leave it out/,
      tool
    )
  t.match(await problem('create_issue', { title: 'x', issue_type: 'epic' }), /\(create_work_item makes one\)/)
  t.match(
    await problem('create_issue', { title: 'x', group_id: 'acme' }),
    /"group_id", create_work_item makes/
  )
  t.match((await as('ada')('list_issues', { project_id: 'acme/rocket', assignee_username: 'ich' })).notices, [
    /There is no user "ich": did you mean "me", which is you\?/
  ])
  t.match(
    await problem('create_webhook', { url: 'https://example.org', events: 'all' }),
    /events\.0 must be one of .* \(name each\)/
  )
  t.match(
    await problem('get_merge_request_note', { merge_request_iid: 'feature/fuel', note_id: 1 }),
    /not "feature\/fuel": list_merge_requests with source_branch finds it by its branch/
  )
  for (const tool of ['list_work_items', 'list_work_item_notes'])
    t.match(
      await problem(tool, { iid: 1, page: 2 }),
      /"page", pages have no numbers here: after takes the endCursor of the page before/,
      tool
    )
  t.match(
    await problem('commit_files', {
      branch: 'main',
      commit_message: 'm',
      actions: [{ action: 'move', old_path: 'README.md', new_path: 'b' }]
    }),
    /"actions\.0\.old_path", which previous_path is: of a move, file_path is the new one/
  )
  t.match(
    await problem('create_pipeline', { ref: '965f3b3df9cb7288495abb8ed38f2c8773554821' }),
    /A pipeline runs on a branch or tag that is there, by its name: not on a commit\.$/
  )
  for (const name of ['parent', 'parent_iid', 'epic_id']) {
    const asPlace = new RegExp(`"${name}", give its place as parent_id, with its number: "acme/rocket#2", or`)
    t.match(await problem('create_work_item', { type: 'task', title: 'w', [name]: 2 }), asPlace)
    t.match(await problem('update_work_item', { iid: 1, [name]: 2 }), asPlace)
  }
  t.match(
    await problem('create_issue', { title: 'w', parent_iid: 2 }),
    /"parent_iid", which create_work_item takes as parent_id\.$/
  )
  t.match(
    await problem('update_work_item', { iid: 1, labels: ['bug'] }),
    /"labels", did you mean "add_label_ids"\?/
  )
  for (const tool of ['list_issues', 'my_issues'])
    t.match(
      await problem(tool, { closed_after: '2026-11-20' }),
      /"closed_after", which list_work_items takes/,
      tool
    )
  for (const name of ['search', 'message', 'grep'])
    t.match(
      await problem('list_commits', { [name]: 'fuel' }),
      /"\w+", to search commit messages call search with scope=commits/,
      name
    )
  t.match(
    await problem('create_issue', { title: 'w', start_date: '2026-11-20' }),
    /"start_date", which create_work_item takes\.$/
  )
  t.match(
    await problem('update_issue', { issue_iid: 1, epic_id: 2 }),
    /"epic_id", which update_work_item takes as parent_id\.$/
  )
  t.match(
    await problem('create_issue', { title: 'w', status: 'done' }),
    /"status", which update_work_item sets/
  )
  t.match(
    await problem('update_issue', { issue_iid: 1, status: 'in_progress' }),
    /must be one of close, reopen; update_work_item sets a status such as in_progress/
  )
  t.match(
    await problem('update_merge_request', { merge_request_iid: 1, state: 'ready' }),
    /must be one of close, reopen; draft=false marks it ready/
  )
  t.match(
    await problem('list_merge_requests', { state: 'ready' }),
    /; draft=false lists those that are ready/
  )
  const asked = 'replaces the whole list: give all that should be in it afterwards'
  for (const [tool, args, name] of [
    ['update_merge_request', { merge_request_iid: 3, add_reviewer_ids: ['linus'] }, 'reviewer_ids'],
    ['update_issue', { issue_iid: 1, add_assignees: ['linus'] }, 'assignee_ids'],
    ['update_issues', { issues: [{ issue_iid: 1, remove_assignee_ids: ['linus'] }] }, 'assignee_ids'],
    ['update_work_item', { iid: 1, add_assignee_ids: ['linus'] }, 'assignee_ids'],
    ['update_project', { add_topics: ['x'] }, 'topics'],
    ['set_merge_request_approval_rule', { merge_request_iid: 3, add_group_ids: [1] }, 'group_ids'],
    ['update_webhook', { hook_id: 1, add_events: ['push'] }, 'events']
  ] as const)
    t.match(await problem(tool, args), `, ${name} ${asked}.`, tool)
  t.match(await problem('update_work_item', { iid: 1, status: 'closed' }), /state_event closes and reopens/)
  t.match(
    await problem('list_merge_requests', { scope: 'review_requested' }),
    /scope must be one of .*; for those you review leave it out and give reviewer_username=me\./
  )
  t.match(
    await problem('create_pipeline_schedule', { description: 'd', ref: 'mian', cron: '0 4 * * *' }),
    /"ref: is ambiguous"\. There is no "mian": did you mean "main"\?/
  )
  t.match(await problem('protect_branch', { branch: 'main' }), /"branch", did you mean "name"\?/)
  t.match(await problem('protect_branch', { branch_name: 'main' }), /"branch_name", did you mean "name"\?/)
  t.match(
    await problem('merge_merge_request', { merge_request_iid: 6, merge_method: 'squash' }),
    /"merge_method", squash=true squashes/
  )
  t.match(await problem('create_release', { tag: 'v9', assets: [] }), /"assets", did you mean "links"\?/)
  t.match(
    await problem('submit_review', { merge_request_iid: 1, summary: 'x', verdict: 'comment' }),
    /verdict must be one of approve, request_changes; to comment only, leave it out\./
  )
  t.match(await problem('move_issue', { issue_iid: 1, to_project: 'acme/rocket' }), /Give another project/)
  const unit = /duration must be a length of time with its unit, such as 90m/
  for (const duration of [90, '90', '-1.5', 'long', '2 moons'])
    t.match(await problem('add_spent_time', { issue_iid: 1, duration }), unit)
  t.match(
    await problem('list_issues', { order_by: 'created_on' }),
    /must be one of .* \(did you mean "created_at"\?\)/
  )
  t.match(await problem('get_failed_jobs', { ref: 'main' }), /"ref", which diagnose_pipeline takes/)
  t.match(
    await problem('apply_suggestions', { project_id: undefined, suggestion_ids: 'a, 2' }),
    /suggestion_ids\.0 must be numbers/
  )
  t.match(
    await problem('get_merge_request_diffs', { merge_request_iid: 1, excluded_file_patterns: '*.lock' }),
    /such as \\\.lock\$\./
  )
})

story('a field that a tool does not have says where what is meant belongs', toolsets, async (t, as) => {
  const error = async (tool: string, args: Record<string, unknown>) => (await as('ada')(tool, args)).error
  const one = { ...rocket, merge_request_iid: '3' }
  t.match(
    await error('submit_review', { ...one, comments: [{ path: 'a', line: 1, body: 'x', suggestion: 'y' }] }),
    /"comments\.0\.suggestion", body holds it, as a block ```suggestion:-0\+0 \.\.\. ```/
  )
  t.match(
    await error('apply_suggestions', { ...one, suggestion_ids: ['1'] }),
    /"project_id", leave it out: suggestion_ids say which they are.*; unknown argument "merge_request_iid", leave/
  )
  const internal =
    /"(?:internal|confidential)", create_work_item_note with internal writes an internal comment/
  const issue = { ...rocket, issue_iid: '1' }
  t.match(await error('create_issue_note', { ...issue, body: 'x', internal: true }), internal)
  const note = { ...rocket, noteable_type: 'issue', noteable_iid: '1', body: 'x' }
  t.match(await error('create_note', { ...note, confidential: true }), internal)
  t.match(
    await error('create_merge_request_note', { ...one, body: 'x', internal: true }),
    /"internal", no tool here writes an internal comment on a merge request/
  )
  for (const [tool, args] of [
    ['create_issue', { ...rocket, title: 'x' }],
    ['update_issue', issue],
    ['update_work_item', { ...rocket, iid: '1' }]
  ] as const)
    t.match(
      await error(tool, { ...args, severity: 'HIGH' }),
      /"severity", a comment with the line "\/severity high"/
    )
  t.match(
    await error('add_spent_time', { ...issue, duration: '1h', spent_at: '2026-11-20' }),
    /"spent_at", a comment with the line "\/spend 1h 2026-11-20" takes a day/
  )
  const both = 'acme/rocket, acme/website'
  t.match(
    await error('list_issues', { project_id: both }),
    /^project_id takes one a call, and no path has a comma: "acme\/rocket, acme\/website"; group_id, where/
  )
  t.match(
    await error('list_issues', { project_id: both.split(', ') }),
    /project_id must be one project a call, not an array/
  )
  t.match(await error('find_users', { name: 'Hopper' }), /"name", did you mean "search"\?/)
})

story(
  'what is read by its number and called by its name says where the number is found',
  toolsets,
  async (t, as) => {
    const error = async (tool: string, args: Record<string, unknown>) => (await as('ada')(tool, args)).error
    const faults: string[] = []
    for (const [tool, args, said] of [
      ['get_user', { name: 'Grace Hopper' }, '"name", find_users finds people by name.'],
      ['get_user', { full_name: 'Grace Hopper' }, '"full_name", find_users finds people by name.'],
      [
        'get_issue',
        { ...rocket, title: 'Leak' },
        '"title", list_issues with search and scope=all says which issue_iid has that title'
      ],
      [
        'get_merge_request',
        { ...rocket, title: 'Leak' },
        '"title", list_merge_requests with search says which merge_request_iid has that title'
      ],
      [
        'get_pipeline_job',
        { ...rocket, job_name: 'unit' },
        '"job_name", list_pipeline_jobs says which job_id has that name'
      ],
      [
        'get_project',
        { name: 'Rocket' },
        '"name", list_projects with search says which project_id has that name'
      ],
      [
        'get_pipeline_test_report',
        { project_id: 'acme/rocket', pipeline_id: '31', name: 'rspec' },
        '"name", did you mean "suite"?'
      ],
      ['get_group', { name: 'Acme' }, '"name", list_groups with search says which group_id has that name']
    ] as const) {
      const text = await error(tool, args)
      if (text?.startsWith(`Invalid arguments: unknown argument ${said}`) !== true)
        faults.push(`${tool}: ${text}`)
    }
    t.same(faults, [])
    t.match(
      await error('get_commit', { ...rocket, sha: 'main', title: 'x' }),
      /"title" \(valid: project_id, sha/
    )
    t.match(
      await error('rebase_merge_request', { ...rocket, merge_request_iid: '3', title: 'x' }),
      /"title" \(valid/,
      'what changes it may get a new one'
    )
  }
)

story('what plans a work item can be taken away again, as is said with each', toolsets, async (t, as) => {
  const item = { ...rocket, iid: '2' }
  const update = (args: object) => as('ada')('update_work_item', { ...item, ...args })
  const [current] = (await as('ada')('list_iterations', { group_id: 'acme', state: 'current' })).value
  const plan = { iteration_id: String(current.id), weight: 5, health_status: 'on_track' }
  t.match((await update(plan)).value, { iteration_id: current.id, weight: 5, health_status: 'on_track' })
  for (const health_status of ['on_track', 'needs_attention', 'at_risk'])
    t.match((await update({ health_status })).value, { health_status }, 'it is shown as it is given')
  for (const status of ['to_do', 'in_progress', 'done', 'wont_do', 'duplicate']) {
    const shown = (await update({ status })).value.status
    t.equal((await update({ status: shown })).value?.status, shown, 'what is shown is taken')
  }
  const inIteration = async (iteration_id: string) =>
    (await as('ada')('list_issues', { ...rocket, scope: 'all', iteration_id })).value.length
  t.strictSame([await inIteration(String(current.id)), await inIteration('Any')], [1, 1])
  for (const none of ['0', 'none']) {
    await update(plan)
    t.equal((await update({ iteration_id: none, weight: '', health_status: 'none' })).error, undefined)
    const { iteration_id, weight, health_status } = (await as('ada')('get_work_item', item)).value
    t.same([iteration_id, weight, health_status], [undefined, undefined, undefined], none)
  }
  t.match(
    (await update({ iteration_id: '999' })).error,
    /iteration_id is the id, as list_iterations gives it/
  )
  t.match((await update({ iteration_id: 'current' })).error, /list_iterations gives it \(state=current/)
})

story('a work item with an iteration that there is not is not made', toolsets, async (t, as) => {
  const made = { ...rocket, type: 'issue', title: 'Fuel the spare tank', iteration_id: '999' }
  t.match((await as('ada')('create_work_item', made)).error, /iteration_id is the id, as list_iterations/)
  const found = await as('ada')('list_work_items', { ...rocket, search: made.title })
  t.same(found.value.work_items, [])
})

story('a comment goes to what its sign says, or nowhere', toolsets, async (t, as) => {
  const comment = (noteable_type: string, noteable_iid: string) =>
    as('ada')('create_note', { ...rocket, noteable_type, noteable_iid, body: 'x' })
  t.match(
    (await comment('issue', '!3')).error,
    /noteable_iid must be a number, as in #7 and in web addresses, not "!3", which is a merge request/
  )
  t.match((await comment('merge_request', '#3')).error, /as in !7 and .* not "#3", which is an issue/)
  for (const [type, iid] of [
    ['issue', '#3'],
    ['merge_request', '!3'],
    ['merge_request', ' !3 ']
  ] as const)
    t.equal((await comment(type, iid)).value?.body, 'x', `${type} ${iid}`)
})

story(
  'a day that was set can be taken away, and no other text is taken for none',
  toolsets,
  async (t, as) => {
    const call = (tool: string, args: object) => as('ada')(tool, { ...rocket, ...args })
    const days = { start_date: '2026-12-01', due_date: '2026-12-24' }
    const { value: made } = await call('create_milestone', { title: 'Advent', ...days })
    const change = (args: object) => call('update_milestone', { milestone_id: made.id, ...args })
    t.equal((await change({ due_date: '' })).value.due_date, undefined)
    const {
      value: [read]
    } = await call('list_milestones', { title: 'Advent' })
    t.match(read, { start_date: '2026-12-01' })
    t.notMatch(read, { due_date: /./ })
    t.match(
      (await change({ due_date: '2026-11-30', start_date: '2026-12-01' })).error,
      /is before start_date/
    )
    t.match((await change({ due_date: '2026-02-30' })).error, /due_date must be a date that there is/)

    const member = (args: object) => call('set_member', { username: 'grace', role: 'developer', ...args })
    t.equal((await member({ expires_at: '2999-01-01' })).value.expires_at, '2999-01-01')
    t.match((await member({ expires_at: '2001-01-01' })).error, /expires_at: cannot be a date in the past/)
    t.equal((await member({})).value.expires_at, '2999-01-01')
    t.notMatch((await member({ expires_at: '' })).value, { expires_at: /./ })
    t.match((await member({ expires_at: '2027-02-30' })).error, /expires_at must be a date that there is/)
  }
)

story(
  'what an empty text would take away elsewhere stays, and the result says so',
  toolsets,
  async (t, as) => {
    const said = async (tool: string, args: object) => {
      const { error, value, notices } = await as('ada')(tool, { ...rocket, ...args })
      t.equal(error, undefined, `${tool} ${JSON.stringify(args)}`)
      return { value, said: notices.join(' ') }
    }
    const empty = { labels: '', milestone_id: '', title: 'T' }
    const issue = await said('update_issue', { issue_iid: 2, ...empty })
    t.same(issue.value.labels, ['bug'])
    t.equal(
      issue.said,
      'labels is as it was: empty text counts as not given, [] is for none. milestone_id is as it was: empty text counts as not given, 0 is for none.'
    )
    t.match(
      (await said('update_merge_request', { merge_request_iid: 3, ...empty })).said,
      /^labels is as it was/
    )
    t.match(
      (await said('update_work_item', { iid: 2, assignee_ids: '', title: 'U' })).said,
      /^assignee_ids is as it was/
    )
    const several = await said('update_issues', { issues: [{ issue_iid: 2, ...empty, assignee_ids: '' }] })
    t.same(several.value, [{ iid: 2, state: 'opened' }])
    t.match(several.said, /milestone_id is as it was/)
    const none = await said('update_issue', { issue_iid: 2, labels: [], milestone_id: 0, add_labels: '' })
    t.equal(none.value.labels?.length ?? 0, 0)
    t.equal(none.said, '')
    t.equal((await said('create_issue', empty)).said, '', 'of what is new nothing is taken away')
  }
)

story('a description that an empty text takes away is told', toolsets, async (t, as) => {
  const said = async (tool: string, args: object) =>
    (await as('ada')(tool, { ...rocket, ...args })).notices.join(' ')
  const told = 'description was given as an empty text, which empties it: left out, it stays.'
  const empty = { title: 'T', description: '' }
  t.equal(await said('update_issue', { issue_iid: 2, ...empty }), told)
  t.equal(await said('update_merge_request', { merge_request_iid: 3, description: '' }), told)
  t.equal(await said('update_work_item', { iid: 2, ...empty }), told)
  t.equal(await said('update_issues', { issues: [{ issue_iid: 2, ...empty }] }), `issues.0 (#2): ${told}`)
  t.equal(await said('create_issue', empty), '', 'of what is new nothing is taken away')
})

story('a text that a result cut is refused, and what is stored stays', toolsets, async (t, as) => {
  const ada = as('ada')
  const before = (await ada('get_issue', { ...rocket, issue_iid: 2 })).value.description
  const { error } = await ada('update_issue', {
    ...rocket,
    issue_iid: 2,
    description: 'Step 0… [589 more]\n- [ ] Follow-up'
  })
  t.match(error, /^description has "… \[589 more\]" .* Read it whole with get_issue\./)
  t.equal((await ada('get_issue', { ...rocket, issue_iid: 2 })).value.description, before)
})

story('a text whose line breaks are written out is stored so, and told', toolsets, async (t, as) => {
  const said = async (tool: string, args: object) =>
    (await as('ada')(tool, { ...rocket, ...args })).notices.join(' ')
  const description = 'Steps:\\n- one\\n- two'
  t.match(await said('create_issue', { title: 'T', description }), /^description has no line break but/)
  t.match(
    await said('update_issues', { issues: [{ issue_iid: 2, description }] }),
    /^issues\.0 \(#2\): description has no line break but [^:]*: [^:]*$/
  )
})

story('a call about a project that has moved is told its present path', toolsets, async (t, as) => {
  const told =
    'The forge answered 405 Method Not Allowed: "Non GET methods are not allowed for moved projects". "acme/missile" is "acme/rocket" now. Only reads follow a project that has moved: give as project_id its present path, which get_project shows.'
  for (const [tool, args] of [
    ['update_issue', { issue_iid: 2, title: 'T' }],
    ['delete_branch', { branch: 'feature/fuel-gauge' }],
    ['merge_merge_request', { merge_request_iid: 6 }]
  ] as const)
    t.equal((await as('ada')(tool, { project_id: 'acme/missile', ...args })).error, told, tool)
  const ofItems =
    'There is no project "acme/missile", or the token may not see it. "acme/missile" is "acme/rocket" now.'
  for (const [tool, args] of [
    ['list_work_items', {}],
    ['get_work_item', { iid: '1' }],
    ['create_work_item', { type: 'task', title: 'T' }],
    ['update_work_item', { iid: '1', title: 'T' }]
  ] as const)
    t.equal((await as('ada')(tool, { project_id: 'acme/missile', ...args })).error, ofItems, tool)
})

story('qualifiers in the search of a list that finds nothing are told', toolsets, async (t, as) => {
  for (const tool of ['list_issues', 'list_merge_requests'])
    t.match(
      (await as('ada')(tool, { ...rocket, scope: 'all', search: 'is:open label:bug' })).notices.join(' '),
      /"is:open" is searched for as text, and filters nothing: give as search the words alone, and filters as arguments\.$/,
      tool
    )
})

story('the address of a note is told not to be that of its thread', toolsets, async (t, as) => {
  const discussion_id = 'http://127.0.0.1/acme/rocket/-/merge_requests/3#note_9001'
  for (const [tool, args, by] of [
    [
      'resolve_merge_request_thread',
      { merge_request_iid: 3, discussion_id, resolved: true },
      'mr_discussions'
    ],
    ['create_issue_note', { issue_iid: 1, discussion_id, body: 'x' }, 'list_issue_discussions'],
    ['submit_review', { merge_request_iid: 3, replies: [{ discussion_id, body: 'x' }] }, 'mr_discussions']
  ] as const)
    t.match(
      (await as('ada')(tool, { ...rocket, ...args })).error,
      `discussion_id must be the id of a thread, which ${by} gives: the address of a note has only its own number`,
      tool
    )
})

story('a pattern among the paths of files is told to be none', toolsets, async (t, as) => {
  const { notices, value } = await as('ada')('get_files', { ...rocket, paths: ['src/*.ts', 'README.md'] })
  t.match(value.files, [{ path: 'src/*.ts', skipped: 'not found' }, { path: 'README.md' }])
  t.match(notices, [/^Paths are no patterns: get_repository_tree lists the files of a folder/])
})

story('whoever may not make a branch is told by which role', toolsets, async (t, as) => {
  const { error } = await as('grace')('create_branch', { ...rocket, branch: 'x', ref: 'main' })
  t.match(error, /403.*It takes the Developer role here/)
})

story('what joins words elsewhere is told where a search with it finds nothing', toolsets, async (t, as) => {
  const said = async (search: string) =>
    (await as('ada')('list_issues', { ...rocket, scope: 'all', search })).notices.join(' ')
  for (const [search, sign] of [
    ['drift OR fuel', 'OR'],
    ['drift | fuel', '|'],
    ['*', '*']
  ] as const)
    t.match(
      await said(search),
      `"${sign}" is searched for as text where the forge has basic search alone`,
      search
    )
  t.equal(await said('nosuchword ORBIT'), '')
})

story('a search of code for nothing is refused, unless files are named', toolsets, async (t, as) => {
  const search = (query: string, more = {}) => as('ada')('search_code', { ...rocket, query, ...more })
  for (const query of ['', '  '])
    t.equal(
      (await search(query)).error,
      'query must not be empty where no filename, extension or path is given.'
    )
  t.notOk((await search('', { filename: 'README.md' })).error)
})

story('the id of a milestone where its title is wanted is told as that', toolsets, async (t, as) => {
  const { notices } = await as('ada')('list_issues', {
    ...rocket,
    scope: 'all',
    milestone: '1',
    search: 'zz'
  })
  t.match(notices.join(' '), 'There is no milestone "1": that is the id of "1.5", and milestone takes names.')
})

story(
  'a new project named with its group is refused, and told where the group goes',
  toolsets,
  async (t, as) => {
    for (const argument of ['name', 'path'])
      t.equal(
        (await as('ada')('create_project', { [argument]: 'acme/lander' })).error,
        `${argument} must have no slash: the group goes in namespace.`
      )
  }
)

story('a filter that is an empty text filters nothing, and the result says so', toolsets, async (t, as) => {
  const said = async (tool: string, args: object) => {
    const { notices } = await as('ada')(tool, { ...rocket, ...args })
    return notices.filter(notice => !notice.startsWith('{'))
  }
  t.same(await said('list_issues', { scope: 'all', labels: '' }), ['labels was empty and filters nothing.'])
  t.same(await said('list_merge_requests', { assignee_username: '', updated_after: '', milestone: '' }), [
    'assignee_username, updated_after and milestone were empty and filter nothing.'
  ])
  t.same(await said('list_work_items', { search: '' }), ['search was empty and filters nothing.'])
  t.same(
    await said('list_issues', { scope: 'all', order_by: '', sort: '' }),
    [],
    'an order leaves nothing out'
  )
  t.same(await said('get_issue', { issue_iid: 1, project_id: 'acme/rocket' }), [])
})

story('a quick action that the forge takes for text is told', toolsets, async (t, as) => {
  const said = async (tool: string, args: object) =>
    (await as('ada')(tool, { ...rocket, ...args })).notices.filter(notice => notice.includes('stayed'))
  const misspelt = '"/assing" stayed text: the forge has no such quick action, but perhaps "/assign".'
  const body = 'Please have a look.\n/assing @linus'
  t.same(await said('create_issue_note', { issue_iid: 1, body }), [misspelt])
  t.same(await said('create_merge_request_thread', { merge_request_iid: 1, body }), [misspelt])
  t.same(await said('create_issue', { title: 'T', description: body }), [misspelt])
  t.same(await said('create_issue_note', { issue_iid: 1, body: 'x\n/assign @linus' }), [])
})

story('a note that is gone as its new text is quick actions alone is told', toolsets, async (t, as) => {
  const ada = as('ada')
  const gone = /^The text was quick actions alone, so that the forge has deleted the note/
  const mr = { ...rocket, merge_request_iid: 1 }
  const noteOfMr = async () => (await ada('create_merge_request_note', { ...mr, body: 'Hi' })).value.id
  const threadOf = async (create: string, args: Record<string, unknown>) => {
    const { id, notes } = (await ada(create, args)).value
    return { discussion_id: id, note_id: notes[0].id }
  }
  const ofThread = await threadOf('create_merge_request_thread', { ...mr, body: 'Hi' })
  const issue = { ...rocket, issue_iid: 1 }
  await ada('create_issue_note', { ...issue, body: 'Hi' })
  const [ofIssue] = (await ada('list_issue_discussions', issue)).value.slice(-1)
  for (const [tool, args] of [
    ['update_merge_request_note', { ...mr, note_id: await noteOfMr() }],
    ['update_merge_request_discussion_note', { ...mr, ...ofThread }],
    ['update_issue_note', { ...issue, discussion_id: ofIssue.id, note_id: ofIssue.notes[0].id }]
  ] as const)
    t.match((await ada(tool, { ...args, body: '/title Other' })).notices, [gone], tool)
  const kept = { ...mr, note_id: await noteOfMr(), body: 'Hi\n/title Third' }
  t.same((await ada('update_merge_request_note', kept)).notices, [])
  const { error } = await ada('update_merge_request_note', { ...kept, body: '/label ~nolabel' })
  t.match(error, /can't be blank.*so that the forge has deleted the note; it may have carried them out/)
})

story('an address is no name of what is made or set', toolsets, async (t, as) => {
  const at = 'http://127.0.0.1/acme/rocket/-/issues?label_name[]=bug'
  for (const [tool, args, said] of [
    [
      'update_issue',
      { issue_iid: 1, add_labels: [at] },
      /add_labels\.0 must name a label: .* an address names none/
    ],
    ['create_issue', { title: 'T', labels: ['bug', at] }, /labels\.1 must name a label/],
    ['create_label', { name: at }, /name must not be empty, and no address: it is the name itself/],
    ['create_milestone', { title: at }, /title must not be empty, and no address/],
    [
      'protect_branch',
      { name: 'http://127.0.0.1/acme/rocket/-/tree/main' },
      /name must be a name: it is empty, an addr/
    ],
    [
      'set_variable',
      { key: 'A', value: 'b', environment_scope: at },
      /environment_scope is an address: give the name/
    ]
  ] as const)
    t.match((await as('ada')(tool, { ...rocket, ...args })).error, said, tool)
})

story('a quick action that vanishes without a trace is told', toolsets, async (t, as) => {
  const said = async (tool: string, args: object) =>
    (await as('ada')(tool, { ...rocket, ...args })).notices.filter(notice => notice.includes('quick action'))
  const untold = ['"/assign" was taken as a quick action: the forge does not say whether it worked.']
  const lost = 'Text\n/assign @nobodyy\n/label ~bug'
  t.same(await said('create_issue_note', { issue_iid: 1, body: lost }), untold)
  t.same(await said('create_merge_request_note', { merge_request_iid: 1, body: lost }), untold)
  t.match(await said('create_work_item_note', { iid: 1, body: 'Text\n/assign @nobodyy' }), untold)
})

story('a quick action in a review is told, of whose work the forge says nothing', toolsets, async (t, as) => {
  const one = { ...rocket, merge_request_iid: 3 }
  const { notices } = await as('linus')('submit_review', { ...one, summary: 'Fine\n/title Told' })
  t.match(notices, [/^"\/title" was given to the forge as a quick action/])
  const draft = await as('linus')('create_draft_note', { ...one, body: 'x\n/clsoe' })
  t.match(draft.notices, [/^"\/clsoe" stays text: .* perhaps "\/close"/])
})

story('a list of empty texts is refused, of labels as of people', toolsets, async (t, as) => {
  for (const [list, said] of [
    [
      'labels',
      /^Invalid arguments: labels\.0 must name a label: left out, they stay, an empty list \[\] is for none/
    ],
    ['assignee_ids', /an empty list is for nobody/]
  ] as const)
    t.match((await as('ada')('update_issue', { ...rocket, issue_iid: 2, [list]: [''] })).error, said)
})

story('it stays under any name that is taken for the field', toolsets, async (t, as) => {
  const call = async (tool: string, args: object) => {
    const { error, value, notices } = await as('ada')(tool, { ...rocket, ...args })
    t.equal(error, undefined, `${tool} ${JSON.stringify(args)}`)
    return { value, said: notices.join(' ') }
  }
  const change = (args: object) => call('update_issue', { issue_iid: 2, ...args })
  await change({ assignee_ids: ['ada'] })
  const kept = 'assignee_ids is as it was: empty text counts as not given, [] is for none.'
  for (const given of [{ assignee: '' }, { assignees: '' }, { assigneeIds: '' }]) {
    const { value, said } = await change({ ...given, title: 'T' })
    t.equal(value.assignees?.length, 1, JSON.stringify(given))
    t.equal(said, kept, JSON.stringify(given))
  }
  const several = await call('update_issues', { issues: [{ number: 2, assignee: '', title: 'U' }] })
  t.equal(several.said, `issues.0: ${kept}`)
  t.equal((await call('get_issue', { issue_iid: 2 })).value.assignees?.length, 1)
})

story('of two values of one argument neither is lost without a word', toolsets, async (t, as) => {
  for (const [tool, args, said] of [
    ['create_issue_note', { issue_iid: 1, comment: 'a', note: 'b' }, 'comment and note both stand for body'],
    [
      'update_issue',
      { issue_iid: 1, assignee: 'ada', assignees: ['linus'] },
      'assignee and assignees both stand for assignee_ids'
    ],
    ['get_issue', { iid: 1, number: 2 }, 'iid and number both stand for issue_iid']
  ] as const)
    t.equal((await as('ada')(tool, { ...rocket, ...args })).error, `Invalid arguments: ${said}: give one.`)
})
