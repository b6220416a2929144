import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { type Forge, startForge } from '../../forge/index.ts'
import { selfSigned } from '../../support/certificates.ts'
import { listen, listenTls } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { authorizeUrl, CLIENT_REDIRECT, oauthSettings, onward, pkce, ticketOf } from '../../support/oauth.ts'
import { startProxy } from '../../support/proxy.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, initialize, post, request, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

const stateless = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('guard') }
const challenge =
  'Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp", scope="api"'

async function start(t: Test, extra: Record<string, string> = {}) {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const log = captureLog()
  return { forge, log, server: await testServer(t, oauthSettings(forge, extra), log.stream) }
}

const form = 'application/x-www-form-urlencoded'
const page = { 'content-type': 'text/html' }

/** What is left to an address of a step after a call that has nothing in it. */
const remainingOf = async (server: FastifyInstance, url: string, type: string, more = {}) =>
  (await server.inject({ method: 'POST', url, payload: '', headers: { 'content-type': type, ...more } }))
    .headers['x-ratelimit-remaining']

/** An access token as a login gives it. */
function bearerOf(forge: Forge, token = 'a'.repeat(64), asked?: string[]): string {
  const { user, scopes } = forge.state.credentials.get(forge.tokens.ada!)!
  const now = forge.state.now()
  forge.state.credentials.set(token, {
    kind: 'oauth',
    user,
    scopes: asked ?? scopes,
    expiresAt: now + 7_200_000,
    job: null,
    createdAt: now
  })
  return token
}

const send = (server: FastifyInstance, headers: Record<string, string>, body: unknown = request('ping')) =>
  post(server, { token: '', headers, body })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const checks = (forge: Forge) =>
  forge.requests.filter(({ path }) => /token\/info|\/user$|\/job$/.test(path)).length

t.test('a bearer that may neither read nor change: 403 that says which scope is wanted', async t => {
  const { server, forge } = await start(t)
  for (const scopes of [['read_user'], ['openid', 'email'], []]) {
    const response = await send(server, bearer(bearerOf(forge, String(scopes.length).repeat(64), scopes)))
    t.equal(response.statusCode, 403, scopes.join())
    t.match(response.headers['www-authenticate'], /^Bearer error="insufficient_scope".*scope="api"$/)
    t.match(response.json(), { error: { message: /neither the scope api nor read_api/ } })
  }
  t.equal((await send(server, bearer(bearerOf(forge, 'd'.repeat(64), ['read_api'])))).statusCode, 200)
})

t.test('a caller who hangs up while the forge is asked about its token is refused at once', async t => {
  let asked = 0
  let answer = (): void => {}
  const forge = await listen(t, (_request, response) => {
    asked++
    answer = () => response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
  })
  const log = captureLog()
  const settings = { FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app', FORGE_API_URL: forge }
  const server = await testServer(t, { ...settings, LOG_LEVEL: 'info' }, log.stream)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const hangUp = new AbortController()
  const headers = { 'content-type': 'application/json', ...bearer('b'.repeat(64)) }
  const body = JSON.stringify(request('ping'))
  const left = fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: hangUp.signal })
  await until(() => asked === 1)
  hangUp.abort()
  await t.rejects(left, { name: 'AbortError' })
  await until(() => log.lines('request refused').length > 0)
  t.match(log.lines('request refused'), [{ status: 499 }], 'while the forge still says nothing')
  t.same(log.lines('request failed'), [])
  answer()
})

t.test('no credential: 401 that says where to log in', async t => {
  for (const [extra, says] of [
    [{}, /^Missing Authorization or Private-Token header/],
    [stateless, /^Authentication required/]
  ] as const) {
    const { server } = await start(t, extra)
    for (const method of ['POST', 'DELETE'] as const) {
      const response = await server.inject({
        method,
        url: '/mcp',
        headers: { host: 'localhost', ...(method === 'POST' && { 'content-type': 'application/json' }) },
        ...(method === 'POST' && { payload: JSON.stringify(request('ping')) })
      })
      t.equal(response.statusCode, 401)
      t.equal(response.headers['www-authenticate'], challenge, 'without an error: nothing was sent')
      t.match(response.json(), { jsonrpc: '2.0', error: { message: says } })
    }
    const stray = await post(server, { token: '', headers: { 'x-api-key': TOKEN }, body: request('ping') })
    t.match(stray.json().error.message, /x-api-key is not read: .* belongs in Private-Token\.$/)
  }
})

