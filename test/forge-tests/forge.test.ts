import t from 'tap'
import { operations, readRequest } from '../forge/contract.ts'
import { startForge } from '../forge/index.ts'
import { handlers } from '../forge/operations/index.ts'
import { listen } from '../support/listen.ts'
import { sandbox } from './client.ts'

t.test('every operation of the contract is done, and nothing else', async t => {
  t.strictSame(Object.keys(handlers).sort(), operations.map(({ operation }) => operation).sort())
})

t.test('credentials count in the header of their kind', async t => {
  const { forge, as } = await sandbox(t)
  const user = (headers: Record<string, string>) => as('')('GET', '/user', undefined, headers)
  t.strictSame((await user({})).data, { message: '401 Unauthorized' })
  t.equal((await user({ 'private-token': 'glpat-wrong000000000000000' })).status, 401)
  t.equal((await user({ authorization: `Bearer ${forge.tokens.ada}` })).data.username, 'ada')
  t.equal(
    (await user({ 'private-token': forge.tokens.job! })).status,
    401,
    'a job token is no personal token'
  )
  t.equal((await as('job')('GET', '/user')).status, 401, 'a job token has no user record')
  t.equal((await as('job')('GET', '/job')).data.user.username, 'ada')
  t.equal(
    (await as('reader')('POST', '/projects/41/issues', { title: 'x' })).data.error,
    'insufficient_scope'
  )
  for (const token of Object.values(forge.tokens)) t.ok(token.length >= 20)
})

t.test('a project is found by id or encoded path, and what one may not see does not exist', async t => {
  const { as } = await sandbox(t)
  t.equal((await as('ada')('GET', '/projects/acme%2Frocket/issues/1')).data.iid, 1)
  t.equal((await as('ada')('GET', '/projects/41/issues/1')).data.iid, 1)
  t.strictSame((await as('edsger')('GET', '/projects/41/issues/1')).data, {
    message: '404 Project Not Found'
  })
  t.equal((await as('grace')('GET', '/projects/42/issues')).status, 404)
  const moved = await as('ada')('GET', '/projects/acme%2Fmissile/issues?state=all')
  t.equal(moved.status, 301)
  t.match(moved.headers.get('location'), /\/api\/v4\/projects\/41\/issues\?state=all$/)
  const changed = await as('ada')('POST', '/projects/acme%2Fmissile/issues', { title: 'x' })
  t.equal(changed.status, 405)
  t.strictSame(changed.data, { message: 'Non GET methods are not allowed for moved projects' })
  t.equal((await as('edsger')('POST', '/projects/acme%2Fmissile/issues', { title: 'x' })).status, 404)
})

t.test('an idle connection stays: one that ended could have just got the next request', async t => {
  for (const origin of [(await sandbox(t)).forge.url, await listen(t, (_, response) => response.end())])
    t.equal((await fetch(origin)).headers.get('keep-alive'), null, 'and is not said to end')
})

t.test('lists are paged with the forge headers', async t => {
  const { as } = await sandbox(t)
  const page = await as('ada')('GET', '/projects/acme%2Frocket/issues?per_page=12&page=2&state=all')
  t.equal(page.data.length, 12)
  t.match(Object.fromEntries(page.headers), {
    'x-page': '2',
    'x-per-page': '12',
    'x-next-page': '3',
    'x-prev-page': '1',
    'x-total': '30',
    'x-total-pages': '3',
    'x-request-id': /\w{20}/,
    link: /<[^>]+acme%2Frocket\/issues\?per_page=12&page=1[^>]*>; rel="prev", .*rel="next", .*rel="first", .*rel="last"/
  })
  const last = await as('ada')('GET', '/projects/41/issues?per_page=12&page=3')
  t.equal(last.headers.get('x-next-page'), '')
})

t.test('a breach of the contract is refused, named and noted', async t => {
  const { forge, as } = await sandbox(t)
  const refused = await as('ada')('PUT', '/projects/acme%2Frocket/merge_requests/3', { draft: true })
  t.equal(refused.status, 400)
  t.match(refused.data.error, /draft is not a declared body key/)
  t.match((await as('ada')('GET', '/projects/41/merge_requests/3/conflicts')).data.error, /no operation GET/)
  t.equal(forge.violations.length, 3, 'an undeclared key, no declared one, an unknown path')
  t.match(forge.requests[0], {
    method: 'PUT',
    path: '/api/v4/projects/acme%2Frocket/merge_requests/3',
    headers: { 'private-token': forge.tokens.ada },
    body: { draft: true },
    operation: 'update_merge_request',
    status: 400
  })
})

t.test('a pattern is one of RE2, and what is none is refused', async t => {
  const { as } = await sandbox(t)
  const branches = (regex: string) =>
    as('ada')('GET', `/projects/41/repository/branches?${new URLSearchParams({ regex })}`)
  for (const regex of ['(', 'a(?!b)', '(.)\\1'])
    t.match(await branches(regex), { status: 400, data: { message: /Regex is invalid/ } }, regex)
  t.match(await branches('(?i)^MAIN$'), { status: 200, data: [{ name: 'main' }] })
})

