import type { FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import t, { type Test } from 'tap'
import { refusalSampling } from '../../../src/log/sampled-lines.ts'
import { pooledRandom } from '../../../src/seal/random.ts'
import { SealedSessionStore } from '../../../src/session/sealed-store.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { secretOf, testSealer } from '../../support/sealing.ts'
import { call, initialize, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

const SID = 'mcp-session-id'
const URL_HEADER = 'x-forge-api-url'
const getBranch = call('get_branch', { project_id: '1', branch_name: 'main' })

interface RecordingForge {
  readonly origin: string
  /** Token and path of each request. */
  readonly got: { token: unknown; path: string | undefined }[]
}

async function forgeOf(t: Test, name: string): Promise<RecordingForge> {
  const got: RecordingForge['got'] = []
  const origin = await listen(t, ({ headers, url }, response) => {
    got.push({ token: headers['private-token'], path: url })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name }))
  })
  return { origin, got }
}

const dynamic = (t: Test, settings: Record<string, string> = {}, log?: DestinationStream) =>
  testServer(t, { ENABLE_DYNAMIC_API_URL: 'true', ...settings }, log)

/** Calls a tool and tells which forge answered. */
async function ask(server: FastifyInstance, headers: Record<string, string>, token = TOKEN) {
  const response = await post(server, { token, headers, body: getBranch })
  const sid = response.headers[SID]
  const json = response.json()
  const answered = json.result?.isError
    ? undefined
    : json.result && JSON.parse(json.result.content[0].text).name
  return { status: response.statusCode, sid: typeof sid === 'string' ? sid : '', answered, json }
}