t.test('a check waits for no other one, however few calls of tools may run at once', async t => {
  const { server, forge } = await start(t, { FORGE_MAX_CONCURRENCY: '1' })
  forge.state.faults.push({ match: /token\/info/, times: 1, delayMs: 3_000 })
  const ended: string[] = []
  const check = async (name: string, token: string) => {
    t.equal((await send(server, bearer(token))).statusCode, 200)
    ended.push(name)
  }
  const slow = check('slow', bearerOf(forge))
  while (checks(forge) === 0) await new Promise(resolve => setImmediate(resolve))
  await check('quick', bearerOf(forge, 'b'.repeat(64)))
  await slow
  t.same(ended, ['quick', 'slow'])
})

t.test('a bearer is checked with the forge, once a minute', async t => {
  const { server, forge } = await start(t)
  const token = bearerOf(forge)
  for (let calls = 0; calls < 3; calls++) t.equal((await send(server, bearer(token))).statusCode, 200)
  await Promise.all([send(server, bearer(token)), send(server, bearer(token))])
  t.equal(checks(forge), 1)
})

t.test('a bearer that the forge refuses: 401 with invalid_token', async t => {
  const { server, forge } = await start(t)
  for (const token of ['unknown-unknown-unknown', forge.tokens.ada!]) {
    const response = await send(server, bearer(token))
    t.equal(response.statusCode, 401)
    t.match(
      response.headers['www-authenticate'],
      /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata=/
    )
    t.match(response.json(), {
      error: { message: /^Invalid token.* or send a personal token .* as Private-Token\.$/ }
    })
    t.equal(response.headers['mcp-session-id'], undefined)
  }
  const malformed = await send(server, { authorization: 'Basic dXNlcjpwYXNzd29yZHBhc3N3b3Jk' })
  t.match([malformed.statusCode, malformed.headers['www-authenticate']], [401, /invalid_token/])
})

t.test(
  'a bearer that the forge refuses to a tool is checked again, so that its client renews it',
  async t => {
    const { server, forge } = await start(t)
    const token = bearerOf(forge)
    const read = () => send(server, bearer(token), call('get_current_user', {}))
    t.match((await read()).json(), { result: { content: [{ text: /"ada"/ }] } })
    forge.state.credentials.delete(token)
    t.match((await read()).json(), {
      result: { isError: true, content: [{ text: /401 .* or log in again/ }] }
    })
    const response = await read()
    t.equal(response.statusCode, 401)
    t.match(response.headers['www-authenticate'], /^Bearer error="invalid_token"/)
  }
)

t.test('a bearer of another application is refused', async t => {
  const { server, forge } = await start(t)
  const token = bearerOf(forge)
  forge.state.oauth.appId = 'another-application'
  t.equal((await send(server, bearer(token))).statusCode, 401)
})

t.test('where the forge has no token/info, whether its API takes the bearer decides', async t => {
  const { server, forge } = await start(t)
  forge.state.oauth.tokenInfo = false
  t.equal((await send(server, bearer(bearerOf(forge)))).statusCode, 200)
  t.equal((await send(server, bearer('unknown-unknown-unknown'))).statusCode, 401)
})

t.test('for as long as bearers of any application are taken, the log has said so once', async t => {
  const { server, forge, log } = await start(t, { LOG_LEVEL: 'warn' })
  for (const [letter, tokenInfo] of [
    ['a', true],
    ['b', false],
    ['c', false],
    ['d', true],
    ['e', true]
  ] as const) {
    forge.state.oauth.tokenInfo = tokenInfo
    t.equal((await send(server, bearer(bearerOf(forge, letter.repeat(64))))).statusCode, 200)
    await send(server, bearer(`unknown-unknown-unknown-${letter}`))
  }
  const said = log.lines().map(({ msg }) => String(msg))
  t.same(
    said.filter(msg => msg.includes('bearer')),
    [
      'the forge does not say of which application a bearer is: those of any are taken',
      'bearers have to be of this application again'
    ]
  )
})

