import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { principalOf } from '../../../src/session/credential.ts'
import { freePort } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, initialize, post, request, TOKEN, testServer } from '../../support/server.ts'

const scrape = { accept: 'text/plain;version=0.0.4' }

const astray = { host: 'evil.example' }

/** A forge whose every answer is one branch. */
async function branchForge(t: Test): Promise<string> {
  const forge = createServer((request, response) => {
    response.statusCode = request.url?.includes('missing') ? 404 : 200
    response.setHeader('content-type', 'application/json')
    response.end('{"name":"main"}')
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  return `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
}

t.test('JSON is the documented record, field by field', async t => {
  const server = await testServer(t, {
    MAX_SESSIONS: '5',
    MAX_REQUESTS_PER_MINUTE: '60',
    SESSION_TIMEOUT_SECONDS: '100'
  })
  const answer = await server.inject('/metrics')
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, {
    'content-type': /^application\/json/,
    vary: 'Accept',
    'cache-control': 'no-store'
  })
  const record = answer.json()
  const number = Number.isFinite
  t.ok(number(record.uptime) && !Number.isInteger(record.uptime), 'uptime is in seconds, with fraction')
  for (const field of ['rss', 'heapTotal', 'heapUsed', 'external'])
    t.ok(number(record.memoryUsage[field]), field)
  t.equal(Object.keys(record.memoryUsage).length, 4)
  t.strictSame(
    { ...record, uptime: 0, memoryUsage: 0 },
    {
      activeSessions: 0,
      totalSessions: 0,
      expiredSessions: 0,
      authFailures: 0,
      requestsProcessed: 0,
      rejectedByRateLimit: 0,
      rejectedByCapacity: 0,
      authenticatedSessions: 0,
      uptime: 0,
      memoryUsage: 0,
      config: {
        maxSessions: 5,
        maxRequestsPerMinute: 60,
        sessionTimeoutSeconds: 100,
        remoteAuthEnabled: true
      }
    }
  )
})

t.test('JSON and text tell the same of sessions, failures and rejections', async t => {
  const server = await testServer(t, {
    MAX_SESSIONS: '2',
    MAX_REQUESTS_PER_MINUTE: '3',
    FORGE_API_URL: await branchForge(t)
  })
  const branch = call('get_branch', { project_id: '1', branch_name: 'main' })
  const first = await post(server, { body: initialize() })
  const sid = String(first.headers['mcp-session-id'])
  await post(server, { body: branch, headers: { 'mcp-session-id': sid } })
  for (let at = 0; at < 3; at++)
    await post(server, { body: request('ping'), headers: { 'mcp-session-id': sid } })
  await post(server, { body: branch, token: 'glpat-second-second-second' })
  const full = await post(server, { body: initialize(), token: 'glpat-third-third-third-3' })
  t.equal(full.statusCode, 503)
  await post(server, { body: request('ping'), token: '' })
  await post(server, { body: request('ping'), token: 'short' })
  await post(server, { body: request('ping'), headers: { 'mcp-session-id': 'made-up' } })
  await post(server, {
    body: request('ping'),
    headers: { host: 'evil.example', origin: 'https://evil.example' }
  })

  const record = (await server.inject('/metrics')).json()
  t.match(record, {
    activeSessions: 2,
    authenticatedSessions: 2,
    totalSessions: 2,
    authFailures: 2,
    rejectedByRateLimit: 1,
    rejectedByCapacity: 1
  })
  const text = (await server.inject({ url: '/metrics', headers: scrape })).body
  for (const line of [
    'forge_mcp_sessions_active 2',
    'forge_mcp_sessions_created_total 2',
    'forge_mcp_auth_failures_total{reason="missing"} 1',
    'forge_mcp_auth_failures_total{reason="format"} 1',
    'forge_mcp_requests_rejected_total{reason="session"} 1',
    'forge_mcp_requests_rejected_total{reason="rate_limit"} 1',
    'forge_mcp_requests_rejected_total{reason="capacity"} 1',
    'forge_mcp_requests_rejected_total{reason="overload"} 0',
    `forge_mcp_messages_total ${record.requestsProcessed}`
  ])
    t.ok(text.includes(`\n${line}\n`), line)
  t.match(text, /\nforge_mcp_requests_rejected_total\{reason="(host|origin)"\} 1\n/)
})

t.test('X-Forge-API-URL headers that cannot be used are counted, by what is wrong', async t => {
  const header = 'x-forge-api-url'
  const settings = { ENABLE_DYNAMIC_API_URL: 'true' }
  const counts = async (server: FastifyInstance) => {
    const text = (await server.inject({ url: '/metrics', headers: scrape })).body
    return [...text.matchAll(/^forge_mcp_requests_rejected_total\{reason="url_(\w+)"\} (\d+)$/gm)].map(
      ([, reason, count]) => `${reason} ${count}`
    )
  }
  const home = await testServer(t, settings)
  t.same(await counts(home), ['missing 0', 'invalid 0', 'forbidden 0'])
  t.equal((await post(home, { headers: { [header]: 'nonsense' }, body: initialize() })).statusCode, 200)
  t.equal(
    (await post(home, { headers: { [header]: 'http://[fe80::1]' }, body: initialize() })).statusCode,
    403
  )
  t.same(await counts(home), ['missing 0', 'invalid 1', 'forbidden 1'], 'also where FORGE_API_URL stands in')

  const none = await testServer(t, { ...settings, FORGE_API_URL: undefined as never })
  t.equal((await post(none, { headers: { [header]: 'nonsense' }, body: initialize() })).statusCode, 400)
  t.equal((await post(none, { body: initialize() })).statusCode, 400)
  t.same(await counts(none), ['missing 1', 'invalid 1', 'forbidden 0'])
  t.match((await none.inject('/metrics')).json(), { authFailures: 0, rejectedByCapacity: 0 })
})

/** Moves what is done at intervals by hand. @returns what lets so many milliseconds go by */
function byHand(t: Test): (ms: number) => void {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const elapsed = performance.now()
  let gone = 0
  t.intercept(performance, 'now', { value: () => elapsed + gone })
  return ms => {
    gone += ms
    mock.timers.tick(ms)
  }
}

t.test('the lines of a session say whose it was, however it ends', async t => {
  const goBy = byHand(t)
  const log = captureLog()
  const server = await testServer(t, { SESSION_TIMEOUT_SECONDS: '100', LOG_LEVEL: 'debug' }, log.stream)
  const sid = (await post(server, { body: initialize() })).headers['mcp-session-id'] as string
  await post(server, { body: initialize() })
  const headers = { host: 'localhost', 'private-token': TOKEN, 'mcp-session-id': sid }
  await server.inject({ method: 'DELETE', url: '/mcp', headers })
  goBy(160_000)
  const whose = {
    principal: principalOf({ kind: 'private-token', token: TOKEN }),
    address: '127.0.0.1'
  }
  t.match(
    ['session created', 'session ended', 'session expired'].map(message => log.lines(message)),
    [[whose, whose], [whose], [whose]]
  )
})

t.test('an idle session ends within a minute, is counted and logged, though nobody calls', async t => {
  const goBy = byHand(t)
  const log = captureLog()
  const server = await testServer(t, { SESSION_TIMEOUT_SECONDS: '100', LOG_LEVEL: 'debug' }, log.stream)
  await post(server, { body: initialize() })
  goBy(100_000)
  t.same(log.lines('session expired'), [])
  goBy(60_000)
  t.equal(log.lines('session expired').length, 1)
  t.match((await server.inject('/metrics')).json(), {
    activeSessions: 0,
    totalSessions: 1,
    expiredSessions: 1
  })
})

t.test('calls are timed by tool and outcome, and what the forge took by class of status', async t => {
  const server = await testServer(t, {
    FORGE_API_URL: await branchForge(t),
    FORGE_DENIED_TOOLS_REGEX: 'list_pipelines'
  })
  await post(server, { body: call('get_branch', { project_id: '1', branch_name: 'main' }) })
  await post(server, { body: call('get_branch', { project_id: '1', branch_name: 'missing' }) })
  await post(server, { body: call('get_branch', {}) })
  await post(server, { body: call('list_pipelines', { project_id: '1' }) })
  await post(server, { body: call('no_such_tool_7f3') })
  const text = (await server.inject({ url: '/metrics', headers: scrape })).body
  const count = (labels: string) =>
    Number(new RegExp(`_seconds_count\\{${labels}\\} (\\d+)`).exec(text)?.[1] ?? Number.NaN)
  const operation = (tool: string, outcome: string) =>
    count(`mcp_method="tools/call",tool="${tool}",outcome="${outcome}"`)
  t.equal(operation('get_branch', 'ok'), 1)
  t.equal(operation('get_branch', 'tool_error'), 2)
  t.equal(operation('list_pipelines', 'refused'), 1)
  t.equal(operation('other', 'rpc_error'), 1)
  t.equal(count('forge="home",outcome="2xx"'), 1)
  t.equal(count('forge="home",outcome="4xx"'), 1)
  t.equal(count('method="POST",route="/mcp",status="200"'), 5)
  t.notMatch(text, /no_such_tool/, 'what a caller wrote is no label')
  t.notMatch(text, /glpat|v1\.sid/)
})

t.test('a defect is counted wherever a request meets it, from 0 on', async t => {
  const server = await testServer(t, { FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' })
  const faults = async () => {
    const text = (await server.inject({ url: '/metrics', headers: scrape })).body
    return /^forge_mcp_faults_total (\d+)$/m.exec(text)?.[1]
  }
  t.equal(await faults(), '0')
  const defect = () => {
    throw new Error('a defect')
  }
  Object.assign(server.oauth!.proxy, { random: defect })
  t.equal((await server.inject('/authorize')).statusCode, 500)
  t.equal(await faults(), '1')

  const other = await testServer(t)
  Object.assign(other.mcp, { callTool: async () => defect() })
  t.equal((await post(other, { body: call('get_branch') })).statusCode, 500)
  t.equal(other.metrics.faults.total(), 1)
  Object.assign(other.sessions, { open: defect })
  t.equal((await post(other, { headers: { 'mcp-session-id': 'x' }, body: initialize() })).statusCode, 500)
  t.equal(other.metrics.faults.total(), 2)
})

t.test('other methods are timed too, without a tool; what is none of them is not', async t => {
  const server = await testServer(t)
  const { headers } = await post(server, { body: initialize() })
  const sid = { 'mcp-session-id': String(headers['mcp-session-id']) }
  for (const method of ['ping', 'tools/list', 'initialize', 'made/up'])
    await post(server, { headers: sid, body: request(method) })
  const modern = (method: string) =>
    post(server, {
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      body: request(method, {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {}
        }
      })
    })
  for (const method of ['server/discover', 'tools/list']) t.equal((await modern(method)).statusCode, 200)
  const text = (await server.inject({ url: '/metrics', headers: scrape })).body
  const counts = [...text.matchAll(/operation_duration_seconds_count\{(.*)\} (\d+)/g)]
  t.same(counts.map(([, labels, count]) => `${labels} ${count}`).sort(), [
    'mcp_method="initialize",tool="",outcome="ok" 1',
    'mcp_method="initialize",tool="",outcome="rpc_error" 1',
    'mcp_method="ping",tool="",outcome="ok" 1',
    'mcp_method="server/discover",tool="",outcome="ok" 1',
    'mcp_method="tools/list",tool="",outcome="ok" 2'
  ])
})

t.test('a forge that cannot be reached, and paths nobody serves, are counted by kind', async t => {
  const server = await testServer(t)
  await post(server, { body: call('get_branch', { project_id: '1', branch_name: 'main' }) })
  await server.inject('/made/up/path')
  const text = (await server.inject({ url: '/metrics', headers: scrape })).body
  t.match(text, /upstream_request_duration_seconds_count\{forge="home",outcome="unreachable"\} [1-9]/)
  t.match(text, /http_request_duration_seconds_count\{method="GET",route="unmatched",status="404"\} 1\n/)
})

t.test('text has the state of the process, and what is being answered', async t => {
  const server = await testServer(t)
  const { body, headers } = await server.inject({ url: '/metrics', headers: scrape })
  t.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  t.equal(headers.vary, 'Accept')
  for (const name of [
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
    'process_resident_memory_bytes'
  ])
    t.match(body, new RegExp(`\\n${name} [\\d.e+-]+\\n`), name)
  t.match(body, /\nforge_mcp_http_requests_in_flight 1\n/)
  t.match(body, /\nforge_mcp_build_info\{version="\d+\.\d+\.\d+"\} 1\n/)
  t.match(body, /\nforge_mcp_draining 0\n/)
})

t.test('OpenMetrics goes to those who rank it first', async t => {
  const server = await testServer(t)
  const accept = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2'
  const { body, headers } = await server.inject({ url: '/metrics', headers: { accept } })
  t.equal(headers['content-type'], 'application/openmetrics-text; version=1.0.0; charset=utf-8')
  t.ok(body.endsWith('\n# EOF\n'))
  t.match(body, /# TYPE forge_mcp_sessions_created counter\nforge_mcp_sessions_created_total 0\n/)
  t.match(body, /# TYPE process_cpu_seconds counter\nprocess_cpu_seconds_total /)
})

t.test('?format decides without Accept; one that is none is refused', async t => {
  const server = await testServer(t)
  t.match((await server.inject('/metrics?format=prometheus')).headers['content-type'], /^text\/plain/)
  const json = await server.inject({ url: '/metrics?format=json', headers: scrape })
  t.match(json.headers['content-type'], /^application\/json/)
  t.equal((await server.inject('/metrics?format=xml')).statusCode, 400)
  t.equal((await server.inject('/metrics?format=json&format=xml')).statusCode, 400)
})

t.test('HEAD answers as GET does, without a body; other methods are not served', async t => {
  const server = await testServer(t)
  const { statusCode, headers, body } = await server.inject({
    method: 'HEAD',
    url: '/metrics',
    headers: scrape
  })
  t.equal(statusCode, 200)
  t.match(headers['content-type'], /^text\/plain/)
  t.equal(body, '')
  t.equal((await server.inject({ method: 'POST', url: '/metrics' })).statusCode, 405)
})

t.test('no credential is needed, and a scraper comes by address', async t => {
  const server = await testServer(t, { MCP_ALLOWED_HOSTS: 'mcp.example' })
  const status = async (headers: Record<string, string>) =>
    (await server.inject({ url: '/metrics', headers })).statusCode
  for (const host of ['10.1.2.3:3000', '10.1.2.3', '[2001:db8::1]:3000', 'mcp.example', 'localhost:3000'])
    t.equal(await status({ host }), 200, host)
})

t.test('a page that a name was made to lead here reads no metrics', async t => {
  const server = await testServer(t, { MCP_ALLOWED_HOSTS: 'mcp.example' })
  const status = async (headers: Record<string, string>) =>
    (await server.inject({ url: '/metrics', headers })).statusCode
  for (const host of ['evil.example', 'evil.example:3000', '10.1.2.3.evil.example', '10.1.2', '[::1'])
    t.equal(await status({ host }), 403, host)
  t.equal(await status({ host: 'mcp.example', origin: 'https://evil.example' }), 403)
  const refused = await server.inject({ url: '/metrics', headers: { host: 'evil.example' } })
  t.match(refused.json(), { error: /^Host not allowed/ })
})

t.test('a Host that is not served is counted at whichever route it is refused', async t => {
  const settings = { FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
  const server = await testServer(t, settings)
  const refused = () => server.metrics.rejected.total(([reason]) => reason === 'host')
  for (const [at, url] of ['/', '/metrics', '/authorize', '/mcp'].entries()) {
    t.equal(
      (await server.inject({ url, method: url === '/mcp' ? 'DELETE' : 'GET', headers: astray })).statusCode,
      403
    )
    t.equal(refused(), at + 1, url)
  }
})

t.test('scrapes over the limit of METRICS_PORT are logged and counted, and are no calls', async t => {
  const log = captureLog()
  const port = await freePort()
  const server = await testServer(t, { LOG_LEVEL: 'info', METRICS_PORT: String(port) }, log.stream)
  const scraped = (method = 'GET') => fetch(`http://127.0.0.1:${port}/metrics`, { method })
  for (let at = 0; at < 120; at++) await (await scraped('HEAD')).text()
  const refused = await scraped()
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  t.match(log.lines('request refused'), [
    { status: 429, reason: 'scrape_limit', address: '127.0.0.1', path: '/metrics' }
  ])
  t.equal(
    server.metrics.rejected.total(([reason]) => reason === 'scrape_limit'),
    1
  )
  const elsewhere = await server.inject({ url: '/metrics', remoteAddress: '192.0.2.2' })
  t.equal(elsewhere.json().rejectedByRateLimit, 0)
})

t.test('what METRICS_PORT does not serve is logged there', async t => {
  const log = captureLog()
  const port = await freePort()
  await testServer(t, { LOG_LEVEL: 'info', METRICS_PORT: String(port) }, log.stream)
  for (const path of ['/mcp', '/metrics'])
    await (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' })).text()
  t.match(log.lines('request refused'), [
    { status: 404, reason: 'path', address: '127.0.0.1' },
    { status: 405, reason: 'method', path: '/metrics' }
  ])
})

t.test('an address has 120 scrapes a minute, and another one its own', async t => {
  const server = await testServer(t)
  const scraped = async (remoteAddress: string) => server.inject({ url: '/metrics', remoteAddress })
  for (let at = 0; at < 120; at++) await scraped('192.0.2.1')
  const refused = await scraped('192.0.2.1')
  t.equal(refused.statusCode, 429)
  t.match(refused.json(), { error: /120 scrapes a minute/ })
  t.ok(Number(refused.headers['retry-after']) > 0)
  t.equal((await scraped('192.0.2.2')).statusCode, 200)
})

t.test('the scrapes of an address at either port have one limit', async t => {
  const port = await freePort()
  const server = await testServer(t, { METRICS_PORT: String(port) })
  for (let at = 0; at < 120; at++) await server.inject('/metrics')
  const refused = await fetch(`http://127.0.0.1:${port}/metrics`)
  t.equal(refused.status, 429)
  const wait = Number(refused.headers.get('retry-after'))
  t.ok(wait > 0 && wait <= 60)
})

t.test('in stateless mode sessions alive are 0', async t => {
  const server = await testServer(t, {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secretOf('one')
  })
  await post(server, { body: initialize() })
  t.match((await server.inject('/metrics')).json(), { activeSessions: 0, authenticatedSessions: 0 })
})

t.test('METRICS_PORT serves text alone, whatever Accept says', async t => {
  const port = await freePort()
  await testServer(t, { METRICS_PORT: String(port) })
  const url = `http://127.0.0.1:${port}`
  const answer = await fetch(`${url}/metrics?x=1`, { headers: { accept: 'application/json' } })
  t.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  t.match(await answer.text(), /forge_mcp_sessions_active 0/)
  const open = await fetch(`${url}/metrics`, { headers: { accept: 'application/openmetrics-text' } })
  t.match(open.headers.get('content-type'), /^application\/openmetrics-text/)
  await open.text()
  const head = await fetch(`${url}/metrics`, { method: 'HEAD' })
  t.equal(head.status, 200)
  t.equal(await head.text(), '')
  const astray = await fetch(`${url}/mcp`, { method: 'POST' })
  t.equal(astray.status, 404)
  t.match(await astray.text(), /\/metrics alone; MCP is served on PORT/)
  t.equal((await fetch(`${url}/metrics`, { method: 'POST' })).status, 405)
})

t.test('a METRICS_PORT that is taken stops the start', async t => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  await t.rejects(testServer(t, { METRICS_PORT: String(port) }), { code: 'EADDRINUSE' })
  await t.rejects(testServer(t, { PORT: '3000', METRICS_PORT: '3000' }), /METRICS_PORT must differ/)
})

t.test('many who scrape at once share a few texts, and the next gets a new one', async t => {
  const server = await testServer(t)
  const text = async (at: number) => {
    const answer = await server.inject({ url: '/metrics', headers: scrape, remoteAddress: `192.0.2.${at}` })
    t.equal(answer.statusCode, 200)
    return answer.body
  }
  // Where the machine is slow some come later, and get others.
  const started = performance.now()
  const texts = await Promise.all(Array.from({ length: 40 }, (_, at) => text(at)))
  const windows = 1 + Math.ceil((performance.now() - started) / 250)
  const different = new Set(texts)
  t.ok(different.size <= 4 * windows && different.size < texts.length, `${different.size} texts`)
  await new Promise(resolve => setTimeout(resolve, 300))
  t.notOk(different.has(await text(41)))
})

t.test('a log that cannot be written is told of, and the lines that are lost', async t => {
  const log = { write() {}, lost: 0, failing: false }
  const server = await testServer(t, {}, log)
  const told = async () => {
    const { body } = await server.inject({ url: '/metrics', headers: scrape })
    return ['log_lines_lost', 'log_failing'].map(
      name => new RegExp(`^forge_mcp_${name} (\\d+)`, 'm').exec(body)?.[1]
    )
  }
  t.same(await told(), ['0', '0'])
  Object.assign(log, { lost: 3, failing: true })
  t.same(await told(), ['3', '1'])
})
