import t, { type Test } from 'tap'
import { principalOf } from '../../src/session/credential.ts'
import { heldForge, hostileForge } from '../support/hostile-forge.ts'
import { captureLog } from '../support/log.ts'
import { envelope } from '../support/modern.ts'
import { call, initialize, request, TOKEN } from '../support/server.ts'
import { stdioServer } from '../support/stdio.ts'
import { until } from '../support/until.ts'

const meta = envelope()
const soon = () => new Promise(resolve => setTimeout(resolve, 10))

t.test('whatever a line is, it is answered as a body over HTTP is, and the next one is served', async t => {
  const { write, next } = await stdioServer(t)
  for (const [line, answer] of [
    [
      'hello',
      { error: { code: -32700, message: /^Parse error.* Over stdio each line is a whole message\.$/ } }
    ],
    ['', { error: { code: -32700 } }],
    ['   ', { error: { code: -32700 } }],
    ['null', { error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":3}', { id: 3, error: { code: -32600 } }],
    ['{"__proto__":{}}', { error: { code: -32700 } }],
    ['['.repeat(1000), { error: { code: -32700, message: /nested/ } }],
    ['x'.repeat(5 * 1024 * 1024), { error: { code: -32600, message: /4 MiB/ } }],
    [[], { error: { code: -32600, message: /batch/ } }],
    [[request('ping')], { error: { code: -32600, message: /batch/ } }],
    [request('ping', undefined, 'last'), { id: 'last', result: {} }]
  ] as const) {
    write(line)
    t.match(await next(), answer, String(line).slice(0, 40))
  }
  write(initialize('2025-03-26'))
  t.match(await next(), { result: { protocolVersion: '2025-03-26' } })
  write([request('ping', undefined, 1), request('ping', undefined, 2)])
  t.same(
    (await next()).map(({ id }: { id: number }) => id),
    [1, 2]
  )
})

t.test('each refusal leaves the line that it has over HTTP, with the id that the answer has', async t => {
  const log = captureLog()
  const { write, next } = await stdioServer(t, undefined, { LOG_LEVEL: 'info' }, log.stream)
  const principal = principalOf({ kind: 'private-token', token: TOKEN })
  for (const [at, [line, refusal]] of [
    ['{', { status: 400, reason: 'json' }],
    ['x'.repeat(5 * 1024 * 1024), { status: 413, reason: 'malformed', hint: /4 MiB/ }],
    [
      { id: 1, method: 'ping' },
      { status: 400, reason: 'malformed', hint: 'jsonrpc must be "2.0".' }
    ],
    [request('tools/lists'), { status: 200, method: 'tools/lists', reason: 'method', code: -32601 }],
    [
      request('resources/read', { uri: 5 }),
      { status: 200, method: 'resources/read', reason: 'params', code: -32602 }
    ],
    [request('ping', { _meta: meta }), { status: 404, method: 'ping', reason: 'method' }]
  ].entries() as ArrayIterator<[number, [unknown, object]]>) {
    write(line)
    t.match(await next(), { error: {} })
    t.match(log.lines('request refused'), { length: at + 1 })
    t.match(log.lines('request refused').at(-1), { requestId: `stdio-${at + 1}`, principal, ...refusal })
  }
  write(request('ping'))
  t.match(await next(), { result: {} })
  t.equal(log.lines('request refused').length, 6, 'and what is served leaves none')
})

t.test('2026-07-28 is served without headers', async t => {
  const { write, next } = await stdioServer(t)
  write(request('server/discover', { _meta: meta }))
  t.match(await next(), { result: { resultType: 'complete', supportedVersions: ['2026-07-28'] } })
  write(request('tools/call', { name: 'get_issue', arguments: { project_id: '1' }, _meta: meta }))
  t.match(await next(), { result: { resultType: 'complete', isError: true } })
  write(request('ping', { _meta: meta }, 9))
  t.match(await next(), { id: 9, error: { code: -32601 } })
  write(request('ping', { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }, 9))
  t.match(await next(), { id: 9, error: { code: -32022 } })
})

t.test('prompts, resources and completion are served in both eras', async t => {
  const { write, next } = await stdioServer(t)
  for (const more of [{}, { _meta: meta }]) {
    write(request('prompts/get', { name: 'whats_next', ...more }))
    t.match(await next(), { result: { messages: [{ content: { text: /whats_on_my_plate/ } }] } })
    write(request('resources/read', { uri: 'forge://nothing', ...more }))
    t.match(await next(), { error: { message: /^Unknown resource/, data: { uri: 'forge://nothing' } } })
    const ref = { type: 'ref/prompt', name: 'review_merge_request' }
    write(request('completion/complete', { ref, argument: { name: 'focus', value: '' }, ...more }))
    t.match(await next(), { result: { completion: { values: [], hasMore: false } } })
  }
})

t.test('a line in another encoding than UTF-8 is refused, and the next one is served', async t => {
  const { input, write, next } = await stdioServer(t)
  input.write(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"Müller"}}\n', 'latin1'))
  t.match(await next(), { error: { code: -32700, message: /another encoding than UTF-8/ } })
  write(request('ping', { text: 'Müller' }, 2))
  t.match(await next(), { id: 2, result: {} })
})

t.test('a modern call can be cancelled, and its id used once at a time', async t => {
  const forge = await hostileForge(t, () => undefined)
  const { write, next } = await stdioServer(t, forge.origin)
  const params = { ...call('get_branch', { project_id: '1', branch_name: 'main' }).params!, _meta: meta }
  write(request('tools/call', params, 5))
  while (forge.open === 0) await soon()
  write(request('tools/call', params, 5))
  t.match(await next(), { id: 5, error: { code: -32600, message: /still under way/ } })
  write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
  while (forge.open > 0) await soon()
  write(request('server/discover', { _meta: meta }, 6))
  t.match(await next(), { id: 6, result: {} }, 'of the cancelled call nothing is heard')
})

t.test('a call with a progress token tells while it runs that it does', async t => {
  const forge = await hostileForge(t, (_request, response) => {
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"name":"main"}'), 1500)
  })
  const { write, next } = await stdioServer(t, forge.origin)
  const { params } = call('get_branch', { project_id: '1', branch_name: 'main' })
  write(request('tools/call', { ...params!, _meta: { progressToken: 7 } }))
  t.match(await next(), { method: 'notifications/progress', params: { progressToken: 7 } })
  t.match(await next(), { id: 1, result: { content: [{ text: '{"name":"main"}' }] } })
})