t.test('Private-Token and JOB-TOKEN have to be good too', async t => {
  const { server, forge } = await start(t)
  t.equal((await send(server, { 'private-token': forge.tokens.ada! })).statusCode, 200)
  t.equal((await send(server, { 'job-token': forge.tokens.job! })).statusCode, 200)
  for (const header of ['private-token', 'job-token']) {
    const response = await send(server, { [header]: 'unknown-unknown-unknown' })
    t.equal(response.statusCode, 401)
    t.match(response.json(), {
      error: { message: /^Invalid Private-Token or JOB-TOKEN header: .* may be wrong, expired or revoked\./ }
    })
    t.match(response.headers['www-authenticate'], /resource_metadata/)
  }
})

t.test('a forge that cannot be asked: 503, and asked again next time', async t => {
  const { server, forge } = await start(t)
  const token = bearerOf(forge)
  for (const fault of [
    { status: 500 },
    { hangUp: true },
    { status: 429, headers: { 'retry-after': '9' } },
    { status: 503, headers: { 'retry-after': '0' } }
  ]) {
    forge.state.faults.push({ match: /token\/info/, times: 1, ...fault })
    const response = await send(server, bearer(token))
    t.equal(response.statusCode, 503)
    t.equal(response.headers['retry-after'], fault.status === 429 ? '9' : '5')
    t.equal(response.headers['www-authenticate'], undefined)
  }
  t.equal((await send(server, bearer(token))).statusCode, 200)
})

