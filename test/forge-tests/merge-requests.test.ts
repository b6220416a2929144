import t from 'tap'
import { sandbox } from './client.ts'

const P = '/projects/acme%2Frocket'
const MRS = `${P}/merge_requests`

t.test('lists are filtered as asked, and the global list shows one’s own unless told otherwise', async t => {
  const { forge, as } = await sandbox(t)
  const iids = async (who: string, path: string) =>
    ((await as(who)('GET', path)).data as { iid: number }[]).map(({ iid }) => iid)
  t.strictSame(await iids('ada', MRS), [6, 5, 4, 3, 2, 1])
  t.strictSame(await iids('ada', `${MRS}?state=opened&wip=no`), [6, 5, 3])
  t.strictSame(await iids('ada', `${MRS}?draft=true`), [4])
  t.strictSame(await iids('ada', `${MRS}?reviewer_username=ada&state=opened&sort=asc`), [3, 5, 6])
  t.strictSame(await iids('ada', `${MRS}?labels=bug,guidance`), [5])
  t.strictSame(await iids('ada', `${MRS}?labels=None&state=opened`), [4])
  t.strictSame(await iids('ada', `${MRS}?assignee_id=Any`), [4, 3])
  t.strictSame(await iids('ada', `${MRS}?approved_by_usernames[]=ada`), [6, 1])
  t.strictSame(
    await iids('ada', '/groups/acme/merge_requests?merged_after=2020-01-01&merge_user_username=ada'),
    await iids('ada', '/groups/acme/merge_requests?state=merged')
  )
  t.strictSame(await iids('ada', '/groups/acme/merge_requests?merge_user_username=linus'), [])
  t.strictSame(await iids('ada', `${MRS}?source_branch=fix%2Fcountdown-drift`), [5])
  t.strictSame(await iids('ada', `${MRS}?milestone=1.5&search=FUEL`), [3])
  t.strictSame(await iids('ada', `${MRS}?not[author_username]=linus`), [4, 2])
  t.strictSame(
    await iids('ada', `${MRS}?order_by=merged_at&per_page=1`),
    await iids('ada', `${MRS}?state=merged`),
    'the others come after it'
  )
  t.strictSame(await iids('ada', '/merge_requests?state=opened'), [4, 1], 'scope is created_by_me')
  t.strictSame(await iids('ada', '/merge_requests?scope=reviews_for_me'), [6, 5, 3])
  t.strictSame(
    await iids('grace', '/merge_requests?scope=all&state=opened'),
    [6, 5, 4, 3],
    'the website is hidden'
  )
  const { data } = await as('ada')('GET', `${MRS}?with_labels_details=true&iids[]=3`)
  t.match(data, [{ labels: [{ name: 'telemetry', color: '#1f75cb' }] }])
  t.strictSame(forge.violations, [])
})

t.test('the title says whether it is a draft, and nothing else does', async t => {
  const { as } = await sandbox(t)
  const parts = { source_branch: 'spike/guidance', target_branch: 'main', title: 'draft: Guidance' }
  const created = await as('linus')('POST', MRS, parts)
  t.equal(created.status, 201)
  t.match(created.data, {
    iid: 7,
    draft: true,
    merge_status: 'checking',
    diff_refs: null,
    changes_count: null
  })
  t.match((await as('linus')('GET', `${MRS}/7`)).data, {
    detailed_merge_status: 'draft_status',
    diff_refs: { head_sha: /^\w{40}$/ }
  })
  t.match((await as('linus')('PUT', `${MRS}/7`, { title: 'Guidance' })).data, {
    draft: false,
    work_in_progress: false
  })
})

t.test('creating says what is wrong in the forge’s words', async t => {
  const { as } = await sandbox(t)
  const good = { title: 'T', source_branch: 'spike/guidance', target_branch: 'main' }
  const refused = async (who: string, parts: object) => {
    const { status, data } = await as(who)('POST', MRS, { ...good, ...parts })
    return [status, data.message]
  }
  t.strictSame(await refused('linus', { title: ' ' }), [400, { title: ["can't be blank"] }])
  t.strictSame(await refused('linus', { source_branch: 'nope' }), [
    400,
    { source_branch: ['does not exist'] }
  ])
  t.strictSame(await refused('linus', { target_branch: 'spike/guidance' }), [
    422,
    ["You can't use same project/branch for source and target"]
  ])
  t.strictSame(await refused('linus', { source_branch: 'feature/fuel-gauge' }), [
    409,
    ['Another open merge request already exists for this source branch: !3']
  ])
  t.strictSame(await refused('grace', {}), [403, '403 Forbidden'])
})

