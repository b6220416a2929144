import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { rawPost } from '../../support/attack.ts'
import { messages } from '../../support/events.ts'
import { heldForge, hostileForge } from '../../support/hostile-forge.ts'
import { type CapturedLog, captureLog } from '../../support/log.ts'
import { envelope, modernHeaders } from '../../support/modern.ts'
import { call, initialize, request, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

// They wait more than they work.
t.jobs = 3

const token = { progressToken: 'p1' }
const branch = { name: 'get_branch', arguments: { project_id: '1', branch_name: 'main' } }

/** Sends to a server over a connection of its own. */
async function sender(server: Awaited<ReturnType<typeof testServer>>) {
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'private-token': TOKEN,
        ...headers
      },
      body: JSON.stringify(body)
    })
}

/** A server in front of a forge that answers when it is told to. */
async function scene(t: Test, log?: CapturedLog) {
  const { forge, answer } = await heldForge(t)
  const server = await testServer(
    t,
    { FORGE_API_URL: forge.origin, ...(log !== undefined && { LOG_LEVEL: 'error' }) },
    log?.stream
  )
  return { server, forge, send: await sender(server), answer }
}

for (const [era, meta, headers] of [
  ['a 2025 revision', token, {}],
  [
    '2026-07-28',
    envelope(token),
    { ...modernHeaders('tools/call', 'get_branch'), 'mcp-param-project-id': '1' }
  ]
] as const)
  t.test(`on ${era} a call with a token tells while it runs that it does`, async t => {
    const { send, answer } = await scene(t)
    const body = request('tools/call', { ...branch, _meta: meta })
    const response = await send(body, headers)
    t.equal(response.headers.get('content-type'), 'text/event-stream')
    const stream = messages(response)
    const first = await stream.next()
    t.match(first.value, { method: 'notifications/progress', params: { progressToken: 'p1', progress: 0 } })
    answer()
    t.match((await stream.next()).value, { id: 1, result: { content: [{ text: '{"name":"main"}' }] } })
    t.equal((await stream.next()).done, true)
  })

/** The level of errors in the log, as pino has it. */
const ERROR = 50

t.test('the stream of a session has its id', async t => {
  const { send, answer } = await scene(t)
  const sid = (await send(initialize())).headers.get('mcp-session-id')!
  const response = await send(request('tools/call', { ...branch, _meta: token }), { 'mcp-session-id': sid })
  t.equal(response.headers.get('mcp-session-id'), sid)
  answer()
  await response.text()
})

t.test(
  'a call that is soon over, that has no token, or whose client takes JSON only, is one object',
  async t => {
    const { send, answer } = await scene(t)
    setTimeout(answer, 1500)
    const json = { accept: 'application/json' }
    const responses = await Promise.all([
      send(call(branch.name, branch.arguments)),
      send(request('tools/call', { ...branch, _meta: token }), json),
      send(request('tools/call', { ...branch, _meta: { progressToken: {} } }))
    ])
    for (let seconds = 1; seconds >= 1; ) {
      // On a busy machine it may not be over soon: then it is made again.
      const started = performance.now()
      const response = await send(request('tools/call', { ...branch, _meta: token }))
      seconds = (performance.now() - started) / 1000
      if (seconds < 1) responses.push(response)
      else await response.text()
    }
    for (const response of responses) {
      t.match(response.headers.get('content-type'), /^application\/json/)
      t.match(await response.json(), { result: { content: [{ text: '{"name":"main"}' }] } })
    }
  }
)

t.test('a fault after the stream has begun is its last message, and is logged', async t => {
  const { server, send, answer } = await scene(t)
  t.intercept(server.mcp, 'callTool', {
    value: async (_name: string, _args: unknown, { notify }: { notify: (message: string) => void }) => {
      notify('{"jsonrpc":"2.0","method":"notifications/x"}')
      throw new Error('a defect')
    }
  })
  const received = []
  for await (const message of messages(await send(call('get_branch', {})))) received.push(message)
  t.match(received, [
    { method: 'notifications/x' },
    { id: 1, error: { code: -32603, message: /^Internal error \(request / } }
  ])
  answer()
})

t.test('a client that leaves the stream stops the read', async t => {
  const { forge, send } = await scene(t)
  const response = await send(request('tools/call', { ...branch, _meta: token }))
  await until(() => forge.open === 1)
  await response.body!.cancel()
  await until(() => forge.open === 0)
  t.equal(forge.asked, 1)
})

t.test('a client that leaves a write before its stream begins is no fault of this service', async t => {
  const log = captureLog()
  const { server, forge, answer } = await scene(t, log)
  const { port } = server.server.address() as AddressInfo
  const body = request('tools/call', {
    name: 'create_issue',
    arguments: { project_id: '1', title: 'x' },
    _meta: token
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(rawPost(TOKEN, body, 'application/json, text/event-stream'))
  await until(() => forge.asked === 1)
  socket.destroy()
  // By then it would have been told for the first time how far the call is.
  await sleep(1500)
  answer()
  // Notes of the start are there at each level.
  t.same(
    log.lines().filter(({ level }) => Number(level) >= ERROR),
    []
  )
})

t.test('an answer at the end of a stream that nobody reads is held for its caller as any other', async t => {
  const forge = await hostileForge(t, async (_request, response) => {
    await sleep(1_100)
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ iid: 1, description: 'y'.repeat(9_000_000) }))
  })
  const server = await testServer(t, { FORGE_API_URL: forge.origin, FORGE_MAX_RESULT_CHARS: '10000000' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1').pause()
  t.teardown(() => socket.destroy())
  const params = { name: 'get_issue', arguments: { project_id: '1', issue_iid: '1' }, _meta: token }
  socket.write(rawPost(TOKEN, request('tools/call', params), 'application/json, text/event-stream'))
  await until(() => server.connections.unread > 4_000_000)
  socket.destroy()
  await until(() => server.connections.unread === 0)
})

t.test('no event is larger than 1 MiB, which clients read at most: a larger image is named', async t => {
  const png = Buffer.alloc(1_000_000)
  png.write('89504e470d0a1a0a0000000d49484452', 'hex')
  const forge = await hostileForge(t, async (_request, response) => {
    await sleep(1_100)
    response.setHeader('content-type', 'image/png').end(png)
  })
  const send = await sender(await testServer(t, { FORGE_API_URL: forge.origin }))
  const params = { name: 'get_file_contents', arguments: { project_id: '1', path: 'a.png' }, _meta: token }
  const response = await send(request('tools/call', params))
  t.equal(response.headers.get('content-type'), 'text/event-stream')
  const events = (await response.text()).split('\n\n')
  const large = events.map(event => Buffer.byteLength(event)).filter(bytes => bytes > 1024 * 1024)
  t.same(large, [])
  t.match(events.at(-2)?.slice(-1000), /This image is larger than \d+ bytes, so it is not shown/)
})