t.test(
  'a page in place of the forge: 503 for any credential, and each status has lines of its own in the log',
  async t => {
    let answer = { status: 401, 'content-type': 'text/html' }
    const gate = await listen(t, (_request, response) => {
      const { status, ...headers } = answer
      response.writeHead(status, headers).end(status === 503 ? '<html><title>Back at 10</title>' : '<html>')
    })
    const log = captureLog()
    const settings = { FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app', LOG_LEVEL: 'warn' }
    const server = await testServer(t, { ...settings, FORGE_API_URL: gate }, log.stream)
    const statusOf = async (headers: Record<string, string>) => {
      const response = await send(server, headers)
      t.equal(response.headers['www-authenticate'], undefined)
      return [response.statusCode, response.headers['retry-after']]
    }
    for (let at = 0; at < 6; at++) t.same(await statusOf(bearer(`${at}`.repeat(64))), [503, '5'])
    t.same(await statusOf({ 'private-token': 'unknown-unknown-unknown' }), [503, '5'])
    answer = { status: 503, 'content-type': 'text/html', 'retry-after': '60' } as typeof answer
    t.same(await statusOf(bearer('a'.repeat(64))), [503, '60'])
    const { err } = log.lines('a credential could not be checked').at(-1) as { err: Record<string, string> }
    t.match(err.message, /answered 503/)
    t.notMatch(err.stack, /\n/, 'where in this service it was found out tells nobody anything')
    const [page, ...others] = log.lines('trouble with a forge')
    t.match(page, { trouble: 'bad-answer', status: 401, says: /a web page, .* not a login page/ })
    t.match(others.at(-1), { trouble: '5xx', status: 503, says: 'Back at 10', retryAfter: 60 })
    const { body: metrics } = await server.inject('/metrics?format=prometheus')
    t.match(metrics, /upstream_request_duration_seconds_count\{forge="home",outcome="bad-answer"\} 7\n/)
    t.match(metrics, /upstream_request_duration_seconds_count\{forge="home",outcome="5xx"\} 1\n/)
  }
)

t.test('a forge of which one path is blocked: the log names the path that a check has asked for', async t => {
  const { server, forge, log } = await start(t, { LOG_LEVEL: 'warn' })
  for (const [match, headers, at] of [
    [/token\/info/, bearer(bearerOf(forge)), '/oauth/token/info'],
    [/\/user\?/, { 'private-token': forge.tokens.ada! }, '/user']
  ] as const) {
    forge.state.faults.push({ match, times: 1, status: 403, headers: page, body: '<title>Blocked</title>' })
    t.equal((await send(server, headers)).statusCode, 503)
    t.match(log.lines('a credential could not be checked').at(-1), { at })
    t.match(log.lines('trouble with a forge').at(-1), { trouble: 'bad-answer', at })
  }
})

t.test(
  'in memory a session id alone is no credential, and an unknown one is told after the check',
  async t => {
    const { server, forge } = await start(t)
    const token = bearerOf(forge)
    const sid = (await send(server, bearer(token), initialize())).headers['mcp-session-id'] as string
    t.equal((await send(server, { 'mcp-session-id': sid })).statusCode, 401)
    t.equal((await send(server, { 'mcp-session-id': sid, ...bearer(token) })).statusCode, 200)
    t.equal((await send(server, { 'mcp-session-id': 'unknown', ...bearer(token) })).statusCode, 404)
    t.equal((await send(server, { 'mcp-session-id': 'unknown', ...bearer(`${token}x`) })).statusCode, 401)
  }
)

t.test('stateless', async t => {
  const { server, forge } = await start(t, stateless)
  const token = bearerOf(forge)
  const sid = (await send(server, bearer(token), initialize())).headers['mcp-session-id'] as string
  const asked = checks(forge)
  t.test('a sealed session id alone is enough, and gives a new one', async t => {
    const response = await send(server, { 'mcp-session-id': sid })
    t.equal(response.statusCode, 200)
    t.match(response.headers['mcp-session-id'], /^v1\.sid\./)
    t.equal(checks(forge), asked)
  })
  t.test('whose token has been revoked: 401, as soon as any would be', async t => {
    const revoked = bearerOf(forge, 'b'.repeat(64))
    const sid = (await send(server, bearer(revoked), initialize())).headers['mcp-session-id'] as string
    forge.state.credentials.delete(revoked)
    const other = await testServer(t, oauthSettings(forge, stateless))
    const response = await send(other, { 'mcp-session-id': sid })
    t.equal(response.statusCode, 401)
    t.match(response.headers['www-authenticate'], /invalid_token/)
    t.equal(response.headers['mcp-session-id'], undefined)
  })
  t.test('a bearer beside it is checked', async t => {
    const response = await send(server, { 'mcp-session-id': sid, ...bearer('unknown-unknown-unknown') })
    t.equal(response.statusCode, 401)
    t.equal(response.headers['mcp-session-id'], undefined)
  })
  t.test('one that does not open: 404 alone, served with a good bearer', async t => {
    const alone = await send(server, { 'mcp-session-id': `${sid}x` })
    t.match([alone.statusCode, alone.json()], [404, { error: { message: 'Session not found' } }])
    t.equal(alone.headers['www-authenticate'], undefined)
    t.equal((await send(server, { 'mcp-session-id': `${sid}x`, ...bearer(token) })).statusCode, 200)
  })
})

t.test('discovery', async t => {
  const { server } = await start(t, { MCP_SERVER_URL: 'https://mcp.example/base/' })
  const get = (url: string) => server.inject({ url, headers: { host: 'mcp.example' } })
  const issuer = 'https://mcp.example/base'
  for (const url of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/base',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/base',
    '/base/.well-known/openid-configuration'
  ]) {
    const response = await get(url)
    t.match([response.statusCode, response.json()], [200, { issuer, token_endpoint: `${issuer}/token` }], url)
    t.equal(response.headers['access-control-allow-origin'], '*')
  }
  for (const url of ['', '/mcp', '/base', '/base/mcp'])
    t.match((await get(`/.well-known/oauth-protected-resource${url}`)).json(), {
      resource: `${issuer}/mcp`,
      authorization_servers: [issuer]
    })
  t.equal((await get('/.well-known/oauth-authorization-server/other')).statusCode, 404)
  const foreign = await server.inject({
    url: '/.well-known/openid-configuration',
    headers: { host: 'evil.example' }
  })
  t.equal(foreign.statusCode, 403)
  t.match(foreign.json(), { error: 'invalid_request', error_description: /Host not allowed/ })
  const preflight = await server.inject({
    method: 'OPTIONS',
    url: '/token',
    headers: { host: 'mcp.example', origin: 'https://app.example', 'access-control-request-method': 'POST' }
  })
  t.equal(preflight.statusCode, 204)
  t.equal(preflight.headers['access-control-allow-origin'], '*')
})