t.test('an update changes what it names; closing and reopening leave a note', async t => {
  const { as } = await sandbox(t)
  const update = (body: unknown, who = 'linus') => as(who)('PUT', `${MRS}/3`, body)
  t.match((await update({ labels: [], assignee_ids: [0], reviewer_ids: [2, 4], squash: true })).data, {
    labels: [],
    assignees: [],
    reviewers: [{ username: 'ada' }, { username: 'grace' }],
    squash: true,
    title: 'Show remaining fuel on the dashboard'
  })
  t.match((await update({ add_labels: 'bug,new-one', milestone_id: 0 })).data, {
    labels: ['bug', 'new-one'],
    milestone: null
  })
  t.match((await update({ state_event: 'close' })).data, {
    state: 'closed',
    closed_by: { username: 'linus' }
  })
  t.match((await update({ state_event: 'reopen' })).data, { state: 'opened', closed_at: null })
  t.equal((await update({ title: 'x' }, 'grace')).status, 403)
  t.equal((await update({}, 'ada')).status, 400, 'nothing to change')
  const notes = (await as('ada')('GET', `${MRS}/3/notes?sort=asc`)).data as {
    system: boolean
    body: string
  }[]
  t.strictSame(
    notes.filter(({ system }) => system).map(({ body }) => body),
    ['closed', 'reopened']
  )
  t.equal((await as('ada')('GET', `${MRS}/99`)).data.message, '404 Not found')
})

t.test('merging keeps to the rules', async t => {
  const { as } = await sandbox(t)
  const merge = (iid: number, body?: unknown, who = 'ada') => as(who)('PUT', `${MRS}/${iid}/merge`, body)
  await as('ada')('DELETE', `${P}/protected_branches/main`)
  await as('ada')('POST', `${P}/protected_branches`, { name: 'main', merge_access_level: 40 })
  t.equal((await merge(6, undefined, 'linus')).status, 401, 'main is protected')
  t.equal((await merge(5)).status, 405, 'a conflict')
  t.equal((await merge(4)).status, 405, 'a draft')
  t.match((await as('ada')('GET', `${MRS}/5`)).data, {
    has_conflicts: true,
    merge_status: 'cannot_be_merged'
  })
  const stale = await merge(6, { sha: 'f'.repeat(40) })
  t.match(stale, { status: 409, data: { message: /^SHA does not match HEAD of source branch: \w{40}$/ } })
  const merged = await merge(6, {
    squash: true,
    should_remove_source_branch: true,
    squash_commit_message: 'One'
  })
  t.match(merged.data, {
    state: 'merged',
    merge_user: { username: 'ada' },
    squash_commit_sha: /^\w{40}$/,
    squash: true
  })
  t.equal(
    (await as('ada')('GET', `${P}/repository/branches/docs%2Flaunch-checklist`)).data.message,
    '404 Branch Not Found'
  )
  t.match((await as('ada')('GET', `${P}/repository/branches/main`)).data, {
    commit: { id: merged.data.merge_commit_sha },
    default: true,
    protected: true
  })
  t.equal((await merge(6)).status, 405, 'twice')
})

t.test('an automatic merge waits for what is open, and happens at once where nothing is', async t => {
  let now = Date.parse('2026-11-20T12:00:00Z')
  const { as } = await sandbox(t, { now: () => now })
  const M = `${MRS}/6`
  t.equal((await as('linus')('POST', `${P}/pipeline`, { ref: 'docs/launch-checklist' })).status, 201)
  const waiting = await as('ada')('PUT', `${M}/merge`, { auto_merge: true })
  t.match(waiting.data, {
    state: 'opened',
    merge_when_pipeline_succeeds: true,
    detailed_merge_status: 'ci_still_running'
  })
  now += 60_000
  t.match((await as('ada')('GET', M)).data, { state: 'merged', merge_user: { username: 'ada' } })
  const website = await as('ada')('PUT', '/projects/acme%2Fwebsite/merge_requests/1/merge', {
    merge_when_pipeline_succeeds: true
  })
  t.equal(website.data.state, 'merged')
  t.equal(
    (await as('ada')('PUT', `${MRS}/5/merge`, { auto_merge: true })).status,
    405,
    'waiting resolves no conflict'
  )
})