t.test('a planned fault happens as often as it was asked for', async t => {
  const { forge, as } = await sandbox(t)
  forge.state.faults.push({ match: /GET .*\/user/, times: 1, status: 429, headers: { 'retry-after': '1' } })
  forge.state.faults.push({ match: /\/todos/, times: 1, hangUp: true })
  t.equal((await as('ada')('GET', '/user')).headers.get('retry-after'), '1')
  t.equal((await as('ada')('GET', '/user')).status, 200)
  await t.rejects(as('ada')('GET', '/todos'))
  t.equal((await as('ada')('GET', '/todos')).status, 200)
})

t.test('without sample data there are people and nothing else', async t => {
  const forge = await startForge()
  t.teardown(() => forge.close())
  t.strictSame(Object.keys(forge.tokens), ['margaret', 'ada', 'linus', 'grace', 'edsger', 'reader'])
  t.strictSame(forge.state.projects, [])
})

const P = '/projects/acme%2Frocket'
const M = `${P}/merge_requests/3`
const ISSUE = `${P}/issues/1`

// Reads that between them show every record of the contract once, in full.
const PATHS = [
  '/user',
  '/groups/acme',
  '/merge_requests?scope=all',
  M,
  `${M}?include_diverged_commits_count=true&include_rebase_in_progress=true&render_html=true`,
  `${M}/approvals`,
  `${M}/approval_state`,
  `${M}/approval_rules`,
  `${M}/changes`,
  `${M}/diffs`,
  `${M}/versions`,
  `${M}/versions/703`,
  `${M}/pipelines`,
  `${M}/commits`,
  `${M}/notes?sort=asc`,
  `${M}/discussions`,
  `${M}/award_emoji`,
  '/issues?scope=all',
  ISSUE,
  `${ISSUE}/discussions`,
  `${ISSUE}/links`,
  `${ISSUE}/links/1`,
  `${ISSUE}/award_emoji`,
  '/todos',
  `${P}/repository/branches`,
  `${P}/repository/compare?from=main&to=feature%2Ffuel-gauge`,
  `${P}/pipelines`,
  `${P}/pipelines/1206`,
  `${P}/pipelines/1206/jobs?scope[]=failed`,
  `${P}/pipelines/1200/bridges`,
  `${P}/jobs/8025`,
  `${P}/jobs/8025/artifacts/tree?recursive=true`,
  `${P}/deployments`,
  `${P}/deployments/90`,
  `${P}/environments`,
  `${P}/environments/30`
]

// Fields that the forge shows only on demand, to administrators or in other editions.
const OPTIONAL: Record<string, string[]> = {
  APIEntitiesUserPublic: ['avatar_path', 'custom_attributes'],
  APIEntitiesMergeRequestBasic: ['title_html', 'description_html'],
  APIEntitiesMergeRequest: ['title_html', 'description_html', 'rebase_in_progress', 'diverged_commits_count'],
  APIEntitiesMergeRequestChanges: [
    'title_html',
    'description_html',
    'rebase_in_progress',
    'diverged_commits_count'
  ],
  APIEntitiesNote: ['position', 'resolved', 'resolved_by', 'resolved_at'],
  APIEntitiesTodo: ['group'],
  APIEntitiesCiBridge: ['failure_reason'],
  APIEntitiesCiJobArtifactEntry: ['size'],
  APIEntitiesEnvironment: ['last_deployment']
}

t.test('records have the fields the contract names', async t => {
  const { forge, as } = await sandbox(t)
  for (const path of PATHS) {
    const { status, data } = await as('ada')('GET', path)
    t.equal(status, 200, path)
    const spec = readRequest({ method: 'GET', url: `/api/v4${path}` }).match?.operation.responses['200']
    const record = Array.isArray(data) ? data[0] : data
    const missing = spec?.key_fields.filter(field => !(field in (record ?? {}))) ?? []
    const allowed = path.includes('?include') ? [] : (OPTIONAL[spec?.schema ?? ''] ?? [])
    t.strictSame(
      missing.filter(field => !allowed.includes(field)),
      [],
      `${path}: ${spec?.schema}`
    )
  }
  t.strictSame(forge.violations, [])
})

t.test('a commit needs a message', async t => {
  const { as } = await sandbox(t)
  const body = { branch: 'main', actions: [{ action: 'create', file_path: 'a', content: 'b' }] }
  for (const commit_message of ['', ' ']) {
    const { status, data } = await as('ada')('POST', '/projects/acme%2Frocket/repository/commits', {
      ...body,
      commit_message
    })
    t.same({ status, data }, { status: 400, data: { error: 'commit_message is empty' } })
  }
})