t.test('without OAuth mode none of this exists, or clients would try to log in', async t => {
  const server = await testServer(t)
  for (const url of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/authorize',
    '/callback'
  ])
    t.equal((await server.inject({ url })).statusCode, 404, url)
  for (const url of ['/register', '/token', '/revoke', '/consent'])
    t.equal((await server.inject({ method: 'POST', url, payload: {} })).statusCode, 404, url)
})

t.test('other calls of a login are counted per client address and route', async t => {
  const { server } = await start(t)
  const remaining = (url: string) => remainingOf(server, url, form)
  t.same(
    [await remaining('/token'), await remaining('/token'), await remaining('/revoke')],
    ['299', '298', '299']
  )
})

t.test('who is over a limit stays so while ten thousand other addresses call', async t => {
  const { server } = await start(t, { OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: '1' })
  const from = async (remoteAddress: string) =>
    (await server.inject({ method: 'POST', url: '/register', remoteAddress, payload: {} })).statusCode
  t.same([await from('192.0.2.1'), await from('192.0.2.1')], [400, 429])
  for (let at = 1; at < 10_000; at++) await from(`10.0.${at >> 8}.${at & 255}`)
  t.equal(await from('192.0.2.1'), 429)
})

t.test('a body of another type than a step of a login takes is refused unread, and not counted', async t => {
  const { server } = await start(t)
  const json = 'application/json'
  for (const [url, own, others] of [
    ['/register', json, [form, 'text/plain', 'application/jsonx', '']],
    ['/token', form, [json, 'text/plain', 'multipart/form-data', '']],
    ['/revoke', form, [json, 'text/plain', '']],
    ['/consent', form, [json, 'text/plain', '']]
  ] as const) {
    for (const type of others) {
      const response = await server.inject({
        method: 'POST',
        url,
        payload: '[',
        headers: type === '' ? {} : { 'content-type': type }
      })
      t.equal(response.statusCode, 415, `${url} ${type}`)
      t.match(response.json().error_description, `Content-Type must be ${own}. (request `)
    }
    t.equal(await remainingOf(server, url, own), url === '/register' ? '19' : '299', url)
  }
})

/** What a browser says of a request, and a page cannot change. */
const said = (site: string, mode: string, dest: string) => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest
})

t.test('pages of other origins use up nothing of what others at their address have', async t => {
  const { server } = await start(t)
  const origin = 'https://app.example'
  const ofPage = [
    { origin },
    { origin: 'null' },
    { origin, ...said('cross-site', 'cors', 'empty') },
    { origin, ...said('same-site', 'cors', 'empty') }
  ]
  // Node says a mode of its own requests, and nothing else.
  const ofOthers = [{}, { 'sec-fetch-mode': 'cors' }, said('none', 'no-cors', 'empty')]
  const json = 'application/json'
  for (const [url, type, most] of [
    ['/register', json, 20],
    ['/token', form, 300],
    ['/revoke', form, 300]
  ] as const)
    for (const callers of [ofPage, ofOthers])
      for (const [at, headers] of callers.entries())
        t.equal(await remainingOf(server, url, type, headers), String(most - 1 - at), `${url} ${at}`)
  t.equal(await remainingOf(server, '/consent', form, { origin: 'null' }), '299')
  const own = { origin: 'null', ...said('same-origin', 'navigate', 'document') }
  t.equal(await remainingOf(server, '/consent', form, own), '299', 'its form is on a page of this service')
})

