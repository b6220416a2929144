import t, { type Test } from 'tap'
import { failureLimits } from '../../../src/fairness/credential-failures.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, initialize, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'

const ping = request('ping')

t.test('a session over MAX_REQUESTS_PER_MINUTE gets 429 in the documented words', async t => {
  const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '3' })
  const first = await post(server, { body: initialize() })
  const headers = { 'mcp-session-id': String(first.headers['mcp-session-id']) }
  for (let call = 0; call < 3; call++) t.equal((await post(server, { body: ping, headers })).statusCode, 200)
  const over = await post(server, { body: ping, headers })
  t.equal(over.statusCode, 429)
  const message = /^Rate limit exceeded: a session has 3 requests a minute\. Retry in \d+ s\.$/
  t.match(over.json(), { jsonrpc: '2.0', error: { code: -32000, message } })
  t.match(over.headers, {
    'retry-after': /^\d+$/,
    'ratelimit-limit': '3',
    'ratelimit-remaining': '0',
    'ratelimit-reset': /^\d+$/,
    'content-type': /^application\/json/
  })
})

t.test('one session at its limit takes nothing from another, even of the same credential', async t => {
  const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '2' })
  const open = async () => {
    const { headers } = await post(server, { body: initialize() })
    return { 'mcp-session-id': String(headers['mcp-session-id']) }
  }
  const [one, other] = [await open(), await open()]
  const statuses: number[] = []
  for (const headers of [one, one, one, other, other, other])
    statuses.push((await post(server, { body: ping, headers })).statusCode)
  t.same(statuses, [200, 200, 429, 200, 200, 429])
})

t.test('requests without a session id count for their credential, and are told so', async t => {
  const log = captureLog()
  const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '2', LOG_LEVEL: 'info' }, log.stream)
  for (const status of [200, 200, 429]) t.equal((await post(server, { body: ping })).statusCode, status)
  const words = 'a caller has 2 requests without a session of its own a minute.'
  t.match((await post(server, { body: ping })).json(), { error: { message: `exceeded: ${words} Retry in ` } })
  t.match(log.lines('request refused'), [
    { status: 429, reason: 'rate_limit', hint: `MAX_REQUESTS_PER_MINUTE: ${words}` }
  ])
  t.equal((await post(server, { body: ping, token: OTHER_TOKEN })).statusCode, 200)
})

t.test('who is refused for the credential is not counted, and health and metrics go on', async t => {
  const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '1' })
  for (let at = 0; at < 3; at++) t.equal((await post(server, { body: ping, token: '' })).statusCode, 401)
  await post(server, { body: ping })
  t.equal((await post(server, { body: ping })).statusCode, 429)
  for (const url of ['/livez', '/readyz', '/metrics'])
    for (let at = 0; at < 3; at++) t.equal((await server.inject(url)).statusCode, 200)
})

t.test('a session over its limit can still be ended', async t => {
  const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '1' })
  const first = await post(server, { body: initialize() })
  const headers = {
    host: 'localhost',
    'private-token': 'glpat-test-test-test-test',
    'mcp-session-id': String(first.headers['mcp-session-id'])
  }
  for (const status of [200, 429]) t.equal((await post(server, { body: ping, headers })).statusCode, status)
  t.equal((await server.inject({ method: 'DELETE', url: '/mcp', headers })).statusCode, 204)
})

/** A session that may send batches. */
async function batchSession(t: Test, settings: Record<string, string>) {
  const asked: string[] = []
  const forge = await listen(t, ({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"main"}')
  })
  const server = await testServer(t, { FORGE_API_URL: forge, ...settings })
  const first = await post(server, { body: initialize('2025-03-26') })
  const headers = { 'mcp-session-id': String(first.headers['mcp-session-id']) }
  return { asked, send: (body: unknown) => post(server, { headers, body }) }
}

const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

/** How many requests a session has left: it takes them all. */
async function requestsLeft(send: (body: unknown) => Promise<{ statusCode: number }>): Promise<number> {
  let left = 0
  while ((await send(ping)).statusCode === 200) left++
  return left
}

