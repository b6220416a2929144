import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { listen } from '../../support/listen.ts'
import { call, initialize, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

const SID = 'mcp-session-id'
const slowRead = (id: string | number) => call('get_branch', { project_id: '1', branch_name: 'slow' }, id)
const slowWrite = (id: string | number) => call('create_issue', { project_id: '1', title: 'slow' }, id)
const cancelled = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'changed my mind' }
})

/** A forge that answers when it is told to, and a server in front of it. */
async function scene(t: Test) {
  const state = { asked: 0, aborted: 0, answer: () => {} }
  const answered = new Promise<void>(resolve => {
    state.answer = resolve
  })
  const forge = await listen(t, async (request, response) => {
    state.asked++
    request.resume()
    response.on('close', () => response.writableFinished || state.aborted++)
    await answered
    response.setHeader('content-type', 'application/json')
    response.end('{"iid":7}')
  })
  const server = await testServer(t, { FORGE_API_URL: forge })
  // Inject sends nothing before somebody waits for it.
  const start = (sid: string, body: unknown) =>
    post(server, { headers: { [SID]: sid }, body }).then(response => response)
  return { server, state, start }
}

const open = async (server: FastifyInstance, token = TOKEN): Promise<string> =>
  String((await post(server, { token, body: initialize() })).headers[SID])

t.test('a cancelled read ends: no answer, a closed exchange, nothing left at the forge', async t => {
  const { server, state, start } = await scene(t)
  const sid = await open(server)
  for (const [at, id] of [5, 'five'].entries()) {
    const pending = start(sid, slowRead(id))
    await until(() => state.asked > at)
    const notified = await post(server, { headers: { [SID]: sid }, body: cancelled(id) })
    t.equal(notified.statusCode, 202)
    const response = await pending
    t.equal(response.statusCode, 202)
    t.equal(response.body, '')
  }
  await until(() => state.aborted === 2)
  t.equal(state.asked, 2)
  t.equal(server.mcp.inFlight.size, 0)
})

t.test('a caller that hangs up leaves nothing behind', async t => {
  const { server, state } = await scene(t)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  for (let at = 0; at < 3; at++) {
    const controller = new AbortController()
    const pending = fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'private-token': TOKEN },
      body: JSON.stringify(slowRead(at)),
      signal: controller.signal
    })
    await until(() => state.asked > at)
    controller.abort()
    await t.rejects(pending)
  }
  await until(() => state.aborted === 3 && server.metrics.httpInFlight === 0)
  t.equal(state.asked, 3)
  t.equal(server.mcp.inFlight.size, 0)
})

t.test('a caller that closes its half of the connection counts as one that hangs up', async t => {
  const { server, state } = await scene(t)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.teardown(() => socket.destroy())
  const body = JSON.stringify(slowRead(1))
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Private-Token: ${TOKEN}`,
    `Content-Length: ${body.length}`
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await until(() => state.asked === 1)
  const ended = once(socket.resume(), 'end')
  socket.end()
  await ended
  await until(() => state.aborted === 1 && server.metrics.httpInFlight === 0)
  t.equal(server.mcp.inFlight.size, 0)
})

t.test('a write that was sent is let finish, and answered', async t => {
  const { server, state, start } = await scene(t)
  const sid = await open(server)
  const pending = start(sid, slowWrite(1))
  await until(() => state.asked === 1)
  await post(server, { headers: { [SID]: sid }, body: cancelled(1) })
  state.answer()
  t.match((await pending).json(), { id: 1, result: { content: [{ text: '{"iid":7}' }] } })
  t.equal(state.aborted, 0)
})

t.test('only the call that is meant is stopped', async t => {
  const { server, state, start } = await scene(t)
  const [mine, other] = [await open(server), await open(server, OTHER_TOKEN)]
  const pending = start(mine, slowRead(1))
  await until(() => state.asked === 1)
  for (const [sid, token, requestId] of [
    [other, OTHER_TOKEN, 1],
    [mine, TOKEN, '1'],
    [mine, TOKEN, 2],
    [mine, TOKEN, undefined],
    [mine, TOKEN, { id: 1 }]
  ] as const)
    t.equal(
      (await post(server, { token, headers: { [SID]: sid }, body: cancelled(requestId) })).statusCode,
      202
    )
  state.answer()
  t.equal((await pending).statusCode, 200)
})

t.test('a second call with an id that is under way is refused, and the first goes on', async t => {
  const { server, state, start } = await scene(t)
  const sid = await open(server)
  const first = start(sid, slowWrite(1))
  await until(() => state.asked === 1)
  t.match((await start(sid, slowWrite(1))).json(), {
    id: 1,
    error: { code: -32600, message: /still under way/ }
  })
  t.equal(state.asked, 1)
  state.answer()
  t.match((await first).json(), { id: 1, result: {} })
  t.match((await start(sid, slowWrite(1))).json(), { id: 1, result: {} }, 'the id is free again')
})

t.test(
  'of two calls with one id of clients that share a session none is stopped: which is meant?',
  async t => {
    const { server, state, start } = await scene(t)
    const sid = String((await post(server, { body: request('ping') })).headers[SID])
    const [one, two] = [start(sid, slowRead(1)), start(sid, slowRead(1))]
    await until(() => state.asked === 2)
    await post(server, { headers: { [SID]: sid }, body: cancelled(1) })
    t.equal(state.aborted, 0)
    state.answer()
    t.same([(await one).statusCode, (await two).statusCode], [200, 200])
    t.equal(server.mcp.inFlight.size, 0)
  }
)

t.test('a notification about a call that is over does nothing', async t => {
  const { server, state } = await scene(t)
  state.answer()
  const sid = await open(server)
  await post(server, { headers: { [SID]: sid }, body: slowRead(1) })
  t.equal((await post(server, { headers: { [SID]: sid }, body: cancelled(1) })).statusCode, 202)
  t.equal((await post(server, { headers: { [SID]: sid }, body: slowRead(1) })).statusCode, 200)
})