t.test('toolsets that calls at the same time switch on stay on, and are told of', async t => {
  const { write, next } = await stdioServer(t)
  write(initialize())
  await next()
  const listed = async (id: string) => {
    write(request('tools/list', undefined, id))
    return (await next()).result.tools.length
  }
  const before = await listed('before')
  write(call('discover_tools', { category: 'pipelines' }, 1))
  write(call('discover_tools', { category: 'dependency_proxy' }, 2))
  const four = [await next(), await next(), await next(), await next()]
  t.equal(four.filter(({ method }) => method === 'notifications/tools/list_changed').length, 2)
  t.ok((await listed('after')) > before + 4)
})

t.test('a change of a list is told to who knows of it: by handshake, or by subscription', async t => {
  const { server, write, next } = await stdioServer(t)
  server.mcp.changes.changed('tools')
  write(request('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: meta }, 's'))
  t.match(await next(), { method: 'notifications/subscriptions/acknowledged' })
  server.mcp.changes.changed('tools')
  t.match(await next(), { method: 'notifications/tools/list_changed', params: { _meta: {} } })
  server.mcp.subscriptions.close()
  t.match(await next(), { id: 's', result: { resultType: 'complete' } })
  write(initialize())
  t.match(await next(), { result: {} })
  server.mcp.changes.changed('tools')
  t.same(await next(), { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
})

t.test('to close is to finish what was asked, and to hear nothing more', async t => {
  const { forge, answer } = await heldForge(t)
  const { stdio, write, next } = await stdioServer(t, forge.origin)
  write(call('get_branch', { project_id: '1', branch_name: 'main' }))
  while (forge.asked === 0) await soon()
  const closed = stdio.close()
  write(request('ping', undefined, 'late'))
  answer()
  t.match(await next(), { result: { content: [{ text: '{"name":"main"}' }] } })
  await closed
})

/** A forge that answers nothing until `answer` is called, and what asks it 64 times. */
async function busyServer(t: Test) {
  const { forge, answer } = await heldForge(t)
  const served = await stdioServer(t, forge.origin)
  const ask = (id: number | string) =>
    `${JSON.stringify(call('get_branch', { project_id: '1', branch_name: 'main' }, id))}\n`
  served.input.write(Array.from({ length: 64 }, (_, at) => ask(at)).join(''))
  return { ...served, answer, ask }
}

t.test('thousands of calls in one go are not begun at once, and the next are not read', async t => {
  const { input, next, ask, answer } = await busyServer(t)
  input.write(Array.from({ length: 4_200 }, (_, at) => ask(at + 64)).join(''))
  await soon()
  t.ok(input.isPaused())
  answer()
  const ids = new Set<number>()
  while (ids.size < 64 + 4_200) ids.add((await next()).id)
  t.notOk(input.isPaused())
})

t.test('a call that waits for others can be cancelled, and a ping is answered meanwhile', async t => {
  const { write, input, next, ask, answer } = await busyServer(t)
  input.write(ask('waits'))
  write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'waits' } })
  write(request('ping', undefined, 'ping'))
  t.match(await next(), { id: 'ping', result: {} })
  answer()
  input.write(ask('last'))
  const ids: unknown[] = []
  while (ids.length < 65) ids.push((await next()).id)
  t.notOk(ids.includes('waits'))
})

t.test('to close is to refuse what has not begun', async t => {
  const { stdio, input, next, ask, answer } = await busyServer(t)
  input.write(ask('waits'))
  await soon()
  const closed = stdio.close()
  t.match(await next(), { id: 'waits', error: { code: -32000, message: /has not begun this/ } })
  answer()
  await closed
})

t.test('the last line needs no end, and the end of input is the end', async t => {
  const { input, next, state } = await stdioServer(t)
  input.end(JSON.stringify(request('ping')))
  t.match(await next(), { id: 1, result: {} })
  await until(() => state.ended)
})

t.test('a client that does not read its answers gets to ask nothing more', async t => {
  const { input, output, write } = await stdioServer(t)
  output.pause().removeAllListeners('data')
  for (let lines = 0; lines < 10_000 && !input.isPaused(); lines++) {
    write(request('tools/list'))
    await new Promise(resolve => setImmediate(resolve))
  }
  t.ok(input.isPaused())
  output.resume()
  for (let waits = 0; input.isPaused() && waits < 200; waits++) await soon()
  t.notOk(input.isPaused())
})

t.test(
  'a call for which the token is renewed in between is told without the one that it was made with',
  async t => {
    let answerNow = () => {}
    const sent: string[] = []
    const forge = await hostileForge(t, async (request, response) => {
      const token = String(request.headers['private-token'])
      sent.push(token)
      await new Promise<void>(resolve => {
        answerNow = resolve
        if (sent.length > 1) resolve()
      })
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ name: `of ${token}` }))
    })
    const { stdio, write, next } = await stdioServer(t, forge.origin)
    const branch = call('get_branch', { project_id: '1', branch_name: 'main' })
    write(branch)
    while (sent.length === 0) await soon()
    stdio.renew('glpat-renewed-renewed-1')
    answerNow()
    const told = JSON.stringify(await next())
    t.match(told, 'of ')
    t.notMatch(told, sent[0])
    write(branch)
    t.notMatch(JSON.stringify(await next()), 'renewed', 'and later ones without theirs')
  }
)

t.test('a token that is renewed is the one of the calls from then on', async t => {
  const sent: unknown[] = []
  const forge = await hostileForge(t, (request, response) => {
    sent.push(request.headers['private-token'])
    response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  const { stdio, write, next } = await stdioServer(t, forge.origin)
  const branch = call('get_branch', { project_id: '1', branch_name: 'main' })
  write(branch)
  await next()
  stdio.renew('glpat-renewed-renewed-1')
  write(branch)
  await next()
  t.same(sent.slice(1), ['glpat-renewed-renewed-1'])
})