t.test('a batch counts for the requests in it, not for notifications and responses', async t => {
  const mixed = [ping, notification, ping, { jsonrpc: '2.0', id: 7, result: {} }, ping]
  const bodies: [body: unknown, statusCode: number, cost: number][] = [
    [mixed, 200, 3],
    [[notification, notification], 202, 1],
    [[ping], 200, 1],
    [Array(51).fill(ping), 400, 1],
    [ping, 200, 1]
  ]
  for (const [body, statusCode, cost] of bodies) {
    const { send } = await batchSession(t, { MAX_REQUESTS_PER_MINUTE: '10' })
    t.equal((await send(body)).statusCode, statusCode)
    t.equal(await requestsLeft(send), 10 - cost)
  }
})

t.test(
  'a batch over the limit is refused before anything of it is done, and one that fits is not',
  async t => {
    const { asked, send } = await batchSession(t, { MAX_REQUESTS_PER_MINUTE: '10' })
    const branches = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        call('get_branch', { project_id: '1', branch_name: `b${at}` }, at)
      )
    t.equal((await send(branches(4))).statusCode, 200)
    t.equal(asked.length, 4)
    const refused = await send(branches(7))
    t.equal(refused.statusCode, 429)
    t.match(refused.json(), { jsonrpc: '2.0', error: { code: -32000, message: /^Rate limit exceeded/ } })
    t.match(refused.headers, { 'retry-after': /^\d+$/, 'ratelimit-limit': '10', 'ratelimit-remaining': '5' })
    t.equal(asked.length, 4)
    t.equal((await send(branches(5))).statusCode, 200)
    t.equal(asked.length, 9)
    t.equal((await send(ping)).statusCode, 429)
  }
)

t.test('a batch that no wait makes fit is told so, and costs one request', async t => {
  const { send } = await batchSession(t, { MAX_REQUESTS_PER_MINUTE: '10' })
  const answer = await send(Array(11).fill(ping))
  t.equal(answer.statusCode, 429)
  t.notOk(answer.headers['retry-after'])
  t.match(answer.json(), { error: { message: /10 requests a minute, and the batch has more/ } })
  t.equal(await requestsLeft(send), 9)
})

t.test('batches at the same time do not get past the limit together', async t => {
  const { asked, send } = await batchSession(t, { MAX_REQUESTS_PER_MINUTE: '10' })
  const batch = Array.from({ length: 4 }, (_, at) =>
    call('get_branch', { project_id: '1', branch_name: 'b' }, at)
  )
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(batch)))
  const done = answers.filter(({ statusCode }) => statusCode === 200).length
  t.ok(done >= 1)
  t.equal(asked.length, 4 * done, 'of the others nothing was made')
  t.ok(asked.length <= 10)
})

const stateless = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }

t.test('0 is no limit', async t => {
  for (const settings of [{}, stateless]) {
    const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '0', ...settings })
    for (let at = 0; at < 5; at++) t.equal((await post(server, { body: ping })).statusCode, 200)
  }
})

t.test('in stateless mode nothing is counted unless callers have limits of their own', async t => {
  const server = await testServer(t, { ...stateless, MAX_REQUESTS_PER_MINUTE: '1' })
  for (let at = 0; at < 5; at++) t.equal((await post(server, { body: ping })).statusCode, 200)
  t.match((await server.inject('/metrics')).json(), { config: { maxRequestsPerMinute: 0 } })
})

t.test('in stateless mode a caller has one limit, however many sessions it says it has', async t => {
  const server = await testServer(t, {
    ...stateless,
    MAX_REQUESTS_PER_MINUTE: '9',
    MAX_CALLER_REQUESTS_PER_MINUTE: '3'
  })
  const open = async () => String((await post(server, { body: initialize() })).headers['mcp-session-id'])
  const sids = [await open(), await open(), await open()]
  const over = await post(server, { body: ping, headers: { 'mcp-session-id': sids[1]! } })
  t.equal(over.statusCode, 429)
  t.match(over.json(), { error: { message: /^Rate limit exceeded: a caller has 3 requests a minute/ } })
  t.equal(
    (await post(server, { body: ping, headers: { 'mcp-session-id': sids[2]! }, token: '' })).statusCode,
    429
  )
  t.equal((await post(server, { body: ping, token: OTHER_TOKEN })).statusCode, 200)
  const record = (await server.inject('/metrics')).json()
  t.match(record, { rejectedByRateLimit: 2, config: { maxSessions: 0, maxRequestsPerMinute: 3 } })
  const { body } = await server.inject('/metrics?format=prometheus')
  t.notMatch(body, 'forge_mcp_sessions_max', 'which does not hold')
})

