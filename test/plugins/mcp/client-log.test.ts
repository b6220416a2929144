import t from 'tap'
import { hostileForge } from '../../support/hostile-forge.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { call, initialize, post, request, testServer } from '../../support/server.ts'

const accept = 'application/json, text/event-stream'
const branches = { name: 'list_branches', arguments: { project_id: '1' } }
const logLevel = 'io.modelcontextprotocol/logLevel'

/** The log messages of an answer, and its last message. */
function read(response: { headers: Record<string, unknown>; body: string }) {
  const all = String(response.headers['content-type']).startsWith('text/event-stream')
    ? [...response.body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
    : [JSON.parse(response.body)]
  return { logged: all.slice(0, -1), answer: all.at(-1) }
}

t.test('a person is told what the engine did, by the level of the session', async t => {
  let failures = 1
  const forge = await hostileForge(t, (_request, response) => {
    response.setHeader('content-type', 'application/json')
    if (failures-- > 0) response.writeHead(503, { 'retry-after': '0' }).end('{}')
    else
      response.end(
        JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ name: `branch ${id}`.padEnd(300) })))
      )
  })
  const server = await testServer(t, { FORGE_API_URL: forge.origin, FORGE_MAX_RESULT_CHARS: '5000' })
  const opened = await post(server, { body: initialize() })
  t.match(opened.json(), { result: { capabilities: { logging: {} } } })
  const headers = { accept, 'mcp-session-id': opened.headers['mcp-session-id'] as string }
  const send = async (body: unknown) => read(await post(server, { headers, body }))
  const level = (level: unknown) => send(request('logging/setLevel', { level }))

  t.test('a progress token that is none is told, as nothing else says why no progress comes', async t => {
    await level('warning')
    t.teardown(() => level('emergency'))
    const calls = [1.5, 'p'].map(progressToken =>
      send(request('tools/call', { ...branches, _meta: { progressToken } }))
    )
    const [bad, good] = await Promise.all(calls)
    t.match(bad!.logged, [{ params: { level: 'warning', data: /^progressToken was ignored/ } }])
    t.same(good!.logged, [])
  })

  t.test('nobody is told anything without asking', async t => {
    failures = 1
    t.same((await send(call(branches.name, branches.arguments))).logged, [])
  })

  t.test('a retry and a cut are notices', async t => {
    t.match((await level('info')).answer, { result: {} })
    failures = 1
    const { logged, answer } = await send(call(branches.name, branches.arguments))
    t.match(logged, [
      {
        method: 'notifications/message',
        params: {
          level: 'notice',
          logger: 'forge-tool-server',
          data: /^The forge answered 503; it is asked again in /
        }
      },
      { params: { level: 'notice', data: /^Result cut at 5000 characters/ } }
    ])
    t.match(answer, { id: 1, result: { content: [{ type: 'text' }] } })
  })

  t.test('a higher level hears less', async t => {
    await level('warning')
    failures = 1
    t.same((await send(call(branches.name, branches.arguments))).logged, [])
  })

  t.test('a level that is none is refused', async t => {
    for (const wrong of ['loud', 3, undefined])
      t.match((await level(wrong)).answer, { error: { code: -32602, message: /one of debug, info/ } })
  })

  t.test('on 2026-07-28 the level is the request’s', async t => {
    const modern = async (meta: object) =>
      read(
        await post(server, {
          headers: { accept, ...modernHeaders('tools/call', branches.name), 'mcp-param-project-id': '1' },
          body: modernRequest('tools/call', branches, meta)
        })
      )
    failures = 0
    t.same((await modern({})).logged, [])
    t.match((await modern({ [logLevel]: 'debug' })).logged, [{ params: { data: /^Result cut/ } }])
    t.match((await modern({ [logLevel]: 'loud' })).answer, { error: { code: -32602 } })
  })
})

t.test('in stateless mode the level travels in the session id', async t => {
  const { secretOf } = await import('../../support/sealing.ts')
  const server = await testServer(t, {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secretOf('one')
  })
  const sid = (await post(server, { body: initialize() })).headers['mcp-session-id'] as string
  const set = await post(server, {
    headers: { 'mcp-session-id': sid },
    body: request('logging/setLevel', { level: 'error' })
  })
  t.equal(server.sessions.open(set.headers['mcp-session-id'] as string)?.logLevel, 'error')
})

t.test('that another forge was asked than was named is a warning', async t => {
  const server = await testServer(t, { ENABLE_DYNAMIC_API_URL: 'true' })
  const response = await post(server, {
    headers: {
      accept,
      ...modernHeaders('tools/call', branches.name),
      'mcp-param-project-id': '1',
      'x-forge-api-url': 'no url'
    },
    body: modernRequest('tools/call', branches, { [logLevel]: 'warning' })
  })
  t.match(read(response).logged, [
    { params: { level: 'warning', data: /^X-Forge-API-URL is no URL of a forge/ } }
  ])
})