for (const [mode, settings] of Object.entries({
  'in memory': {},
  stateless: { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }
}) as [string, Record<string, string>][])
  t.test(`sessions ${mode}`, async t => {
    const [home, one, two] = [await forgeOf(t, 'home'), await forgeOf(t, 'one'), await forgeOf(t, 'two')]
    const server = await dynamic(t, { FORGE_API_URL: home.origin, ...settings })
    t.beforeEach(() => {
      for (const { got } of [home, one, two]) got.length = 0
    })

    t.test('call the forge that the header names, below its prefix', async t => {
      t.match(await ask(server, { [URL_HEADER]: `${one.origin}/team/` }), { status: 200, answered: 'one' })
      t.same(one.got, [{ token: TOKEN, path: '/team/api/v4/projects/1/repository/branches/main' }])
      t.same([home.got, two.got], [[], []])
    })

    t.test(
      'keep their forge for requests with the id alone, with credentials, and with neither header',
      async t => {
        const started = await post(server, { headers: { [URL_HEADER]: two.origin }, body: initialize() })
        const sid = String(started.headers[SID])
        for (const token of [TOKEN, '', OTHER_TOKEN])
          t.equal((await ask(server, { [SID]: sid }, token)).answered, 'two')
        t.same(home.got, [])
        t.same(
          two.got.map(({ token }) => token),
          [TOKEN, TOKEN, OTHER_TOKEN]
        )
      }
    )

    t.test('keep their forge when a follow-up names another one', async t => {
      const { sid } = await ask(server, { [URL_HEADER]: one.origin })
      for (const other of [two.origin, 'nonsense', 'http://169.254.169.254'])
        t.equal((await ask(server, { [SID]: sid, [URL_HEADER]: other })).answered, 'one', other)
      t.same([home.got, two.got], [[], []])
    })

    t.test('are not those of another credential that comes for another forge', async t => {
      const { sid } = await ask(server, { [URL_HEADER]: one.origin })
      one.got.length = 0
      const { status, answered } = await ask(server, { [SID]: sid, [URL_HEADER]: two.origin }, OTHER_TOKEN)
      if (mode === 'stateless') t.equal(answered, 'two')
      else t.equal(status, 404)
      t.same([home.got, one.got], [[], []])
      t.equal((await ask(server, { [SID]: sid }, '')).answered, 'one')
      t.equal(one.got[0]?.token, TOKEN, 'which goes on as before')
      one.got.length = 0
      for (const wrong of ['nonsense', `${home.origin}?x`, `http://u@${new URL(home.origin).host}`])
        t.not((await ask(server, { [SID]: sid, [URL_HEADER]: wrong }, OTHER_TOKEN)).answered, 'one', wrong)
      t.same(one.got, [], 'what is no URL means the home forge')
      home.got.length = 0
    })

    t.test('of the home forge take no other token that comes with a host, and no URL of a forge', async t => {
      const { sid } = await ask(server, {})
      home.got.length = 0
      for (const url of [`${one.origin}?x=1`, `${one.origin}, ${one.origin}`, `${one.origin}\\x`])
        t.match(
          await ask(server, { [SID]: sid, [URL_HEADER]: url }, OTHER_TOKEN),
          { status: 400, json: { error: { message: /^Invalid custom API URL provided/ } } },
          url
        )
      t.match(await ask(server, { [SID]: sid, [URL_HEADER]: 'http://169.254.169.254' }, OTHER_TOKEN), {
        status: 403
      })
      const twice = { [SID]: sid, 'X-Forge-API-URL': [home.origin, home.origin] }
      t.match((await post(server, { token: OTHER_TOKEN, headers: twice, body: getBranch })).json(), {
        error: { message: /^X-Forge-API-URL may be sent once only\.$/i }
      })
      t.same([home.got, one.got], [[], []])
      t.equal((await ask(server, { [SID]: sid, [URL_HEADER]: 'nonsense' }, OTHER_TOKEN)).answered, 'home')
    })

    t.test('without the header, or with one that is no URL, are of FORGE_API_URL', async t => {
      for (const headers of [{}, { [URL_HEADER]: 'nonsense' }]) {
        const { sid, answered } = await ask(server, headers as Record<string, string>)
        t.equal(answered, 'home')
        t.equal((await ask(server, { [SID]: sid, [URL_HEADER]: one.origin })).answered, 'home')
      }
      t.same([one.got, two.got], [[], []])
    })

    t.test('are refused where the header names a host and is no URL of a forge', async t => {
      for (const url of [`${one.origin}?x=1`, `${one.origin}, ${two.origin}`])
        t.match(await ask(server, { [URL_HEADER]: url }), {
          status: 400,
          json: { error: { message: /^Invalid custom API URL provided/ } }
        })
      t.same([home.got, one.got, two.got], [[], [], []])
    })

    t.test('are refused for a forge that may not be used: no token goes anywhere', async t => {
      for (const url of [
        'http://169.254.169.254',
        'http://0xa9fea9fe',
        'http://[fe80::1]',
        'http://metadata'
      ]) {
        const { status, json } = await ask(server, { [URL_HEADER]: url })
        t.equal(status, 403, url)
        t.match(json, { error: { message: /may not be used here/ } })
      }
      t.same([home.got, one.got, two.got], [[], [], []])
    })

    t.test('of the same caller with two forges are two', async t => {
      const [a, b] = [
        await ask(server, { [URL_HEADER]: one.origin }),
        await ask(server, { [URL_HEADER]: two.origin })
      ]
      t.same([a.answered, b.answered], ['one', 'two'])
      t.not(a.sid, b.sid)
    })
  })

t.test('the log has the host of a forge that policy refuses, and nothing else of its URL', async t => {
  const log = captureLog()
  const settings = { ENABLE_DYNAMIC_API_URL: 'true', FORGE_ALLOWED_HOSTS: 'forge.example', LOG_LEVEL: 'info' }
  const server = await testServer(t, settings, log.stream)
  await ask(server, { [URL_HEADER]: 'https://other.example:8443/some/path' })
  t.match(log.lines('Forbidden custom API URL provided'), [{ level: 40, upstream: 'other.example:8443' }])
  t.notMatch(log.text(), 'some/path')
})