t.test('what is merged into the default branch closes the issues it names, at once or later', async t => {
  let now = Date.parse('2026-11-20T12:00:00Z')
  const { as } = await sandbox(t, { now: () => now })
  const issue = async (iid: number) => (await as('ada')('GET', `${P}/issues/${iid}`)).data
  await as('linus')('PUT', `${MRS}/6`, { description: 'Fixes #2, see #6' })
  t.match((await as('ada')('GET', `${MRS}/6/closes_issues`)).data, [{ iid: 2 }])
  await as('ada')('PUT', `${MRS}/6/merge`)
  t.match(await issue(2), { state: 'closed', closed_by: { username: 'ada' } })
  t.equal((await issue(6)).state, 'opened', 'it is named without such a word')
  t.match((await as('ada')('GET', `${P}/issues/2/notes`)).data[0], {
    system: true,
    body: 'closed via merge request !6'
  })

  const parts = { source_branch: 'spike/guidance', title: 'Closes #6', description: 'Closes #3' }
  const aside = await as('linus')('POST', MRS, { ...parts, target_branch: 'release/1.4' })
  t.strictSame((await as('ada')('GET', `${MRS}/${aside.data.iid}/closes_issues`)).data, [])
  const later = await as('linus')('POST', MRS, { ...parts, target_branch: 'main' })
  const path = `${MRS}/${later.data.iid}`
  await as('ada')('POST', `${path}/approve`)
  await as('linus')('POST', `${P}/pipeline`, { ref: 'spike/guidance' })
  t.equal((await as('ada')('PUT', `${path}/merge`, { auto_merge: true })).data.state, 'opened')
  const { closed_at: before } = await issue(3)
  now += 60_000
  t.match((await as('ada')('GET', path)).data, { state: 'merged' })
  t.match(await issue(6), { state: 'closed' })
  t.match(await issue(3), { closed_at: before }, 'what is closed already stays so')
})

t.test(
  'a merge request that is closed is merged no more by itself, also not when it is reopened',
  async t => {
    let now = Date.parse('2026-11-20T12:00:00Z')
    const { as } = await sandbox(t, { now: () => now })
    await as('linus')('POST', `${P}/pipeline`, { ref: 'docs/launch-checklist' })
    await as('ada')('PUT', `${MRS}/6/merge`, { auto_merge: true })
    const closed = await as('linus')('PUT', `${MRS}/6`, { state_event: 'close' })
    t.match(closed.data, { state: 'closed', merge_when_pipeline_succeeds: false })
    await as('linus')('PUT', `${MRS}/6`, { state_event: 'reopen' })
    now += 60_000
    t.match((await as('ada')('GET', `${MRS}/6`)).data, { state: 'opened' })
  }
)

t.test(
  'a rebase takes an open merge request and its branch, and starts a pipeline when it is done',
  async t => {
    let now = Date.parse('2026-11-20T12:00:00Z')
    const { as } = await sandbox(t, { now: () => now })
    const rebase = (iid: number) => as('ada')('PUT', `${MRS}/${iid}/rebase`)
    const pipelines = async (ref: string) =>
      (await as('ada')('GET', `${P}/pipelines?ref=${encodeURIComponent(ref)}`)).data as { sha: string }[]
    t.equal((await rebase(2)).status, 409, 'it is closed')
    t.match((await rebase(1)).data.message, '403 Forbidden - Source branch does not exist')
    const before = (await pipelines('fix/countdown-drift')).length
    t.equal((await rebase(5)).status, 202)
    now += 1000
    t.match((await as('ada')('GET', `${MRS}/5`)).data, { merge_error: /^Rebase failed/ })
    t.equal((await pipelines('fix/countdown-drift')).length, before, 'a conflict pushes nothing')

    const parts = { source_branch: 'spike/guidance', target_branch: 'main', title: 'Steer' }
    const { iid } = (await as('ada')('POST', MRS, parts)).data
    t.equal((await rebase(iid)).status, 202)
    now += 1000
    const { sha } = (await as('ada')('GET', `${MRS}/${iid}`)).data
    t.match(await pipelines('spike/guidance'), [{ sha }])
  }
)

