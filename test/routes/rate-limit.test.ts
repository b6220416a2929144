import t from 'tap'
import { secretOf } from '../support/sealing.ts'
import { initialize, OTHER_TOKEN, post, request, testServer } from '../support/server.ts'

const ping = request('ping')

t.test('a session over MAX_REQUESTS_PER_MINUTE gets 429 in the documented words', async t => {
  const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '3' })
  const first = await post(server, { body: initialize() })
  const headers = { 'mcp-session-id': String(first.headers['mcp-session-id']) }
  for (const left of ['2', '1', '0']) {
    const answer = await post(server, { body: ping, headers })
    t.equal(answer.statusCode, 200)
    t.match(answer.headers, { 'ratelimit-limit': '3', 'ratelimit-remaining': left, 'ratelimit-reset': '60' })
  }
  const over = await post(server, { body: ping, headers })
  t.equal(over.statusCode, 429)
  t.match(over.json(), { jsonrpc: '2.0', error: { code: -32000, message: /^Rate limit exceeded/ } })
  t.match(over.headers, {
    'retry-after': /^\d+$/,
    'ratelimit-remaining': '0',
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

t.test('requests without a session id count for their credential', async t => {
  const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '2' })
  for (const status of [200, 200, 429]) t.equal((await post(server, { body: ping })).statusCode, status)
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

t.test('the answer to DELETE counts too', async t => {
  const server = await testServer(t, { MAX_REQUESTS_PER_MINUTE: '1' })
  const first = await post(server, { body: initialize() })
  const headers = {
    host: 'localhost',
    'private-token': 'glpat-test-test-test-test',
    'mcp-session-id': String(first.headers['mcp-session-id'])
  }
  await post(server, { body: ping, headers })
  t.equal((await server.inject({ method: 'DELETE', url: '/mcp', headers })).statusCode, 429)
})

t.test('0 is no limit, and in stateless mode there is none', async t => {
  const stateless = {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secretOf('one'),
    MAX_REQUESTS_PER_MINUTE: '1'
  }
  for (const settings of [{ MAX_REQUESTS_PER_MINUTE: '0' }, stateless]) {
    const server = await testServer(t, settings)
    for (let at = 0; at < 5; at++) {
      const answer = await post(server, { body: ping })
      t.equal(answer.statusCode, 200)
      t.notOk(answer.headers['ratelimit-limit'])
    }
  }
})