t.test('what a page loads of a login or frames is refused and not counted', async t => {
  const { server } = await start(t)
  for (const [method, url] of [
    ['GET', '/authorize'],
    ['GET', '/callback'],
    ['POST', '/consent']
  ] as const) {
    const ask = (headers: Record<string, string>) =>
      server.inject({ method, url, headers: { 'content-type': form, ...headers } })
    for (const [site, mode, dest] of [
      ['cross-site', 'no-cors', 'image'],
      ['cross-site', 'cors', 'empty'],
      ['same-site', 'no-cors', 'script'],
      ['cross-site', 'navigate', 'iframe']
    ] as const) {
      const { statusCode, headers } = await ask(said(site, mode, dest))
      t.equal(statusCode, 403, `${url} ${dest}`)
      t.equal(headers['x-ratelimit-remaining'], undefined)
    }
    const ahead = { ...said('cross-site', 'navigate', 'document'), 'sec-purpose': 'prefetch;prerender' }
    t.equal((await ask(ahead)).statusCode, 403, `${url} fetched ahead`)
    const left = async (headers = {}) => (await ask(headers)).headers['x-ratelimit-remaining']
    t.equal(await left(said('cross-site', 'navigate', 'document')), '299', 'a link leads there')
    t.equal(await left(said('none', 'navigate', 'document')), '299', 'an application opens it')
    t.equal(await left({ 'sec-fetch-mode': 'cors' }), '298', 'Node’s fetch')
    t.equal(await left(), '297')
  }
})

/** A person allows a login and agrees at the forge. @returns where the forge sends the browser, and its cookie */
async function logIn(server: FastifyInstance) {
  const payload = { redirect_uris: [CLIENT_REDIRECT] }
  const { client_id } = (await server.inject({ method: 'POST', url: '/register', payload })).json()
  const page = await server.inject({
    url: authorizeUrl('', { client_id, code_challenge: pkce().challenge }),
    headers: said('none', 'navigate', 'document')
  })
  const cookie = String(page.headers['set-cookie']).split(';')[0]!
  const allowed = await server.inject({
    method: 'POST',
    url: '/consent',
    headers: { ...said('same-origin', 'navigate', 'document'), 'content-type': form, cookie },
    payload: new URLSearchParams({ ticket: ticketOf(page.body), decision: 'allow' }).toString()
  })
  const back = (await fetch(onward(allowed.body), { redirect: 'manual' })).headers.get('location')!
  return { client_id, cookie, url: back.replace(/^https?:\/\/[^/]+/, '') }
}

const consent = { FORGE_OAUTH_CONSENT: 'true' }
/** To a browser the forge is another site, too. */
const fromElsewhere = said('cross-site', 'navigate', 'document')

for (const [name, extra] of Object.entries({ 'in memory': consent, stateless: { ...consent, ...stateless } }))
  t.test(`${name}: pages use up no return from the forge of people at their address`, async t => {
    const { server } = await start(t, extra)
    const { url, cookie } = await logIn(server)
    const comeBack = (to: string, headers = {}) =>
      server.inject({ url: to, headers: { ...fromElsewhere, ...headers } })
    for (let sent = 0; sent < 299; sent++) await comeBack(`/callback?state=${sent}`)
    t.equal((await comeBack('/callback?state=a&state=b&code=c')).statusCode, 400)
    t.equal((await comeBack('/callback')).statusCode, 429)
    t.equal((await comeBack(url)).statusCode, 429, 'of no browser that it began in')
    const { headers } = await comeBack(url, { cookie })
    t.match(headers.location, `${CLIENT_REDIRECT}?code=`)
    t.equal(headers['x-ratelimit-remaining'], '299')
  })

