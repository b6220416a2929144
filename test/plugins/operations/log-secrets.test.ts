import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import t from 'tap'
import { logOptions } from '../../../src/log/log.ts'
import { withoutTokens } from '../../../src/log/without-tokens.ts'
import { captureLog } from '../../support/log.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, initialize, post, request, testServer } from '../../support/server.ts'

// One that no shape of a token tells: only not writing it keeps it out.
const TOKEN = 'Zq8vXw3nL0pKs7TbYc2R'
const COOKIE = 'sessioncookie-5d1f0c'

t.test('at the most talkative level neither token, session id nor cookie is written', async t => {
  const forge = createServer((request, response) => {
    // Says back what it was sent, as badly made forges do.
    response.statusCode = request.url?.includes('boom') ? 500 : 200
    response.setHeader('content-type', 'application/json')
    const { headers } = request
    if (request.url?.includes('hang')) request.socket.destroy()
    else if (request.url?.includes('page')) response.end(`<html>${JSON.stringify(headers)}`)
    else response.end(JSON.stringify({ message: headers }))
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  const api = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
  const modes: Record<string, string>[] = [
    {},
    { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') },
    { MAX_REQUESTS_PER_MINUTE: '5' },
    { MAX_SESSIONS: '1' }
  ]
  for (const settings of modes) {
    const log = captureLog()
    const server = await testServer(t, { FORGE_API_URL: api, LOG_LEVEL: 'trace', ...settings }, log.stream)
    const cookie = `id=${COOKIE}`
    const first = await post(server, { body: initialize(), token: TOKEN, headers: { cookie } })
    const sid = String(first.headers['mcp-session-id'])
    t.ok(sid.length > 20)
    const bearer = { authorization: `Bearer ${TOKEN}` }
    const session = { 'mcp-session-id': sid }
    const credentials: Record<string, string>[] = [
      session,
      { ...session, 'private-token': TOKEN },
      { ...session, ...bearer },
      { 'job-token': TOKEN },
      { 'mcp-session-id': `${sid.slice(0, -2)}zz` },
      { ...bearer, 'mcp-session-id': 'v1.sid.made-up' },
      { 'private-token': `${TOKEN} with blanks` },
      { ...bearer, origin: `https://${TOKEN}.example` },
      { 'private-token': TOKEN, host: `${TOKEN}.example` },
      { 'private-token': TOKEN, 'x-request-id': `<${TOKEN}>` },
      {
        'private-token': TOKEN,
        'x-forge-api-url': `https://user:${TOKEN}@forge.example/?private_token=${TOKEN}`
      }
    ]
    const bodies = [
      ...['main', 'boom', 'page'].map(branch_name => call('get_branch', { project_id: '1', branch_name })),
      request('tools/list'),
      `{"jsonrpc": ${TOKEN}`,
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":1}}',
      ''
    ]
    for (const headers of credentials)
      for (const body of bodies) await post(server, { body, token: '', headers: { ...headers, cookie } })
    // Not with each of them: a read that breaks is tried again.
    const hang = call('get_branch', { project_id: '1', branch_name: 'hang' })
    await post(server, { body: hang, token: TOKEN, headers: { cookie } })
    for (const url of [`/mcp?token=${TOKEN}`, `/${TOKEN}`, `/metrics?format=${TOKEN}`])
      await server.inject({ url, headers: { cookie, ...bearer } })
    await server.inject({
      method: 'DELETE',
      url: '/mcp',
      headers: { host: 'localhost', ...bearer, ...session }
    })

    t.ok(log.lines().length > 0, 'there is a log')
    for (const [name, secret] of Object.entries({
      TOKEN,
      COOKIE,
      sid,
      'sealed part': sid.split('.').at(-1)!
    }))
      t.notOk(log.text().includes(secret), name)
  }
})

t.test('a request, an answer or an error that somebody logs whole shows the allowed fields only', async t => {
  const log = captureLog()
  const logger = pino(logOptions({ LOG_LEVEL: 'trace' }), log.stream)
  const error = Object.assign(
    new Error(`failed for https://me:${TOKEN}@forge.example/?private_token=${TOKEN}`),
    {
      code: 'EFAIL',
      request: { headers: { 'private-token': TOKEN } },
      cause: Object.assign(new Error('deeper: Bearer abcdefghijklmnop'), {
        headers: { authorization: `Bearer ${TOKEN}` },
        cause: new Error('deepest: glpat-abcdefghij0123456789')
      })
    }
  )
  const headers = { 'private-token': TOKEN, cookie: COOKIE }
  logger.error({ err: error }, 'failed')
  logger.info({ req: { method: 'POST', url: `/mcp?token=${TOKEN}`, headers } }, 'in')
  logger.info({ res: { statusCode: 200, headers } }, 'out')
  t.notMatch(log.text(), TOKEN)
  t.notMatch(log.text(), COOKIE)
  t.notMatch(log.text(), /abcdefghij/)
  const [failed, came, went] = log.lines()
  t.match(failed?.err, {
    type: 'Error',
    code: 'EFAIL',
    message: /^failed for https:\/\/\[redacted\]/,
    cause: { message: 'deeper: Bearer[redacted]', cause: { message: 'deepest: [redacted]' } }
  })
  t.same(came?.req, { method: 'POST', path: '/mcp' })
  t.same(went?.res, { statusCode: 200 })
})

t.test('whatever looks like a secret is taken out of a line, and the line stays JSON', async t => {
  const secrets = [
    'glpat-abcdefghij0123456789',
    'gloas-0123456789abcdef',
    'glcbt-64_abcdefghijklmn',
    'glrt-t1_abcdefghijklmnop',
    'v1.sid.abcDEF_-123',
    'v1.ps.abcDEF_-123',
    'v1.pc.abcDEF_-123',
    'v1.rt.abcDEF_-123',
    'v1.cid.abcDEF_-123.abc',
    'Bearer abcdefghijklmnop',
    'bearer  abc.def/ghi+jkl=',
    'Basic dXNlcjpwYXNz'
  ]
  for (const secret of secrets) {
    const line = JSON.stringify({ a: `x ${secret}`, b: [secret], c: `"${secret}"` })
    const clean = withoutTokens(line)
    t.notOk(clean.includes(secret), secret)
    t.type(JSON.parse(clean), 'object')
  }
  for (const name of ['private_token', 'client_secret', 'password', 'code', 'state'])
    t.equal(withoutTokens(`?${name}=abc&x=1`), `?${name}=[redacted]&x=1`)
  t.equal(withoutTokens('https://u:p@h/'), 'https://[redacted]h/')
  t.equal(withoutTokens('the code is 404, tokens expire'), 'the code is 404, tokens expire')
})