t.test('of many URLs that are of no use the log has a few, and how many more there were', async t => {
  const log = captureLog()
  const settings = { ENABLE_DYNAMIC_API_URL: 'true', FORGE_ALLOWED_HOSTS: 'forge.example', LOG_LEVEL: 'info' }
  const server = await testServer(t, settings, log.stream)
  const [more, kinds] = [5, ['Invalid custom API URL provided', 'Forbidden custom API URL provided']]
  for (let sent = 0; sent < refusalSampling.lines + more; sent++) {
    await ask(server, { [URL_HEADER]: 'nonsense' })
    await ask(server, { [URL_HEADER]: 'https://other.example' })
  }
  for (const kind of kinds) t.equal(log.lines(kind).length, refusalSampling.lines)
  await server.close()
  t.match(
    log.lines('more custom API URLs of no use'),
    kinds.map(of => ({ of, more }))
  )
})

t.test('where FORGE_API_URL was not set, there is nothing to fall back on', async t => {
  const server = await testServer(t, { ENABLE_DYNAMIC_API_URL: 'true', FORGE_API_URL: undefined as never })
  t.match(await ask(server, { [URL_HEADER]: 'nonsense' }), {
    status: 400,
    json: { error: { message: /^Invalid custom API URL provided/ } }
  })
  t.match(await ask(server, {}), {
    status: 400,
    json: { error: { message: /^Missing X-Forge-API-URL header.* on the request that starts a session\.$/ } }
  })
  t.match(await ask(server, { 'mcp-protocol-version': '2026-07-28' }), {
    status: 400,
    json: { error: { message: /^Missing X-Forge-API-URL header.* on each request\.$/ } }
  })
  const { origin } = await forgeOf(t, 'named')
  t.equal((await ask(server, { [URL_HEADER]: origin })).answered, 'named')
})

t.test('a forge that is named twice is refused, and the header is told to be sent once', async t => {
  const home = await forgeOf(t, 'home')
  const server = await dynamic(t, { FORGE_API_URL: home.origin })
  for (const body of [initialize(), getBranch]) {
    const headers = { 'X-Forge-API-URL': [home.origin, home.origin] }
    const response = await post(server, { headers, body })
    t.equal(response.statusCode, 400)
    t.match(response.json(), { error: { message: /^X-Forge-API-URL may be sent once only\.$/i } })
  }
  t.same(home.got, [])
})

t.test('requests without sessions name their forge each time', async t => {
  const [home, one] = [await forgeOf(t, 'home'), await forgeOf(t, 'one')]
  const server = await dynamic(t, { FORGE_API_URL: home.origin })
  const modern = {
    ...getBranch,
    params: {
      ...getBranch.params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {}
      }
    }
  }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'get_branch',
    'mcp-param-project-id': '1'
  }
  await post(server, { headers: { ...headers, [URL_HEADER]: one.origin }, body: modern })
  await post(server, { headers: { ...headers, [SID]: 'ignored' }, body: modern })
  t.same([one.got.length, home.got.length], [1, 1])
})

t.test('a dead id and no header could be of any forge: the token goes to none', async t => {
  const home = await forgeOf(t, 'home')
  const settings = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }
  const server = await dynamic(t, { FORGE_API_URL: home.origin, ...settings })
  const good = { home: `${home.origin}/api/v4` }
  const store = new SealedSessionStore(testSealer({ now: () => Date.now() - 3_700_000, good }).sealer, {
    ttlSeconds: 3600,
    acceptsUrl: () => true,
    now: Date.now,
    random: pooledRandom()
  })
  const credential = { kind: 'private-token', token: TOKEN } as const
  const apiUrl = 'https://elsewhere.example/api/v4'
  const expired = store.carry(store.begin({ credential, apiUrl, activated: 0, version: '2025-11-25' }))!
  t.match(await ask(server, { [SID]: expired }), {
    status: 404,
    json: { error: { message: 'Session not found' } }
  })
  t.same(home.got, [])
  t.equal((await ask(server, { [SID]: expired, [URL_HEADER]: home.origin })).answered, 'home')
})

t.test('a sealed session ends when its forge is not allowed any more', async t => {
  const one = await forgeOf(t, 'one')
  const sealed = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }
  const before = await dynamic(t, sealed)
  const { sid } = await ask(before, { [URL_HEADER]: one.origin })
  const after = await dynamic(t, { ...sealed, FORGE_ALLOWED_HOSTS: 'forge.example' })
  t.equal((await ask(after, { [SID]: sid }, '')).status, 404)
  const off = await testServer(t, sealed)
  t.equal((await ask(off, { [SID]: sid }, '')).status, 404)
  t.equal(one.got.length, 1)
})

