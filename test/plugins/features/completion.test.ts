import type { Test } from 'tap'
import { completions } from '../../../completions/index.ts'
import { prompts } from '../../../prompts/index.ts'
import { hostileForge } from '../../support/hostile-forge.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { nock, scripted } from '../../support/nock.ts'
import { initialize, OTHER_TOKEN, post, request, taken, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

const forge = 'https://forge.example'
const review = { type: 'ref/prompt', name: 'review_merge_request' }
const file = { type: 'ref/resource', uri: 'forge://projects/{project_id}/files/{ref}/{+path}' }

async function scene(t: Test, settings: Record<string, string> = {}) {
  const server = await testServer(t, { FORGE_API_URL: forge, ...settings })
  const ask = async (params: object, token?: string) =>
    (await post(server, { token, body: request('completion/complete', params) })).json()
  const complete = async (
    ref: object,
    name: string,
    value: string,
    given: Record<string, string> = {},
    token?: string
  ) => (await ask({ ref, argument: { name, value }, context: { arguments: given } }, token)).result.completion
  return { server, ask, complete }
}

const mine = (search?: string) =>
  nock(forge)
    .get('/api/v4/projects')
    .query(
      query =>
        query.membership === 'true' &&
        query.search === search &&
        query.search_namespaces === (search && 'true')
    )

scripted('what completes is declared where there is something to complete', async t => {
  const declared = async (settings: Record<string, string>) => {
    const { server } = await scene(t, settings)
    return (await post(server, { body: initialize() })).json().result.capabilities.completions
  }
  t.same(await declared({}), {})
  t.same(await declared({ FORGE_PROMPTS: 'false' }), {})
  t.equal(await declared({ FORGE_PROMPTS: 'false', FORGE_RESOURCES: 'false' }), undefined)
  const { ask } = await scene(t, { FORGE_PROMPTS: 'false', FORGE_RESOURCES: 'false' })
  t.match((await ask({})).error, { code: -32601 })
})

scripted('what was filled in before and stands in another place is told where it belongs', async t => {
  const { ask } = await scene(t)
  const asked = { ref: file, argument: { name: 'ref', value: '' } }
  for (const context of [{ project_id: 'acme/rocket' }, { arguments: 'acme/rocket' }, 'acme/rocket', []])
    t.match(await ask({ ...asked, context }), {
      error: { code: -32602, message: /belongs in context\.arguments/ }
    })
  for (const context of [undefined, null, {}, { arguments: null }])
    t.same((await ask({ ...asked, context })).result.completion.values, [])
})

scripted('projects come by path, and what is typed on is found in what is known', async t => {
  const { complete } = await scene(t)
  const list = ['acme/rocket', 'acme/rover', 'other/rock'].map(path => ({ path_with_namespace: path }))
  mine('/ro').reply(200, list)
  t.same(await complete(review, 'project_id', '/ro'), {
    values: ['acme/rocket', 'acme/rover', 'other/rock'],
    hasMore: false
  })
  t.same((await complete(review, 'project_id', '/rock')).values, ['acme/rocket', 'other/rock'])
  t.same((await complete(file, 'project_id', '/rocke')).values, ['acme/rocket'])
  mine('/ro').reply(200, [])
  t.same(
    (await complete(review, 'project_id', '/ro', {}, OTHER_TOKEN)).values,
    [],
    'each caller asks for itself'
  )
})

scripted('a list that goes on is asked again for what is narrower, and says that it goes on', async t => {
  const { complete } = await scene(t)
  mine().reply(200, [{ path_with_namespace: 'a/b' }], { 'x-next-page': '2' })
  t.same(await complete(review, 'project_id', ''), { values: ['a/b'], hasMore: true })
  mine('a/c').reply(200, [{ path_with_namespace: 'a/c' }])
  t.same(await complete(review, 'project_id', 'a/c'), { values: ['a/c'], hasMore: false })
})

scripted('a project is found by its group too, letter by letter', async t => {
  const { complete } = await scene(t)
  const list = ['acme/rocket', 'acme/website'].map(path => ({ path_with_namespace: path }))
  const next = { 'x-next-page': '2' }
  // A forge takes fewer than three characters for a whole name.
  mine().reply(200, [...list, { path_with_namespace: 'other/rock' }], next)
  for (const typed of ['a', 'ac'])
    t.same(await complete(review, 'project_id', typed), {
      values: ['acme/rocket', 'acme/website'],
      hasMore: true
    })
  mine('acm').reply(200, list)
  t.same((await complete(review, 'project_id', 'acm')).values, ['acme/rocket', 'acme/website'])
  for (const typed of ['acme/r', 'acme/rocket'])
    t.same((await complete(review, 'project_id', typed)).values, ['acme/rocket'])
})

scripted('merge requests come by number, with their titles where a prompt takes them', async t => {
  const { complete } = await scene(t)
  const of = { project_id: 'acme/rocket' }
  nock(forge)
    .get('/api/v4/projects/acme%2Frocket/merge_requests')
    .query(query => query.state === 'opened' && query.search === undefined)
    .reply(200, [
      { iid: 12, title: 'Fix login' },
      { iid: 7, title: 'Add fins' }
    ])
  t.same((await complete(review, 'merge_request_iid', '1', of)).values, ['12 Fix login'])
  t.same((await complete(review, 'merge_request_iid', 'fins', of)).values, ['7 Add fins'])
  const uri = 'forge://projects/{project_id}/merge_requests/{merge_request_iid}'
  t.same((await complete({ type: 'ref/resource', uri }, 'merge_request_iid', '', of)).values, ['12', '7'])
  t.same(await complete(review, 'merge_request_iid', ''), { values: [], hasMore: false }, 'of no project yet')
})

scripted('branches, tags, labels and files come by name', async t => {
  const { complete } = await scene(t)
  const of = { project_id: '8', ref: 'main' }
  const notes = { type: 'ref/prompt', name: 'write_release_notes' }
  nock(forge)
    .get('/api/v4/projects/8/repository/branches')
    .query(true)
    .reply(200, [{ name: 'feature/a' }])
  t.same((await complete(file, 'ref', 'fea', of)).values, ['feature/a'])
  nock(forge)
    .get('/api/v4/projects/8/repository/tags')
    .query(true)
    .reply(200, [{ name: 'v1' }])
  t.same((await complete(notes, 'from', 'v', of)).values, ['v1'])
  nock(forge)
    .get('/api/v4/projects/8/labels')
    .query(true)
    .reply(200, [{ name: 'bug', id: 1 }])
  t.same((await complete({ type: 'ref/prompt', name: 'triage_issues' }, 'label', 'b', of)).values, ['bug'])
  nock(forge)
    .get('/api/v4/projects/8/repository/tree')
    .query(query => query.path === 'src' && query.ref === 'main')
    .reply(200, [
      { path: 'src/a.ts', name: 'a.ts', type: 'blob' },
      { path: 'src/app', name: 'app', type: 'tree' }
    ])
  t.same((await complete(file, 'path', 'src/a', of)).values, ['src/a.ts', 'src/app/'])
  t.same((await complete(file, 'path', 'src/ap', of)).values, ['src/app/'])
})

scripted('a directory is asked for also when the one above it is known as a whole', async t => {
  const { complete } = await scene(t)
  const of = { project_id: 'acme/rocket', ref: 'main' }
  const above = [
    { path: 'src', name: 'src', type: 'tree' },
    { path: 'Src', name: 'Src', type: 'tree' }
  ]
  const tree = (path: string | undefined, list: object[]) =>
    nock(forge)
      .get('/api/v4/projects/acme%2Frocket/repository/tree')
      .query(query => query.path === path)
      .reply(200, list)
  tree(undefined, above)
  tree('src', [{ path: 'src/a.ts', name: 'a.ts', type: 'blob' }])
  tree('Src', [{ path: 'Src/b.ts', name: 'b.ts', type: 'blob' }])
  t.same((await complete(file, 'path', '', of)).values, ['src/', 'Src/'])
  t.same((await complete(file, 'path', 'src/', of)).values, ['src/a.ts'])
  t.same((await complete(file, 'path', 'Src/', of)).values, ['Src/b.ts'])
  t.same((await complete(file, 'path', 's', of)).values, ['src/', 'Src/'])
})

scripted('what nothing completes has no values', async t => {
  const { complete } = await scene(t)
  t.same(await complete(review, 'focus', 'sec'), { values: [], hasMore: false })
})

scripted('a failure is no suggestion, and is not asked for again at once', async t => {
  const { complete } = await scene(t)
  nock(forge).get('/api/v4/projects/8/repository/branches').query(true).reply(403, {})
  const of = { project_id: '8' }
  t.same((await complete(file, 'ref', '', of)).values, [])
  t.same((await complete(file, 'ref', 'm', of)).values, [])
  t.same((await complete(file, 'ref', 'm', { project_id: '../8' })).values, [])
})

scripted('a forge that does not answer is waited for three seconds, and its request ended', async t => {
  const silent = await hostileForge(t, () => undefined)
  const { complete } = await scene(t, { FORGE_API_URL: silent.origin })
  nock.enableNetConnect('127.0.0.1')
  const started = performance.now()
  t.same((await complete(file, 'ref', '', { project_id: '8' })).values, [])
  t.ok(performance.now() - started > 2_900)
  await until(() => silent.open === 0)
  t.equal(silent.open, 0)
})

scripted('a caller has one question at a time at the forge', async t => {
  const { complete } = await scene(t)
  mine('aaa')
    .delay(100)
    .reply(200, [{ path_with_namespace: 'aaa/a' }])
  mine('bbb')
    .delay(100)
    .reply(200, [{ path_with_namespace: 'bbb/b' }])
  const all = await Promise.all(
    ['aaa', 'bbb', 'ccc', 'ddd'].map(typed => complete(review, 'project_id', typed))
  )
  t.same(
    all.map(({ values }) => values),
    [['aaa/a'], ['bbb/b'], [], []]
  )
  t.match(all[3], { hasMore: true })
})

scripted('the policy of tools is that of suggestions', async t => {
  const { server, complete, ask } = await scene(t, {
    FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket,acme/rover',
    FORGE_DENIED_TOOLS_REGEX: '^(list_branches|diagnose_pipeline)$'
  })
  taken(server)
  t.same((await complete(review, 'project_id', 'rov')).values, ['acme/rover'])
  t.same((await complete(file, 'ref', '', { project_id: 'acme/rocket' })).values, [])
  t.same((await complete(review, 'merge_request_iid', '', { project_id: 'acme/other' })).values, [])
  t.match(
    (
      await ask({
        ref: { type: 'ref/prompt', name: 'fix_failed_pipeline' },
        argument: { name: 'ref', value: '' }
      })
    ).error,
    { code: -32602, message: /diagnose_pipeline/ }
  )
})

scripted('what is no argument of anything is told so', async t => {
  const { ask } = await scene(t)
  const argument = { name: 'project_id', value: '' }
  for (const [params, message] of [
    [{ argument }, /needs ref/],
    [{ ref: review }, /needs argument/],
    [{ ref: review, argument: { name: 'project_id', value: 7 } }, /two strings/],
    [{ ref: { type: 'ref/prompt', name: 'x' }, argument }, /Unknown prompt/],
    [{ ref: { type: 'ref/tool', name: 'x' }, argument }, /^ref must be/],
    [{ ref: { type: 'ref/resource', uri: 'forge://x' }, argument }, /Unknown resource template/],
    [
      { ref: review, argument: { name: 'constructor', value: '' } },
      /Unknown argument "constructor" \(valid: project_id/
    ],
    [{ ref: file, argument: { name: 'iid', value: '' } }, /valid: project_id, ref, path/]
  ] as const)
    t.match((await ask(params)).error, { code: -32602, message })
})

scripted('2026-07-28 has it too, and each is counted once', async t => {
  const { server } = await scene(t)
  mine('rocket').reply(200, [{ path_with_namespace: 'acme/rocket' }])
  for (let times = 0; times < 2; times++) {
    const response = await post(server, {
      headers: modernHeaders('completion/complete'),
      body: modernRequest('completion/complete', {
        ref: review,
        argument: { name: 'project_id', value: 'rocket' }
      })
    })
    t.match(response.json().result, { resultType: 'complete', completion: { values: ['acme/rocket'] } })
  }
  const counted = server.metrics.operations
    .read()
    .samples.filter(({ metricName }) => metricName?.endsWith('_count'))
    .map(({ labels, value }) => [labels.mcp_method, labels.tool, labels.outcome, value])
  t.same(counted, [
    ['completion/complete', 'list_projects', 'ok', 1],
    ['completion/complete', '', 'ok', 1]
  ])
})

scripted(
  'each source lists with a tool that only reads, and has what it names; each is of something',
  async t => {
    const { server } = await scene(t)
    const named = new Set([
      ...prompts.flatMap(row =>
        Object.entries(row.arguments).map(([name, { completedBy }]) => completedBy ?? name)
      ),
      ...(server.resources?.rows ?? []).flatMap(({ uri }) =>
        [...uri.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => name!)
      )
    ])
    for (const { name, tool, given, arguments: argumentsOf } of completions) {
      t.ok(named.has(name), name)
      const found = server.catalog.find(tool)
      t.equal(found?.class, 'read', tool)
      const args = argumentsOf(Object.fromEntries(given.map(name => [name, '1'])), 'a/b')
      t.same(
        Object.keys(args).filter(key => !found?.inputs.has(key)),
        [],
        name
      )
    }
    for (const row of prompts)
      for (const { completedBy } of Object.values(row.arguments))
        t.ok(completedBy === undefined || completions.some(({ name }) => name === completedBy), row.name)
  }
)