t.test('diffs, versions, pipelines and comparisons are computed from the branches', async t => {
  const { as } = await sandbox(t)
  const get = async (path: string) => (await as('ada')('GET', `${MRS}/3${path}`)).data
  t.match(await get('/diffs'), [
    { new_path: 'src/dashboard.ts', new_file: true, diff: /^@@ -0,0 \+1,3 @@\n\+import/ },
    { new_path: 'src/engine.ts', new_file: false, diff: /^@@ -11,4 \+11,8 @@/ },
    { new_path: 'test/engine.test.ts' }
  ])
  t.match(
    (await get('/diffs?unidiff=true&per_page=1&page=2'))[0].diff,
    /^--- a\/src\/engine.ts\n\+\+\+ b\/src\/engine.ts\n@@/
  )
  t.match(await get('/changes'), { changes: [{}, {}, {}], overflow: false, iid: 3 })
  const versions = await get('/versions')
  t.equal(versions.length, 2)
  t.match(await get(`/versions/${versions[1].id}`), {
    commits: [{ title: 'Add a fuel gauge' }],
    diffs: [{ new_path: 'src/engine.ts' }]
  })
  t.match(await get('/pipelines'), [{ status: 'failed' }, { status: 'success' }])
  t.match(await get('/commits'), [{ title: /percent/ }, { title: 'Add a fuel gauge' }])
  const compare = (query: string) => as('ada')('GET', `${P}/repository/compare?${query}`)
  const three = (await compare('from=main&to=fix%2Fcountdown-drift')).data
  const two = (await compare('from=main&to=fix%2Fcountdown-drift&straight=true')).data
  t.strictSame([three.diffs.length, three.commits.length, three.compare_same_ref], [1, 1, false])
  t.ok(two.diffs.length > 1, 'two dots also show what the branch lacks')
  t.equal((await compare('from=main&to=nope')).data.message, '404 Ref Not Found')
})

t.test('approvals follow who may approve, the head and the password', async t => {
  const { as } = await sandbox(t)
  const approve = (path: string, who: string, body?: unknown) => as(who)('POST', `${path}/approve`, body)
  const M = `${MRS}/3`
  t.equal((await approve(M, 'linus')).status, 401, 'not one’s own')
  t.equal((await approve(M, 'grace')).status, 403)
  t.equal((await approve(M, 'ada', { sha: 'a'.repeat(40) })).status, 409)
  t.equal((await as('ada')('POST', `${M}/unapprove`)).status, 404)
  t.match(await approve(M, 'ada'), {
    status: 201,
    data: { approved: true, approved_by: [{ user: { username: 'ada' } }], approvals_left: 0 }
  })
  t.equal((await approve(M, 'ada')).status, 401, 'not twice')
  t.match((await as('ada')('GET', `${M}/approval_state`)).data, {
    rules: [{ approved: true, approved_by: [{ username: 'ada' }] }]
  })
  t.match(await as('ada')('POST', `${M}/unapprove`), {
    status: 201,
    data: { approved: false, approvals_left: 1 }
  })
  const site = '/projects/42/merge_requests/1'
  t.equal((await approve(site, 'linus')).status, 401, 'a password is asked for')
  t.equal((await approve(site, 'linus', { approval_password: 'correct horse battery staple' })).status, 201)
  const free = await sandbox(t, { edition: 'ce' })
  t.equal((await free.as('ada')('GET', `${M}/approval_state`)).status, 404)
  t.same(Object.keys((await free.as('ada')('GET', `${M}/approvals`)).data), [
    'user_has_approved',
    'user_can_approve',
    'approved',
    'approved_by'
  ])
})

