import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { pooledRandom } from '../../../src/seal/random.ts'
import { SealedSessionStore } from '../../../src/session/sealed-store.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { secretOf, testSealer } from '../../support/sealing.ts'
import { call, initialize, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'

const SID = 'mcp-session-id'
const ping = request('ping')

const replica = (t: Test, settings: Record<string, string> = {}) =>
  testServer(t, { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one'), ...settings })

const sidOf = (response: { headers: Record<string, unknown> }): string => {
  const sid = response.headers[SID]
  if (typeof sid !== 'string') throw new Error('the answer has no session id')
  return sid
}

async function open(server: FastifyInstance, token = TOKEN, version = '2025-11-25'): Promise<string> {
  return sidOf(await post(server, { token, body: initialize(version) }))
}

/** A sid as the server seals it, made at another time or under another secret. */
function forged(options: { secret?: string; now?: () => number }, apiUrl?: string): string {
  const store = new SealedSessionStore(testSealer({ now: Date.now, ...options }).sealer, {
    ttlSeconds: 3600,
    acceptsUrl: () => true,
    now: Date.now,
    random: pooledRandom()
  })
  const credential = { kind: 'private-token', token: TOKEN } as const
  return store.carry(store.begin({ credential, apiUrl, activated: 0, version: '2025-11-25' }))!
}

const remove = (server: FastifyInstance, headers: Record<string, string>) =>
  server.inject({ method: 'DELETE', url: '/mcp', headers: { host: 'localhost', ...headers } })

t.test('an id of a server of another forge takes its token nowhere, be the secret the same', async t => {
  const forgeOf = async (got: unknown[]) =>
    listen(t, ({ headers }, response) => {
      got.push(headers['private-token'])
      response.setHeader('content-type', 'application/json')
      response.end('{"name":"main"}')
    })
  const [ofOne, ofOther]: [unknown[], unknown[]] = [[], []]
  const one = await replica(t, { FORGE_API_URL: await forgeOf(ofOne) })
  const other = await replica(t, { FORGE_API_URL: await forgeOf(ofOther) })
  const headers = { [SID]: await open(one) }
  const body = call('get_branch', { project_id: '1', branch_name: 'main' })
  t.equal((await post(one, { token: '', headers, body })).statusCode, 200)
  t.equal((await post(other, { token: '', headers, body })).statusCode, 404)
  t.same([ofOne, ofOther], [[TOKEN], []])
})

t.test('each answer has an id of its own, also to a client that keeps the one it has', async t => {
  const server = await replica(t)
  const sid = await open(server)
  const send = () => post(server, { token: '', headers: { [SID]: sid }, body: ping })
  const together = await Promise.all([send(), send(), send()])
  const seen = [sid, ...together.map(sidOf), sidOf(await send()), sidOf(await send())]
  t.equal(new Set(seen).size, seen.length)
})

t.test('the log says at its usual level why an id does not open, and counts the rest of many', async t => {
  const log = captureLog()
  const settings = {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secretOf('one'),
    LOG_LEVEL: 'info'
  }
  const server = await testServer(t, settings, log.stream)
  const send = (sid: string) => post(server, { token: '', headers: { [SID]: sid }, body: ping })
  const { headers } = await send(forged({ now: () => Date.now() - 7_200_000 }))
  const ofOtherKey = forged({ secret: secretOf('two') })
  for (let times = 0; times < 25; times++) await send(ofOtherKey)
  await server.close()
  const refused = log.lines('sealed value refused')
  t.match(refused[0], {
    level: 30,
    requestId: headers['x-request-id'],
    purpose: 'sid',
    reason: 'time'
  })
  t.same(
    refused.slice(1).map(({ reason }) => reason),
    Array(20).fill('key')
  )
  t.match(log.lines('more sealed values refused'), [{ reason: 'key', more: 5 }])
  t.notMatch(log.text(), ofOtherKey.slice(0, 30))
})

t.test('the log tells an id that is too old from one of a replica whose clock is ahead', async t => {
  const log = captureLog()
  const settings = {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secretOf('one'),
    LOG_LEVEL: 'info'
  }
  const server = await testServer(t, settings, log.stream)
  // The day alone says it of an id from days away.
  for (const hours of [-72, -2, 0.5, 2, 72]) {
    const sid = forged({ now: () => Date.now() + hours * 3_600_000 })
    t.equal((await post(server, { token: '', headers: { [SID]: sid }, body: ping })).statusCode, 404)
  }
  t.same(
    log.lines('sealed value refused').map(({ reason }) => reason),
    ['time', 'time', 'future', 'future', 'future']
  )
})

t.test('the log says of an id that does open why it is refused', async t => {
  const log = captureLog()
  const settings = {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secretOf('one'),
    LOG_LEVEL: 'info',
    ENABLE_DYNAMIC_API_URL: 'true',
    FORGE_ALLOWED_HOSTS: 'forge.example'
  }
  const server = await testServer(t, settings, log.stream)
  const ended = forged({})
  await remove(server, { [SID]: ended })
  for (const sid of [ended, forged({}, 'https://gone.example/api/v4')])
    t.equal((await post(server, { token: '', headers: { [SID]: sid }, body: ping })).statusCode, 404)
  t.match(log.lines('sealed value refused'), [
    { purpose: 'sid', reason: 'ended' },
    { purpose: 'sid', reason: 'forge' }
  ])
})

t.test('the decision table', async t => {
  const server = await replica(t)
  const good = forged({})
  t.equal((await post(server, { token: '', headers: { [SID]: good }, body: ping })).statusCode, 200)

  const dead: Record<string, string> = {
    'an expired one': forged({ now: () => Date.now() - 3_601_000 }),
    'one from the future': forged({ now: () => Date.now() + 120_000 }),
    'one under another key': forged({ secret: 'another' }),
    'a tampered one': `${good.slice(0, -3)}${good.at(-3) === 'A' ? 'B' : 'A'}${good.slice(-2)}`,
    'half of one': good.slice(0, good.length / 2),
    'one of another purpose': good.replace('v1.sid.', 'v1.pc.'),
    'one of the memory store': '7dPkzXw1YF0u1yJ3mOQb1rY2n5m0Qj8r4t2w6z9c3aE',
    'a UUID': '7b0c9f7e-7d3a-4a8f-9a54-2f7f0c6b1a11',
    'an overlong one': `v1.sid.${'A'.repeat(8000)}`,
    'two of them': `${good}, ${good}`,
    'one with a forge that is not allowed': forged({}, 'https://elsewhere.example/api/v4')
  }

  t.test('no sid and no credential: 401', async t => {
    const response = await post(server, { token: '', body: ping })
    t.equal(response.statusCode, 401)
    t.match(response.json(), { jsonrpc: '2.0', error: { message: /^Authentication required/ } })
    t.equal(response.headers[SID], undefined)
  })

  for (const [what, sid] of Object.entries(dead)) {
    t.test(`${what} and no credential: 404; with one: served, with a new sid`, async t => {
      const headers = { [SID]: sid }
      const refused = await post(server, { token: '', headers, body: ping })
      t.equal(refused.statusCode, 404)
      t.match(refused.json(), { error: { code: -32001, message: 'Session not found' } })
      t.equal(refused.headers[SID], undefined)
      const served = await post(server, { headers, body: ping })
      t.equal(served.statusCode, 200)
      t.ok(server.sessions.open(sidOf(served)))
    })
  }

  t.test('a header sent twice is no sid', async t => {
    const refused = await post(server, { token: '', headers: { [SID]: [good, good] }, body: ping })
    t.equal(refused.statusCode, 404)
  })

  t.test('a credential and no sid: served, with a new sid, without initialize', async t => {
    const response = await post(server, { body: request('tools/list') })
    t.equal(response.statusCode, 200)
    t.match(server.sessions.open(sidOf(response)), { credential: { kind: 'private-token', token: TOKEN } })
  })

  t.test('a malformed credential: 401 whatever the sid', async t => {
    for (const headers of [
      { 'private-token': 'short' },
      { authorization: 'Basic dXNlcjpwYXNzd29yZHBhc3N3b3Jk' },
      { 'private-token': 'short', [SID]: good },
      { 'private-token': 'short', [SID]: 'x' }
    ] as Record<string, string>[]) {
      const response = await post(server, { token: '', headers, body: ping })
      t.equal(response.statusCode, 401)
      t.equal(response.headers[SID], undefined)
    }
  })

  t.test('a good sid and another credential: the credential counts, and goes into the new sid', async t => {
    const response = await post(server, { token: OTHER_TOKEN, headers: { [SID]: good }, body: ping })
    t.equal(response.statusCode, 200)
    const session = server.sessions.open(sidOf(response))
    t.equal(session?.credential.token, OTHER_TOKEN)
    t.equal(session?.key, server.sessions.open(good)?.key, 'it is the same session still')
  })
})

t.test('a new sid is on every answer to an authenticated request of the initialize era', async t => {
  const server = await replica(t)
  const sid = forged({ now: () => Date.now() - 10_000 })
  const key = server.sessions.open(sid)?.key
  const cases: Record<string, [status: number, body: unknown, headers?: Record<string, string>]> = {
    'a result': [200, ping],
    'an unknown method': [200, request('no/such')],
    'a refused tool': [200, request('tools/call', { name: 'no_such' })],
    'a notification': [202, { jsonrpc: '2.0', method: 'notifications/initialized' }],
    'a response': [202, { jsonrpc: '2.0', id: 'v1.ask.late', result: {} }],
    'no JSON': [400, '{'],
    'an empty body': [400, ''],
    'no JSON-RPC': [400, { hello: 'world' }],
    'a batch that is not allowed': [400, [ping], { 'mcp-protocol-version': '2025-11-25' }],
    'an unknown revision': [400, ping, { 'mcp-protocol-version': '1999-01-01' }],
    'an Accept of nothing we have': [406, ping, { accept: 'text/html' }],
    'an event stream': [200, ping, { accept: 'text/event-stream' }],
    'a body that is too large': [413, `"${'x'.repeat(4 * 1024 * 1024)}"`],
    'another media type': [415, 'x', { 'content-type': 'text/plain' }]
  }
  for (const [what, [status, body, headers = {}]] of Object.entries(cases)) {
    t.test(`${what}: ${status}`, async t => {
      for (const token of ['', TOKEN]) {
        const response = await post(server, { token, body, headers: { [SID]: sid, ...headers } })
        t.equal(response.statusCode, status)
        t.not(sidOf(response), sid)
        t.equal(server.sessions.open(sidOf(response))?.key, key)
      }
      const alone = await post(server, { body, headers })
      t.equal(alone.statusCode, status)
      t.ok(server.sessions.open(sidOf(alone)), 'without a sid too')
    })
  }
})

t.test(
  'an answer under an id that no question has: 202 without a session, with one 400 and a new sid',
  async t => {
    const server = await replica(t)
    const body = { jsonrpc: '2.0', id: 1, result: {} }
    t.equal((await post(server, { body })).statusCode, 202)
    const refused = await post(server, { headers: { [SID]: await open(server) }, body })
    t.equal(refused.statusCode, 400)
    t.ok(server.sessions.open(sidOf(refused)))
  }
)

t.test('an empty session id is none', async t => {
  const server = await replica(t)
  const refused = await post(server, { token: '', headers: { [SID]: '' }, body: ping })
  t.equal(refused.statusCode, 401)
  t.match(refused.json(), { error: { message: /^Authentication required/ } })
  t.ok(sidOf(await post(server, { headers: { [SID]: '' }, body: ping })))
})

t.test('a fault of the service takes no session away: 500 with a new sid', async t => {
  const server = await replica(t)
  const sid = await open(server)
  Object.assign(server.mcp, { callTool: () => Promise.reject(new Error('fault')) })
  const body = call('get_issue')
  const response = await post(server, { token: '', headers: { [SID]: sid }, body })
  t.equal(response.statusCode, 500)
  t.equal(server.sessions.open(sidOf(response))?.key, server.sessions.open(sid)?.key)
})

t.test('requests of 2026-07-28 neither use nor get a sid', async t => {
  const server = await replica(t)
  const sid = await open(server)
  const modern = {
    ...request('tools/list', {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {}
      }
    })
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }

  const served = await post(server, { headers, body: modern })
  t.equal(served.statusCode, 200)
  t.equal(served.json().result.resultType, 'complete')
  t.equal(served.headers[SID], undefined)

  const withSid = await post(server, { headers: { ...headers, [SID]: sid }, body: modern })
  t.equal(withSid.headers[SID], undefined)

  const sidOnly = await post(server, { token: '', headers: { ...headers, [SID]: sid }, body: modern })
  t.equal(sidOnly.statusCode, 401)
  t.match(sidOnly.json(), {
    error: { message: /^Authentication required: .*; a session id is not read in this revision\.$/ }
  })

  const garbage = await post(server, { headers: { ...headers, [SID]: 'x' }, body: modern })
  t.equal(garbage.statusCode, 200)

  const noHeader = await post(server, { headers: { [SID]: sid }, body: modern })
  t.equal(noHeader.statusCode, 400, 'the body alone makes it modern')
  t.equal(noHeader.headers[SID], undefined)

  const notJson = await post(server, { headers, body: '{' })
  t.equal(notJson.statusCode, 400)
  t.equal(notJson.headers[SID], undefined)
})

t.test('initialize', async t => {
  const server = await replica(t)

  t.test('with a credential starts afresh, whatever sid comes along', async t => {
    const sid = await open(server, OTHER_TOKEN, '2024-11-05')
    const before = server.sessions.open(sid)!
    for (const old of [sid, 'garbage', forged({ secret: 'another' })]) {
      const response = await post(server, { headers: { [SID]: old }, body: initialize('2025-06-18') })
      t.equal(response.statusCode, 200)
      t.equal(response.json().result.protocolVersion, '2025-06-18')
      const session = server.sessions.open(sidOf(response))!
      t.match(session, { credential: { token: TOKEN }, version: '2025-06-18', activated: 0 })
      t.not(session.key, before.key)
    }
    t.ok(server.sessions.open(sid), 'the session it left behind has its own time')
  })

  t.test('without a credential is refused on a live session, which goes on', async t => {
    const sid = await open(server)
    const response = await post(server, { token: '', headers: { [SID]: sid }, body: initialize() })
    t.match(response.json(), { error: { code: -32600, message: /begun already: leave Mcp-Session-Id out/ } })
    t.equal(server.sessions.open(sidOf(response))?.key, server.sessions.open(sid)?.key)
  })

  t.test('leaves its revision in the sid, for rules that differ by revision', async t => {
    const old = await open(server, TOKEN, '2025-03-26')
    const batch = await post(server, { token: '', headers: { [SID]: old }, body: [ping] })
    t.equal(batch.statusCode, 200)
    const now = await open(server, TOKEN, '2025-11-25')
    t.equal((await post(server, { token: '', headers: { [SID]: now }, body: [ping] })).statusCode, 400)
  })
})

t.test('toolsets that discover_tools switched on go along in the sid, to any replica', async t => {
  const [one, other] = [await replica(t), await replica(t)]
  const sid = await open(one)
  const toolsOf = async (server: FastifyInstance, sid: string): Promise<string[]> => {
    const response = await post(server, { token: '', headers: { [SID]: sid }, body: request('tools/list') })
    return response.json().result.tools.map(({ name }: { name: string }) => name)
  }
  t.notOk((await toolsOf(other, sid)).includes('list_pipelines'))
  const activated = await post(one, {
    headers: { [SID]: sid },
    body: call('discover_tools', { category: 'pipelines' })
  })
  t.ok((await toolsOf(other, sidOf(activated))).includes('list_pipelines'))
  t.notOk((await toolsOf(other, sid)).includes('list_pipelines'), 'the earlier sid does not know of it')
})

t.test('DELETE', async t => {
  const server = await replica(t)

  t.test('ends the session on this replica: 204 without a sid, then 404', async t => {
    const sid = await open(server)
    const later = sidOf(await post(server, { token: '', headers: { [SID]: sid }, body: ping }))
    const response = await remove(server, { [SID]: sid, 'private-token': TOKEN })
    t.equal(response.statusCode, 204)
    t.equal(response.body, '')
    t.equal(response.headers[SID], undefined)
    for (const headers of [{ [SID]: sid }, { [SID]: sid, 'private-token': TOKEN }, { [SID]: later }]) {
      const repeated = await remove(server, headers as Record<string, string>)
      t.equal(repeated.statusCode, 404)
      t.match(repeated.json(), { error: { message: 'Session not found' } })
    }
    t.equal((await post(server, { token: '', headers: { [SID]: later }, body: ping })).statusCode, 404)
    t.equal((await post(server, { headers: { [SID]: later }, body: ping })).statusCode, 200)
  })

  t.test('takes the sid alone as proof, as POST does', async t => {
    t.equal((await remove(server, { [SID]: await open(server) })).statusCode, 204)
  })

  t.test('needs a sid: 400; one that opens: 404; and somebody: 401', async t => {
    t.equal((await remove(server, { 'private-token': TOKEN })).statusCode, 400)
    t.equal((await remove(server, { 'private-token': TOKEN, [SID]: 'x' })).statusCode, 404)
    t.equal((await remove(server, { [SID]: 'x' })).statusCode, 404)
    t.equal((await remove(server, {})).statusCode, 401)
  })

  t.test('by another credential: 404, and the session lives on', async t => {
    const sid = await open(server)
    const response = await remove(server, { [SID]: sid, 'private-token': OTHER_TOKEN })
    t.equal(response.statusCode, 404)
    t.ok(server.sessions.open(sid))
  })
})

t.test('a session in use does not expire, an idle one does', async t => {
  let now = Date.now()
  t.intercept(Date, 'now', { value: () => now })
  const server = await replica(t, { OAUTH_STATELESS_SESSION_TTL_SECONDS: '100' })
  let sid = await open(server)
  for (let turn = 0; turn < 3; turn++) {
    now += 60_000
    sid = sidOf(await post(server, { token: '', headers: { [SID]: sid }, body: ping }))
  }
  now += 100_001
  t.equal((await post(server, { token: '', headers: { [SID]: sid }, body: ping })).statusCode, 404)
})

t.test('initialize begins one session, also where it leaves one behind', async t => {
  const server = await replica(t)
  const first = await open(server)
  t.equal(server.metrics.sessionsCreated.total(), 1)
  const second = sidOf(await post(server, { headers: { [SID]: first }, body: initialize() }))
  t.equal(server.metrics.sessionsCreated.total(), 2)
  t.not(server.sessions.open(second)?.key, server.sessions.open(first)?.key)
})

t.test('MAX_SESSIONS does not count sessions that are held nowhere', async t => {
  const server = await replica(t, { MAX_SESSIONS: '1' })
  for (const token of [TOKEN, OTHER_TOKEN])
    for (let n = 0; n < 3; n++) t.ok(server.sessions.open(await open(server, token)))
  t.equal(server.sessions.size, 0)
})

t.test(
  'a session id goes back as it came while it is younger than OAUTH_STATELESS_SID_REUSE_SECONDS',
  async t => {
    const server = await replica(t, { OAUTH_STATELESS_SID_REUSE_SECONDS: '600' })
    const sid = await open(server)
    for (const body of [
      ping,
      call('discover_tools', { category: 'pipelines' }),
      request('no/such/method'),
      'no JSON'
    ])
      t.equal(sidOf(await post(server, { headers: { [SID]: sid }, body })), sid)
    t.equal(sidOf(await post(server, { token: '', headers: { [SID]: sid }, body: ping })), sid, 'alone, too')
    const other = await post(server, { token: OTHER_TOKEN, headers: { [SID]: sid }, body: ping })
    t.equal(other.statusCode, 200)
    t.notOk(SID in other.headers, 'its client would take another id for another server')
    t.equal(
      server.sessions.open(sid)?.credential.token,
      TOKEN,
      'nor does another credential come to stand behind it'
    )
    t.not(
      sidOf(await post(server, { headers: { [SID]: sid }, body: initialize() })),
      sid,
      'a new session is one'
    )
    const old = forged({ now: () => Date.now() - 601_000 })
    t.not(sidOf(await post(server, { headers: { [SID]: old }, body: ping })), old)
  }
)
