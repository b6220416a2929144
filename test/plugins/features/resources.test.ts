import type { Test } from 'tap'
import { captureLog } from '../../support/log.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { nock, scripted } from '../../support/nock.ts'
import { initialize, post, request, testServer } from '../../support/server.ts'

const forge = 'https://forge.example'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64'
)

async function scene(t: Test, settings: Record<string, string> = {}) {
  const server = await testServer(t, { FORGE_API_URL: forge, ...settings })
  const ask = async (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    (await post(server, { headers, body: request(method, params) })).json()
  const read = async (uri: string) => ask('resources/read', { uri })
  const modern = async (method: string, params: object, name?: string) =>
    (await post(server, { headers: modernHeaders(method, name), body: modernRequest(method, params) })).json()
  return { server, ask, read, modern }
}

const raw = (path: string) => `/api/v4/projects/acme%2Frocket/repository/files/${path}/raw`

scripted('resources are declared, and listed as one thing or as a form of URIs', async t => {
  const { server, ask } = await scene(t)
  const { capabilities } = (await post(server, { body: initialize() })).json().result
  t.same(capabilities.resources, { listChanged: true })
  t.match((await ask('resources/list')).result, {
    resources: [{ uri: 'forge://me/plate', name: 'plate', mimeType: 'application/json' }]
  })
  const { resourceTemplates } = (await ask('resources/templates/list')).result
  t.match(resourceTemplates[0], {
    uriTemplate: 'forge://projects/{project_id}/files/{ref}/{+path}',
    name: 'file',
    title: 'File'
  })
  t.match((await ask('resources/list', { cursor: 'x' })).error, { code: -32602 })
})

scripted('a file comes as its text and nothing else, of a project and a ref with slashes', async t => {
  const { read } = await scene(t)
  nock(forge)
    .get(raw('docs%2Fguide%2Emd'))
    .query({ ref: 'feature/new' })
    .reply(200, '# Guide\n', { 'x-gitlab-last-commit-id': 'abc' })
  const uri = 'forge://projects/acme%2Frocket/files/feature%2Fnew/docs/guide.md'
  t.same((await read(uri)).result, { contents: [{ uri, mimeType: 'text/markdown', text: '# Guide\n' }] })
})

scripted('an image comes as its bytes', async t => {
  const { read } = await scene(t)
  nock(forge).get(raw('logo%2Epng')).query({ ref: 'main' }).reply(200, png)
  const uri = 'forge://projects/acme%2Frocket/files/main/logo.png'
  t.same((await read(uri)).result, {
    contents: [{ uri, mimeType: 'image/png', blob: png.toString('base64') }]
  })
})

scripted('what is cut says so under a URI of its own, and what cannot be shown is an error', async t => {
  const { read } = await scene(t, { FORGE_MAX_RESULT_CHARS: '1000' })
  nock(forge).get(raw('long')).query({ ref: 'main' }).reply(200, 'line\n'.repeat(1000))
  const uri = 'forge://projects/acme%2Frocket/files/main/long'
  const [text, notice] = (await read(uri)).result.contents
  t.ok(text.text.length <= 1000)
  t.match(notice, { uri: `${uri}#notice`, mimeType: 'text/plain', text: /start_line/ })
  nock(forge)
    .get(raw('a%2Ezip'))
    .query({ ref: 'main' })
    .reply(200, Buffer.from([80, 75, 3, 4, 0, 0, 0]))
  const { error } = await read('forge://projects/acme%2Frocket/files/main/a.zip')
  t.match(error, { code: -32602, message: /not text/ })
})

scripted('records come as JSON, compacted as results are', async t => {
  const { read } = await scene(t)
  for (const [uri, path] of [
    ['forge://projects/8/issues/7', '/projects/8/issues/7'],
    ['forge://projects/8/merge_requests/7', '/projects/8/merge_requests/7'],
    ['forge://projects/8/pipelines/7', '/projects/8/pipelines/7']
  ] as const) {
    nock(forge).get(`/api/v4${path}`).query(true).reply(200, { id: 1, iid: 7, title: 'T', closed_at: null })
    const { contents } = (await read(uri)).result
    t.match(contents, [{ uri, mimeType: 'application/json' }])
    t.match(JSON.parse(contents[0].text), { iid: 7 })
    t.notMatch(contents[0].text, 'closed_at')
  }
})

scripted('logs and wiki pages come as text', async t => {
  const { read } = await scene(t)
  nock(forge).get('/api/v4/projects/8/jobs/5/trace').reply(200, 'one\ntwo\n')
  t.match((await read('forge://projects/8/jobs/5/log')).result.contents, [
    { mimeType: 'text/plain', text: 'one\ntwo' }
  ])
  nock(forge)
    .get('/api/v4/projects/8/wikis/docs%2Fsetup')
    .reply(200, { slug: 'docs/setup', format: 'markdown', content: 'Do this.' })
  t.match((await read('forge://projects/8/wikis/docs/setup')).result.contents, [
    { mimeType: 'text/markdown', text: 'Do this.' }
  ])
})

scripted('the diff of one file is read by its path', async t => {
  const { read } = await scene(t)
  const reply = [{ old_path: 'a b.ts', new_path: 'a b.ts', diff: '@@ -1 +1 @@\n-x\n+y\n' }]
  nock(forge).get('/api/v4/projects/8/merge_requests/7/diffs').query(true).twice().reply(200, reply)
  const { contents } = (await read('forge://projects/8/merge_requests/7/diffs/a%20b.ts')).result
  t.match(JSON.parse(contents[0].text), [{ new_path: 'a b.ts', diff: /\+1\|y/ }])
  const { error } = await read('forge://projects/8/merge_requests/7/diffs/c.ts')
  t.match(error, { message: /Not changed by this merge request/ })
})

scripted('what is not there has the code of its era, and says which URI', async t => {
  const { read, modern } = await scene(t)
  for (const uri of [
    'forge://projects/acme/rocket/issues/7',
    'file:///etc/passwd',
    `forge://${'x'.repeat(9000)}`
  ]) {
    t.match((await read(uri)).error, {
      code: -32002,
      message: /^Unknown resource.*%2F/,
      data: { uri: uri.slice(0, 2000) }
    })
    if (uri.length < 1000)
      t.match((await modern('resources/read', { uri }, uri)).error, { code: -32602, data: { uri } })
  }
  nock(forge).get('/api/v4/projects/8/issues/7').reply(404, { message: '404 Not found' })
  t.match((await read('forge://projects/8/issues/7')).error, {
    code: -32002,
    message: /^The forge answered 404/
  })
  nock(forge).get('/api/v4/projects/8/issues/7').reply(403, {})
  t.match((await read('forge://projects/8/issues/7')).error, { code: -32603, message: /403 Forbidden/ })
  t.match((await read('forge://projects/8/issues/seven')).error, { code: -32602, message: /issue_iid/ })
  t.match((await read('forge://projects/8/files/main/..%2F..%2Fx')).error, {
    code: -32602,
    message: /"\.\."/
  })
  const { error } = await read(7 as unknown as string)
  t.match(error, { code: -32602, message: 'resources/read needs uri, a string.' })
})

scripted('the policy of tools is that of resources, in lists and reads alike', async t => {
  const { ask, read } = await scene(t, {
    FORGE_ALLOWED_PROJECT_IDS: '8',
    FORGE_DENIED_TOOLS_REGEX: '^get_pipeline$'
  })
  t.same((await ask('resources/list')).result.resources, [])
  const names = async (headers: Record<string, string> = {}) =>
    (await ask('resources/templates/list', {}, headers)).result.resourceTemplates.map(
      ({ name }: { name: string }) => name
    )
  t.notOk((await names()).includes('pipeline'))
  t.same(await names({ 'x-forge-toolsets': 'issues' }), ['issue'])
  t.match((await read('forge://projects/8/pipelines/1')).error, { code: -32602, message: /switched off/ })
  t.match((await read('forge://projects/9/issues/7')).error, { code: -32602, message: /not served here/ })
  t.match((await read('forge://groups/9/wikis/home')).error, {
    code: -32602,
    message: /project_id is required/
  })
})

scripted('2026-07-28 has cache hints: what is read is stale at once', async t => {
  const { modern } = await scene(t)
  for (const method of ['resources/list', 'resources/templates/list'])
    t.match((await modern(method, {})).result, {
      resultType: 'complete',
      ttlMs: 60_000,
      cacheScope: 'private'
    })
  nock(forge).get('/api/v4/projects/8/issues/7').reply(200, { iid: 7 })
  const uri = 'forge://projects/8/issues/7'
  t.match((await modern('resources/read', { uri }, uri)).result, {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    contents: [{ text: '{"iid":7}' }]
  })
  t.match((await modern('resources/read', { uri }, 'forge://projects/9/issues/7')).error, {
    code: -32020,
    message: /Mcp-Name.*params\.uri/
  })
})

scripted('a read has its audit line and is counted, under the tool that it ran', async t => {
  const log = captureLog()
  const server = await testServer(t, { FORGE_API_URL: forge, LOG_LEVEL: 'info' }, log.stream)
  nock(forge).get('/api/v4/projects/8/issues/7').reply(200, { iid: 7 })
  await post(server, { body: request('resources/read', { uri: 'forge://projects/8/issues/7' }) })
  await post(server, { body: request('resources/read', { uri: 'x:y' }) })
  t.match(log.lines('tool call'), [
    { method: 'resources/read', tool: 'get_issue', class: 'read', project: '8', outcome: 'ok' }
  ])
  const counted = server.metrics.operations
    .read()
    .samples.filter(({ metricName }) => metricName?.endsWith('_count'))
    .map(({ labels }) => [labels.mcp_method, labels.tool, labels.outcome])
  t.same(counted, [
    ['resources/read', 'get_issue', 'ok'],
    ['resources/read', '', 'rpc_error']
  ])
})

scripted('switched off, resources are neither declared nor served', async t => {
  const { server, ask, read } = await scene(t, { FORGE_RESOURCES: 'false' })
  t.notOk('resources' in (await post(server, { body: initialize() })).json().result.capabilities)
  for (const method of ['resources/list', 'resources/templates/list'])
    t.match((await ask(method)).error, { code: -32601 })
  t.match((await read('forge://projects/8/issues/7')).error, { code: -32601 })
})