t.test('with the mode off the header is ignored', async t => {
  const [home, one] = [await forgeOf(t, 'home'), await forgeOf(t, 'one')]
  const server = await testServer(t, { FORGE_API_URL: home.origin })
  for (const url of [one.origin, 'nonsense', 'http://169.254.169.254'])
    t.equal((await ask(server, { [URL_HEADER]: url })).answered, 'home')
  t.same(one.got, [])
  t.equal(server.forges.pool.size, 0)
})

t.test(
  'FORGE_ALLOWED_HOSTS and FORGE_DENY_PRIVATE_ADDRESSES refuse with 403, FORGE_API_URL apart',
  async t => {
    const home = await forgeOf(t, 'home')
    const policies: Record<string, string>[] = [
      { FORGE_ALLOWED_HOSTS: 'forge.example' },
      { FORGE_DENY_PRIVATE_ADDRESSES: 'true' }
    ]
    for (const settings of policies) {
      const server = await dynamic(t, { FORGE_API_URL: home.origin, ...settings })
      t.equal((await ask(server, { [URL_HEADER]: 'http://127.0.0.1:9' })).status, 403)
      t.equal((await ask(server, { [URL_HEADER]: 'http://localhost' })).status, 403)
      t.equal((await ask(server, {})).answered, 'home')
      t.equal((await ask(server, { [URL_HEADER]: home.origin })).answered, 'home')
    }
  }
)

t.test('the home forge is reachable for its own sessions alone where private addresses are not', async t => {
  const home = await forgeOf(t, 'home')
  const named = home.origin.replace('127.0.0.1', 'localhost')
  const server = await dynamic(t, { FORGE_API_URL: named, FORGE_DENY_PRIVATE_ADDRESSES: 'true' })
  const get = async (of: 'home' | 'callers') => {
    const dispatcher = server.network.dispatcher(of)
    t.teardown(() => dispatcher.destroy())
    const limits = { maxBytes: 100, deadlineMs: 60_000 }
    return exchange(dispatcher, { origin: named, path: '/secret', method: 'GET' }, limits)
  }
  t.equal((await get('home')).status, 200)
  // As a redirect of a caller's own forge would lead there.
  await t.rejects(get('callers'), { name: 'ForgeError', fault: 'forbidden' })
  t.equal((await ask(server, { [URL_HEADER]: `${named}/other` })).status, 403)
  t.equal((await ask(server, { [URL_HEADER]: named })).answered, 'home')
})

t.test('the pool', async t => {
  t.test('refuses a further forge with 503 while all are in use, and makes room after', async t => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let isAsked = false
    const slow = await listen(t, async (_request, response) => {
      isAsked = true
      await held
      response.setHeader('content-type', 'application/json')
      response.end('{"name":"slow"}')
    })
    const other = await forgeOf(t, 'other')
    const server = await dynamic(t, { FORGE_POOL_MAX_SIZE: '1' })
    const busy = ask(server, { [URL_HEADER]: slow })
    await until(() => isAsked)
    const refused = await post(server, { headers: { [URL_HEADER]: other.origin }, body: getBranch })
    t.equal(refused.statusCode, 503)
    t.ok(refused.headers['retry-after'])
    t.match(refused.json(), { id: 1, error: { message: /^Server capacity reached/ } })
    t.same(other.got, [])
    release()
    t.equal((await busy).answered, 'slow')
    t.equal((await ask(server, { [URL_HEADER]: other.origin })).answered, 'other')
    t.equal(server.forges.pool.size, 1)
  })

  t.test('is told of at debug, in its own word', async t => {
    const log = captureLog()
    const [one, other] = [await forgeOf(t, 'one'), await forgeOf(t, 'other')]
    const server = await dynamic(t, { FORGE_POOL_MAX_SIZE: '1', LOG_LEVEL: 'debug' }, log.stream)
    for (const { origin } of [one, one, other]) await ask(server, { [URL_HEADER]: origin })
    const [here, there] = [one, other].map(({ origin }) => new URL(origin).host)
    t.same(
      log
        .lines()
        .filter(({ msg }) => String(msg).startsWith('pool client'))
        .map(({ msg, host, reason, size }) => [msg, host, size, reason]),
      [
        ['pool client made', here, 1, undefined],
        ['pool client reused', here, 1, undefined],
        ['pool client evicted', here, 0, 'lru'],
        ['pool client made', there, 1, undefined]
      ]
    )
  })

  t.test('closes what is idle', async t => {
    const log = captureLog()
    const { origin } = await forgeOf(t, 'one')
    const soon = { FORGE_POOL_IDLE_TIMEOUT: '20', FORGE_POOL_CLEANUP_INTERVAL: '10' }
    const server = await dynamic(t, { ...soon, LOG_LEVEL: 'debug' }, log.stream)
    await ask(server, { [URL_HEADER]: origin })
    await until(() => server.forges.pool.size === 0)
    t.match(log.lines('pool client evicted'), [{ reason: 'idle' }])
    t.equal((await ask(server, { [URL_HEADER]: origin })).answered, 'one')
  })
})

