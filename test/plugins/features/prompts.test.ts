import t from 'tap'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { initialize, post, request, testServer } from '../../support/server.ts'

const mr = { project_id: 'acme/rocket', merge_request_iid: '7' }

t.test('prompts are declared, listed and given in sessions', async t => {
  const server = await testServer(t)
  const begun = await post(server, { body: initialize() })
  t.same(begun.json().result.capabilities.prompts, { listChanged: true })
  const headers = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
  const ask = async (method: string, params?: object) =>
    (await post(server, { headers, body: request(method, params) })).json()
  const { prompts } = (await ask('prompts/list')).result
  t.same(
    prompts.map(({ name }: { name: string }) => name),
    [
      'whats_next',
      'review_merge_request',
      'fix_failed_pipeline',
      'triage_issues',
      'write_release_notes',
      'onboard_to_project'
    ]
  )
  t.match(prompts[1], {
    title: 'Review a merge request',
    arguments: [{ name: 'project_id', required: true }]
  })
  const { result } = await ask('prompts/get', { name: 'review_merge_request', arguments: mr })
  t.match(result, {
    description: /^Reviews/,
    messages: [{ role: 'user', content: { type: 'text', text: /^Review merge request !7 of project acme/ } }]
  })
  t.equal(result.messages.length, 1)
})

t.test('what is wrong with a request of a prompt is -32602, with what to do', async t => {
  const server = await testServer(t)
  for (const [params, message] of [
    [{}, 'prompts/get needs name, a string.'],
    [{ name: { toString: 1, valueOf: 1 }, project_id: 'a/b' }, 'prompts/get needs name, a string.'],
    [{ name: 'deploy' }, /^Unknown prompt: deploy\. There are whats_next, /],
    [
      { name: 'review_merge_request', arguments: { ...mr, merge_request_iid: '' } },
      /merge_request_iid is required/
    ],
    [{ name: 'review_merge_request', ...mr }, /^project_id belongs in params\.arguments/],
    [{ name: 'review_merge_request', input: mr }, /^What is in params\.input belongs in params\.arguments/],
    [{ name: 'whats_next', arguments: 'now' }, 'arguments must be an object of strings.']
  ] as const) {
    const { error } = (await post(server, { body: request('prompts/get', params) })).json()
    t.match(error, { code: -32602, message })
  }
  const { error } = (await post(server, { body: request('prompts/list', { cursor: 'x' }) })).json()
  t.match(error, { code: -32602, message: /Unknown cursor/ })
})

t.test('arguments that are null are none, as those of tools', async t => {
  const server = await testServer(t)
  const get = async (name: string) =>
    (await post(server, { body: request('prompts/get', { name, arguments: null }) })).json()
  t.match((await get('whats_next')).result.messages, [{ role: 'user' }])
  t.match((await get('review_merge_request')).error, { code: -32602, message: /project_id is required/ })
})

t.test('2026-07-28 has them with cache hints, and their name in a header', async t => {
  const server = await testServer(t)
  const ask = async (method: string, params: object, name?: string) =>
    post(server, { headers: modernHeaders(method, name), body: modernRequest(method, params) })
  const list = (await ask('prompts/list', {})).json().result
  t.match(list, { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' })
  t.equal(list.prompts.length, 6)
  const got = (await ask('prompts/get', { name: 'whats_next' }, 'whats_next')).json().result
  t.match(got, { resultType: 'complete', messages: [{ content: { text: /whats_on_my_plate/ } }] })
  t.notOk('ttlMs' in got)
  for (const other of [undefined, 'review_merge_request']) {
    const refused = await ask('prompts/get', { name: 'whats_next' }, other)
    t.equal(refused.statusCode, 400)
    t.match(refused.json().error, { code: -32020, message: /Mcp-Name/ })
  }
  const found = (await ask('server/discover', {})).json().result
  t.same(found.capabilities.prompts, { listChanged: true })
})

t.test('headers that narrow a caller narrow its prompts', async t => {
  const server = await testServer(t)
  const ask = async (method: string, params: object, headers: Record<string, string>) =>
    (await post(server, { headers, body: request(method, params) })).json()
  const { result } = await ask('prompts/list', {}, { 'x-forge-toolsets': 'issues' })
  t.same(
    result.prompts.map(({ name }: { name: string }) => name),
    ['whats_next', 'triage_issues']
  )
  const kept = await ask(
    'prompts/get',
    { name: 'triage_issues', arguments: { project_id: '1' } },
    { 'x-forge-readonly': 'true' }
  )
  t.notMatch(kept.result.messages[0].content.text, 'update_issue')
})

t.test('switched off, prompts are neither declared nor served, in either era', async t => {
  const server = await testServer(t, { FORGE_PROMPTS: 'false' })
  t.notOk('prompts' in (await post(server, { body: initialize() })).json().result.capabilities)
  const says = async (method: string) => (await post(server, { body: request(method) })).json().error
  t.same(await says('prompts/list'), {
    code: -32601,
    message: 'Unknown method: prompts/list. What it is about is switched off on this server.'
  })
  t.equal(
    (await says('prompt/get')).message,
    'Unknown method: prompt/get',
    'it is suggested by no other name'
  )
  const modern = await post(server, {
    headers: modernHeaders('prompts/list'),
    body: modernRequest('prompts/list')
  })
  t.equal(modern.statusCode, 404)
  t.match(modern.json().error, { code: -32601 })
})

t.test('requests of prompts are counted by method', async t => {
  const server = await testServer(t)
  await post(server, { body: request('prompts/list') })
  await post(server, { body: request('prompts/get', { name: 'x' }) })
  const { samples } = server.metrics.operations.read()
  const counted = samples
    .filter(({ metricName }) => metricName?.endsWith('_count'))
    .map(({ labels, value }) => [labels.mcp_method, labels.outcome, value])
  t.match(counted, [
    ['prompts/list', 'ok', 1],
    ['prompts/get', 'rpc_error', 1]
  ])
})