t.test('a rule is met by those it names, and what it lacks keeps from merging', async t => {
  const { as } = await sandbox(t)
  const M = `${MRS}/6`
  const rule = (parts: object) =>
    as('ada')('POST', `${M}/approval_rules`, { approvals_required: 1, ...parts })
  t.match((await as('ada')('GET', `${M}/approvals`)).data, { approved: true, approvals_left: 0 })
  t.equal((await rule({ name: 'Owner', user_ids: [1] })).status, 201)
  t.match((await as('ada')('GET', `${M}/approval_state`)).data.rules, [
    { name: 'Developers', approved: true, approved_by: [{ username: 'ada' }] },
    { name: 'Owner', approved: false, approved_by: [], eligible_approvers: [{ username: 'margaret' }] }
  ])
  t.match((await as('ada')('GET', `${M}/approvals`)).data, {
    approved: false,
    approvals_required: 2,
    approvals_left: 1
  })
  t.equal((await as('ada')('GET', M)).data.detailed_merge_status, 'not_approved')
  t.equal((await as('ada')('PUT', `${M}/merge`)).status, 405)
  await rule({ name: 'Group', group_ids: [7] })
  await rule({ name: 'Nobody' })
  await as('margaret')('POST', `${M}/approve`)
  t.match((await as('ada')('GET', `${M}/approval_state`)).data.rules, [
    {},
    { name: 'Owner', approved: true, approved_by: [{ username: 'margaret' }] },
    { name: 'Group', approved: true, approved_by: [{ username: 'ada' }, { username: 'margaret' }] },
    { name: 'Nobody', approved: true, approved_by: [] }
  ])
  t.match((await as('ada')('PUT', `${M}/merge`)).data, { state: 'merged' })
})

t.test('branches are searched with anchors', async t => {
  const { as } = await sandbox(t)
  const names = async (search: string) =>
    (
      (await as('linus')('GET', `${P}/repository/branches?search=${encodeURIComponent(search)}`)).data as {
        name: string
      }[]
    ).map(({ name }) => name)
  t.strictSame(await names('^fix'), ['fix/countdown-drift'])
  t.strictSame(await names('gauge$'), ['feature/fuel-gauge'])
  t.strictSame(await names('a'), [
    'docs/launch-checklist',
    'feature/fuel-gauge',
    'feature/telemetry-batching',
    'main',
    'release/1.4',
    'spike/guidance'
  ])
  t.match((await as('linus')('GET', `${P}/repository/branches/main`)).data, {
    can_push: false,
    commit: { id: /^\w{40}$/ }
  })
})

t.test('who may merge is the same wherever it is told', async t => {
  const { as } = await sandbox(t)
  const told = async (who: string) => [
    (await as(who)('GET', `${P}/repository/branches/main`)).data.developers_can_merge,
    (await as(who)('GET', `${MRS}/6`)).data.user.can_merge,
    (await as(who)('PUT', `${MRS}/6/merge`, { sha: '0'.repeat(40) })).status !== 401
  ]
  const [rule] = (await as('ada')('GET', `${P}/protected_branches`)).data
  t.match(rule, { name: 'main', merge_access_levels: [{ access_level: 30 }] })
  t.strictSame(await told('linus'), [true, true, true], 'a developer')
  await as('ada')('DELETE', `${P}/protected_branches/main`)
  await as('ada')('POST', `${P}/protected_branches`, { name: 'main', merge_access_level: 40 })
  t.strictSame(await told('linus'), [false, false, false], 'where maintainers alone merge')
})

t.test('what comes from a fork has its commits and changes, and is merged', async t => {
  const { forge, as } = await sandbox(t)
  const linus = as('linus')
  const { data: fork } = await linus('POST', `${P}/fork`, {})
  const { id } = fork as { id: number }
  const commit = (branch: string, content: string, more = {}) =>
    linus('POST', `/projects/${id}/repository/commits`, {
      branch,
      commit_message: content,
      actions: [{ action: 'create', file_path: `${content}.md`, content }],
      ...more
    })
  t.equal((await commit('words', 'one', { start_branch: 'main' })).status, 201)
  const parts = { source_branch: 'words', target_branch: 'main', title: 'Words', target_project_id: 41 }
  t.match((await linus('POST', `/projects/${id}/merge_requests`, parts)).data, { iid: 7, project_id: 41 })
  t.equal((await commit('words', 'two')).status, 201)
  const request = `${MRS}/7`
  t.match((await as('ada')('GET', request)).data, { changes_count: '2' })
  t.match((await as('ada')('GET', `${request}/commits`)).data, [{ title: 'two' }, { title: 'one' }])
  t.match((await as('ada')('GET', `${request}/diffs`)).data, [{ new_path: 'one.md' }, { new_path: 'two.md' }])
  await as('ada')('POST', `${request}/approve`)
  t.match((await as('ada')('PUT', `${request}/merge`)).data, { state: 'merged' })
  t.equal((await as('ada')('GET', `${P}/repository/files/two.md?ref=main`)).status, 200)
  t.equal(
    (await linus('GET', `/projects/${id}/repository/files/two.md?ref=main`)).status,
    404,
    'the fork stays'
  )
  t.strictSame(forge.violations, [])
})