t.test('a session of FORGE_API_URL is pinged without any header', async t => {
  const server = await dynamic(t, { FORGE_API_URL: 'http://127.0.0.1:9' })
  t.equal((await post(server, { body: request('ping') })).statusCode, 200)
})

t.test('a forge that is ignored is named where the one that is asked does not know the token', async t => {
  const strict = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.writeHead(401).end('{"message":"401 Unauthorized"}')
  })
  const elsewhere = { [URL_HEADER]: 'https://other.example' }
  const told = async (FORGE_API_URL: string, headers: Record<string, string>) => {
    const server = await testServer(t, { FORGE_API_URL })
    const sid = String((await post(server, { headers, body: initialize() })).headers[SID])
    const response = await post(server, { headers: { ...headers, [SID]: sid }, body: getBranch })
    return response.json().result.content[0].text as string
  }
  t.match(
    await told(strict, elsewhere),
    /^The forge answered 401 .* X-Forge-API-URL is ignored by this server/
  )
  t.notMatch(await told(strict, {}), 'X-Forge-API-URL')
  const home = await forgeOf(t, 'home')
  t.notMatch(await told(home.origin, elsewhere), 'X-Forge-API-URL', 'it knows the token')
})

t.test('a forge that is ignored leaves a line, and the home forge named in another way none', async t => {
  const log = captureLog()
  const home = await forgeOf(t, 'home')
  const server = await testServer(t, { FORGE_API_URL: home.origin, LOG_LEVEL: 'warn' }, log.stream)
  const lines = async (url: string) => {
    await post(server, { headers: { [URL_HEADER]: url }, body: initialize() })
    return log.lines('X-Forge-API-URL names another forge and is ignored').length
  }
  t.equal(await lines(`${home.origin}/api/v4/`), 0)
  t.equal(await lines('https://other.example'), 1)
})

t.test('what the kernel holds of answers of callers’ forges is looked at again and again', async t => {
  let looks = 0
  t.capture(OpenConnections.prototype, 'look', async () => void looks++)
  await dynamic(t)
  await until(() => looks > 1)
})

t.test(
  'a connection that is cut for what the kernel holds is logged and counted as those of callers are',
  async t => {
    t.capture(OpenConnections.prototype, 'look', async (onCut: (holder: string) => void) =>
      onCut('192.0.2.1')
    )
    const log = captureLog()
    const server = await dynamic(t, { LOG_LEVEL: 'info' }, log.stream)
    await until(() => log.lines('connection cut').length > 0)
    t.match(log.lines('connection cut')[0], { reason: 'answers', address: '192.0.2.1' })
    const { body } = await server.inject({ url: '/metrics?format=prometheus' })
    t.match(body, /connections_cut_total\{reason="answers"\} [1-9]/)
  }
)