t.test('in stateless mode a token is one caller’s, whichever header brings it', async t => {
  const server = await testServer(t, { ...stateless, MAX_CALLER_REQUESTS_PER_MINUTE: '2' })
  const bearer = { token: '', headers: { authorization: `Bearer ${TOKEN}` } }
  const job = { token: '', headers: { 'job-token': TOKEN } }
  const statuses: number[] = []
  for (const how of [{}, bearer, {}, bearer, job])
    statuses.push((await post(server, { body: ping, ...how })).statusCode)
  t.same(statuses, [200, 200, 429, 429, 429])
})

t.test('in stateless mode made-up callers of one address make nobody else’s count begin anew', async t => {
  const server = await testServer(t, {
    ...stateless,
    MAX_SESSIONS: '1',
    MAX_CALLER_REQUESTS_PER_MINUTE: '1'
  })
  const ask = async (token: string, remoteAddress: string) =>
    (
      await server.inject({
        method: 'POST',
        url: '/mcp',
        remoteAddress,
        headers: { host: 'localhost', 'content-type': 'application/json', 'private-token': token },
        payload: JSON.stringify(ping)
      })
    ).statusCode
  t.equal(await ask(TOKEN, '192.0.2.1'), 200)
  for (let at = 0; at < 1001; at++) await ask(`glpat-made-up-made-up-${at}`, '192.0.2.2')
  t.equal(await ask(TOKEN, '192.0.2.1'), 429)
})

t.test('in stateless mode calls that change things have a limit of their own', async t => {
  const log = captureLog()
  const forge = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"iid":1}')
  })
  const settings = {
    ...stateless,
    FORGE_API_URL: forge,
    MAX_CALLER_WRITES_PER_MINUTE: '2',
    LOG_LEVEL: 'info'
  }
  const server = await testServer(t, settings, log.stream)
  const write = call('create_issue', { project_id: '1', title: 'x' })
  for (const status of [200, 200, 429]) t.equal((await post(server, { body: write })).statusCode, status)
  t.match((await post(server, { body: write })).json(), {
    error: { message: /^Rate limit exceeded: a caller has 2 calls that change things a minute/ }
  })
  const read = await post(server, { body: call('get_issue', { project_id: '1', issue_iid: 1 }) })
  t.equal(read.statusCode, 200)
  t.equal((await post(server, { body: write, token: OTHER_TOKEN })).statusCode, 200)
  t.same(
    log.lines('tool call').map(({ outcome }) => outcome),
    ['ok', 'ok', 'rate_limit', 'rate_limit', 'ok', 'ok']
  )
  t.match(log.lines('request refused')[0], {
    reason: 'write_limit',
    hint: 'MAX_CALLER_WRITES_PER_MINUTE: a caller has 2 calls that change things a minute.'
  })
  const { body } = await server.inject('/metrics?format=prometheus')
  t.match(body, /requests_rejected_total\{reason="write_limit"\} 2\n/)
})

t.test('an expired token that is tried again and again shuts nobody else out', async t => {
  const forge = await listen(t, (_request, response) => response.writeHead(401).end())
  const server = await testServer(t, { FORGE_API_URL: forge })
  const branch = call('get_branch', { project_id: '1', branch_name: 'main' })
  for (let at = 0; at <= failureLimits.failures; at++) await post(server, { body: branch })
  t.equal((await post(server, { body: branch, token: OTHER_TOKEN })).statusCode, 200)
})

