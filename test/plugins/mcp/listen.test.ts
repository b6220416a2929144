import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { MAX_CALL_SECONDS } from '../../../src/base/longest-call.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { post, TOKEN, testServer } from '../../support/server.ts'
import { subscriber } from '../../support/subscription.ts'
import { until } from '../../support/until.ts'

const LISTEN = 'subscriptions/listen'
const subscriptionId = 'io.modelcontextprotocol/subscriptionId'

async function scene(t: Test, settings: Record<string, string> = {}) {
  const server = await testServer(t, settings)
  return { server, ...(await subscriber(t, server)) }
}

t.test('a subscription is acknowledged first, with what can be told, and told of it', async t => {
  const { server, listen } = await scene(t, { FORGE_PROMPTS: 'false' })
  const stream = await listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: ['x:y']
  })
  const params = { _meta: { [subscriptionId]: 'sub' } }
  t.same((await stream.next()).value, {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { ...params, notifications: { toolsListChanged: true } }
  })
  server.mcp.changes.changed('tools')
  t.same((await stream.next()).value, { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params })
  const { result } = (
    await post(server, { headers: modernHeaders('server/discover'), body: modernRequest('server/discover') })
  ).json()
  t.same(result.capabilities.tools, { listChanged: true })
})

t.test('it is told of nothing that was not asked for', async t => {
  const { server, listen } = await scene(t)
  const stream = await listen({ promptsListChanged: true })
  t.match((await stream.next()).value, { params: { notifications: { promptsListChanged: true } } })
  server.mcp.changes.changed('tools')
  server.mcp.changes.changed('prompts')
  server.mcp.subscriptions.close()
  t.match((await stream.next()).value, { method: 'notifications/prompts/list_changed' })
  t.match((await stream.next()).value, { id: 'sub', result: {} })
})

t.test(
  'one that asks for nothing is taken, and its client told what there is, if it wants a log',
  async t => {
    const { server, listen } = await scene(t, { FORGE_PROMPTS: 'false' })
    const params = { _meta: { [subscriptionId]: 'sub' } }
    const logs = { 'io.modelcontextprotocol/logLevel': 'warning' }
    for (const notifications of [{}, { toolsListChanged: false }, { resourceSubscriptions: ['x:y'] }]) {
      const stream = await listen(notifications, 'sub', logs)
      t.match((await stream.next()).value, {
        method: /acknowledged$/,
        params: { ...params, notifications: {} }
      })
      t.match((await stream.next()).value, {
        method: 'notifications/message',
        params: { ...params, level: 'warning', data: /these are: toolsListChanged, resourcesListChanged\.$/ }
      })
    }
    const silent = await listen({})
    t.match((await silent.next()).value, { method: /acknowledged$/ })
    server.mcp.subscriptions.close()
    t.match((await silent.next()).value, { id: 'sub', result: {} }, 'who wants no log gets none')
  }
)

t.test('a large one is refused, as its body would be held for as long as it lasts', async t => {
  const server = await testServer(t)
  const answer = await post(server, {
    headers: { ...modernHeaders(LISTEN), accept: 'application/json, text/event-stream' },
    body: modernRequest(LISTEN, { notifications: { toolsListChanged: true }, more: 'x'.repeat(10_000) })
  })
  t.match(answer.json(), { error: { code: -32602, message: /8192 bytes at most/ } })
  const values = await post(server, {
    body: modernRequest(LISTEN, { notifications: {} }, { pad: Array(500).fill({}) }),
    headers: { ...modernHeaders(LISTEN), accept: 'application/json, text/event-stream' }
  })
  t.match(values.json(), { error: { message: /8192 bytes at most/ } }, 'small ones take memory, too')
})

t.test('it is no answer that its caller has left untaken, however old it is', async t => {
  const { server, listen } = await scene(t)
  const stream = await listen({ toolsListChanged: true })
  await stream.next()
  const later = performance.now() + 60_000
  const clock = t.intercept(performance, 'now', { value: () => later })
  server.connections.sweep()
  clock.restore()
  server.mcp.changes.changed('tools')
  t.match((await stream.next()).value, { method: 'notifications/tools/list_changed' })
})

t.test('when the service leaves it is answered, and its connection keeps nothing waiting', async t => {
  const { server, listen } = await scene(t)
  const stream = await listen({ toolsListChanged: true }, 7)
  await stream.next()
  const started = performance.now()
  const closed = server.close()
  t.match((await stream.next()).value, {
    id: 7,
    result: { resultType: 'complete', _meta: { [subscriptionId]: 7 } }
  })
  t.equal((await stream.next()).done, true)
  await closed
  t.ok(performance.now() - started < MAX_CALL_SECONDS * 500, 'long before calls are given up')
})

t.test('a client that goes leaves nothing behind', async t => {
  const { server, listen, controller } = await scene(t)
  const stream = await listen({ toolsListChanged: true })
  await stream.next()
  t.equal(server.mcp.subscriptions.size, 1)
  controller.abort()
  await t.rejects(stream.next())
  await until(() => server.mcp.subscriptions.size === 0)
  t.equal(server.mcp.subscriptions.size, 0)
  server.mcp.changes.changed('tools')
})

t.test('a filter that is none, and a client that takes no stream, are told so', async t => {
  const { server } = await scene(t)
  const ask = async (params: object, accept = 'application/json, text/event-stream') =>
    (
      await post(server, {
        headers: { ...modernHeaders(LISTEN), accept },
        body: modernRequest(LISTEN, params)
      })
    ).json().error
  for (const notifications of [undefined, [], true])
    t.match(await ask({ notifications }), {
      code: -32602,
      message:
        /needs notifications, an object in which toolsListChanged, promptsListChanged, resourcesListChanged may/
    })
  t.match(await ask({ notifications: { toolsListChanged: 'yes' } }), {
    code: -32602,
    message: /must be a boolean/
  })
  for (const near of ['toolListChanged', 'tools_list_changed'])
    t.match(await ask({ notifications: { [near]: true } }), {
      code: -32602,
      message: 'notifications has no such key as it was sent. Did you mean toolsListChanged?'
    })
  t.match(await ask({ notifications: {} }, 'application/json'), {
    code: -32600,
    message: /text\/event-stream/
  })
})

t.test('the SDK’s v2 client hears of a change, and goes on working when its subscription ends', async t => {
  const { server, url } = await scene(t)
  let heard = () => {}
  const changed = new Promise<void>(resolve => {
    heard = resolve
  })
  const client = new Client(
    { name: 'flow', version: '1' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      listChanged: { tools: { onChanged: () => heard() } }
    }
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { 'Private-Token': TOKEN } } })
  )
  t.teardown(() => client.close())
  t.ok((await client.listTools()).tools.length > 10)
  await until(() => server.mcp.subscriptions.size > 0)
  server.mcp.changes.changed('tools')
  await changed
  server.mcp.subscriptions.close()
  t.ok((await client.listTools()).tools.length > 10)
})