t.test(
  'people who come back from the forge do not wait there behind what pages at their address ask',
  async t => {
    const { server, forge } = await start(t, consent)
    const { url, cookie, client_id } = await logIn(server)
    forge.state.faults.push({ match: /oauth\/revoke/, times: 40, delayMs: 60_000 })
    const revoked = () => forge.requests.filter(({ path }) => path.endsWith('/oauth/revoke')).length
    for (let sent = 0; sent < 40; sent++)
      void server.inject({
        method: 'POST',
        url: '/revoke',
        headers: { ...said('cross-site', 'cors', 'empty'), 'content-type': form },
        payload: new URLSearchParams({ client_id, token: `made-up-${sent}`.padEnd(64, 'x') }).toString()
      })
    await until(() => revoked() >= 12)
    const { headers } = await server.inject({ url, headers: { ...fromElsewhere, cookie } })
    t.match(headers.location, `${CLIENT_REDIRECT}?code=`)
  }
)

t.test('registrations are counted per client address', async t => {
  const register = (server: FastifyInstance, from: string, forwarded?: string) =>
    server.inject({
      method: 'POST',
      url: '/register',
      remoteAddress: from,
      headers: { host: 'localhost', ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
      payload: { redirect_uris: [CLIENT_REDIRECT] }
    })
  const limit = { OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: '1' }

  t.test('the log names the variable that sets their limit', async t => {
    const forge = await startForge()
    t.teardown(() => forge.close())
    const log = captureLog()
    const server = await testServer(t, oauthSettings(forge, { ...limit, LOG_LEVEL: 'info' }), log.stream)
    await register(server, '192.0.2.1')
    await register(server, '192.0.2.1')
    t.match(log.lines('request refused'), [
      { status: 429, reason: 'rate_limit', hint: 'OAUTH_REGISTER_RATE_LIMIT_PER_HOUR' }
    ])
    const { body } = await server.inject('/metrics?format=prometheus')
    t.match(body, 'forge_mcp_requests_rejected_total{reason="rate_limit"} 1')
  })

  t.test('429 with Retry-After beyond the limit', async t => {
    const { server } = await start(t, limit)
    t.equal((await register(server, '192.0.2.1')).statusCode, 201)
    const over = await register(server, '192.0.2.1')
    t.equal(over.statusCode, 429)
    t.match(over.headers['access-control-expose-headers'], /Retry-After/, 'a page may read it')
    t.match(over.headers['retry-after'], /^\d+$/)
    t.match(over.json(), { error_description: /^Rate limit exceeded for this address: / })
    t.equal(
      (await register(server, '192.0.2.1', '192.0.2.9')).statusCode,
      429,
      'nobody names his own address'
    )
    t.equal((await register(server, '192.0.2.2')).statusCode, 201)
  })

  t.test('and, sixteen times as many, per network of 48 bits', async t => {
    const { server } = await start(t, limit)
    const from = async (address: string) => (await register(server, address)).statusCode
    const statuses = await Promise.all(Array.from({ length: 17 }, (_, at) => from(`2001:db8:1:${at}::1`)))
    t.equal(statuses.filter(status => status === 201).length, 16)
    t.equal(statuses.at(-1), 429)
    t.equal(await from('2001:db8:2:1::1'), 201, 'another has its own')
  })

  t.test('which a trusted proxy names', async t => {
    const { server } = await start(t, { ...limit, MCP_TRUST_PROXY: '10.0.0.0/8' })
    t.equal((await register(server, '10.1.1.1', '192.0.2.1')).statusCode, 201)
    t.equal((await register(server, '10.1.1.1', '192.0.2.2')).statusCode, 201)
    t.equal((await register(server, '10.1.1.2', '203.0.113.5, 192.0.2.2')).statusCode, 429)
  })
})

t.test('without an application id /authorize says what is missing, after the client is known', async t => {
  const server = await testServer(t, { FORGE_MCP_OAUTH: 'true' })
  t.equal((await server.inject('/authorize?client_id=x&redirect_uri=https://a.example')).statusCode, 400)
  const { client_id } = (
    await server.inject({ method: 'POST', url: '/register', payload: { redirect_uris: [CLIENT_REDIRECT] } })
  ).json()
  const response = await server.inject(`/authorize?client_id=${client_id}`)
  t.equal(response.statusCode, 503)
  t.match(response.json(), { error: 'temporarily_unavailable', error_description: /FORGE_OAUTH_APP_ID/ })
})

t.test('a registration that cannot be: 400 in the terms of RFC 7591', async t => {
  const { server } = await start(t, stateless)
  const register = (payload: string | object) =>
    server.inject({
      method: 'POST',
      url: '/register',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      payload
    })
  const long = Array.from({ length: 10 }, (_, at) => `https://app.example/${at}${'x'.repeat(480)}`)
  for (const [payload, error] of [
    ['{', 'invalid_client_metadata'],
    ['', 'invalid_client_metadata'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: long }, 'invalid_client_metadata'],
    ['['.repeat(65) + ']'.repeat(65), 'invalid_client_metadata'],
    [{ contacts: Array(1_001).fill('') }, 'invalid_client_metadata'],
    ['{"__proto__":{}}', 'invalid_client_metadata']
  ] as const) {
    const response = await register(payload)
    t.match([response.statusCode, response.json()], [400, { error }], JSON.stringify(payload).slice(0, 60))
  }
  t.equal((await register({ redirect_uris: ['x'.repeat(70_000)] })).statusCode, 413)
})