t.test('each call with a token that the forge does not accept is counted, whoever holds that', async t => {
  let status = 200
  const forge = await listen(t, (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"name":"main"}')
  )
  const fixed = { REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: TOKEN }
  for (const settings of [{}, stateless, fixed]) {
    status = 200
    const server = await testServer(t, { FORGE_API_URL: forge, ...settings })
    const calls = async (count: number) => {
      const body = call('get_branch', { project_id: '1', branch_name: 'main' })
      for (let at = 0; at < count; at++) await post(server, { body })
      const { body: text } = await server.inject('/metrics?format=prometheus')
      return /auth_failures_total\{reason="rejected"\} (\d+)/.exec(text)?.[1]
    }
    t.equal(await calls(1), '0')
    status = 401
    t.equal(await calls(3), '3', 'revoked since')
  }
})

t.test(
  'an address whose tokens the forge refuses is refused itself, but for tokens that are known to be good',
  async t => {
    const forge = await listen(t, ({ headers }, response) => {
      response.writeHead(headers['private-token'] === TOKEN ? 200 : 401, {
        'content-type': 'application/json'
      })
      response.end('{"name":"main"}')
    })
    const { port } = new URL(forge)
    // The home forge by another of its names, as if it were the caller's own.
    const dynamic = { ENABLE_DYNAMIC_API_URL: 'true' }
    for (const [settings, named] of [
      [{}, {}],
      [stateless, {}],
      [dynamic, { 'x-forge-api-url': `http://localhost:${port}` }]
    ] as const) {
      const server = await testServer(t, { FORGE_API_URL: forge, ...settings })
      const branch = call('get_branch', { project_id: '1', branch_name: 'main' })
      const statusOf = async (token: string, remoteAddress = '127.0.0.1', more = {}) => {
        const headers = {
          host: 'localhost',
          'content-type': 'application/json',
          'private-token': token,
          ...more
        }
        const request = {
          method: 'POST',
          url: '/mcp',
          headers,
          payload: JSON.stringify(branch),
          remoteAddress
        } as const
        return (await server.inject(request)).statusCode
      }
      t.equal(await statusOf(TOKEN), 200)
      const statuses = new Set<number>()
      for (let at = 0; at < failureLimits.failures; at++)
        statuses.add(await statusOf(`glpat-made-up-made-up-${at}`, undefined, named))
      t.same([...statuses], [200])
      t.equal(await statusOf('glpat-made-up-made-up-late'), 429)
      t.equal(await statusOf(TOKEN), 200)
      t.equal(await statusOf('glpat-made-up-made-up-late', '192.0.2.1'), 200)
      const { body } = await server.inject('/metrics?format=prometheus')
      t.match(body, /requests_rejected_total\{reason="failed_credentials"\} 1\n/)
      const failed = failureLimits.failures + 1
      t.match(body, `auth_failures_total{reason="rejected"} ${failed}\n`, 'each call that was refused')
    }
  }
)

t.test(
  'a page that says 401 in the forge’s place is no refusal of a token, and bounds strangers all the same',
  async t => {
    const gate = await listen(t, (_request, response) =>
      response.writeHead(401, { 'content-type': 'text/html' }).end('<html>Log in</html>')
    )
    const server = await testServer(t, { FORGE_API_URL: gate })
    const several = { project_id: '1', issues: [1, 2].map(issue_iid => ({ issue_iid, title: 'x' })) }
    const bodies = [
      call('get_branch', { project_id: '1', branch_name: 'main' }),
      call('update_issues', several)
    ]
    const statusOf = async (at: number) =>
      (await post(server, { body: bodies[at % 2]!, token: `glpat-made-up-made-up-${at}` })).statusCode
    for (let at = 0; at < failureLimits.byPages; at++)
      if ((await statusOf(at)) !== 200) t.fail(`${at} of them`)
    t.equal(await statusOf(failureLimits.byPages), 429)
    const { body: text } = await server.inject('/metrics?format=prometheus')
    t.match(text, /auth_failures_total\{reason="rejected"\} 0\n/)
  }
)