t.test('clients by URL', async t => {
  const { server } = await start(t, { FORGE_OAUTH_CLIENT_DOCUMENTS: 'true' })
  const { client_id_metadata_document_supported: told } = (
    await server.inject('/.well-known/oauth-authorization-server')
  ).json()
  t.equal(told, true)
  for (const host of ['127.0.0.1', '[::ffff:7f00:1]', '169.254.169.254', 'localhost', '10.0.0.1']) {
    const url = `/authorize?${new URLSearchParams({ client_id: `https://${host}/client.json` })}`
    const response = await server.inject(url)
    t.match(
      [response.statusCode, response.json()],
      [400, { error: 'invalid_client', error_description: /cannot be fetched/ }],
      host
    )
  }
  const { server: off } = await start(t)
  const response = await off.inject('/authorize?client_id=https%3A%2F%2Fapp.example%2Fclient.json')
  t.match(response.json(), {
    error: 'invalid_client',
    error_description: /^No clients are known by URL here/
  })
})

t.test(
  'documents of clients by URL come through the proxy, by the certificates that forges have',
  async t => {
    const id = 'https://app.example/client.json'
    const { key, cert, path } = selfSigned(t, 'app.example')
    const origin = await listenTls(t, { key, cert }, ({ headers }, response) => {
      t.notOk('proxy-authorization' in headers)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ client_id: id, client_name: 'App', redirect_uris: [CLIENT_REDIRECT] }))
    })
    const login = async (client: string, settings: Record<string, string>) => {
      const { server } = await start(t, { FORGE_OAUTH_CLIENT_DOCUMENTS: 'true', ...settings })
      return server.inject(
        authorizeUrl('', { client_id: client, state: 's', code_challenge: pkce().challenge })
      )
    }
    const proxy = await startProxy(t, () => new URL(origin).host.replace('localhost', '127.0.0.1'))
    const through = { HTTPS_PROXY: proxy.url.replace('//', '//user:pass@'), NO_PROXY: 'other.example' }

    t.equal((await login(id, { ...through, FORGE_CA_CERT_PATH: path })).statusCode, 302)
    t.match(proxy.asked, [{ host: 'app.example:443', tunnel: true, authorization: /^Basic / }])
    t.match(
      (await login(id, through)).json(),
      { error_description: /cannot be fetched/ },
      'an unknown issuer'
    )
    t.equal(proxy.asked.length, 2)
    for (const host of ['127.0.0.1', '[::ffff:7f00:1]', '169.254.169.254', 'localhost', '10.0.0.1'])
      t.match((await login(`https://${host}/client.json`, through)).json(), { error: 'invalid_client' }, host)
    t.equal(proxy.asked.length, 2, 'the proxy is not asked for what is no public address')
  }
)
