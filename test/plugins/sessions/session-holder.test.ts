import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { startForge } from '../../forge/index.ts'
import { listen } from '../../support/listen.ts'
import { oauthSettings } from '../../support/oauth.ts'
import { call, initialize, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

/* What somebody with a token of its own, who has come to know the id of another's session, can do with it. */

const MADE_UP = 'glpat-made-up-made-up-made-up'
const branch = call('get_branch', { project_id: '1', branch_name: 'main' })

/** A forge that takes all tokens but the one that is made up, each of a user of its own. */
const forgeOf = (t: Test) =>
  listen(t, ({ url = '', headers }, response) => {
    const token = headers['private-token']
    response.writeHead(token === MADE_UP ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(url.endsWith('/user') ? { username: `of-${token}` } : { name: 'main' }))
  })

type Headers = Record<string, string>

const open = async (server: FastifyInstance, credential: Headers): Promise<string> =>
  (await post(server, { token: '', headers: credential, body: initialize() })).headers[
    'mcp-session-id'
  ] as string

const statusOf = async (server: FastifyInstance, sid: string, credential: Headers, body: unknown = branch) =>
  (await post(server, { token: '', headers: { 'mcp-session-id': sid, ...credential }, body })).statusCode

const end = async (server: FastifyInstance, sid: string, credential: Headers) =>
  (
    await server.inject({
      method: 'DELETE',
      url: '/mcp',
      headers: { host: 'localhost', 'mcp-session-id': sid, ...credential }
    })
  ).statusCode

const own = (token: string): Headers => ({ 'private-token': token })

t.test('where callers send tokens that nobody has checked', async t => {
  const start = async (settings: Record<string, string> = {}) => {
    const server = await testServer(t, { FORGE_API_URL: await forgeOf(t), ...settings })
    const sid = await open(server, own(TOKEN))
    t.equal(await statusOf(server, sid, own(TOKEN)), 200)
    return { server, sid, holder: () => server.sessions.open(sid)?.credential.token }
  }

  t.test('a made-up token neither takes over a session that the forge has served, nor ends it', async t => {
    const { server, sid, holder } = await start()
    for (const body of [request('ping'), branch, request('logging/setLevel', { level: 'debug' })])
      t.equal(await statusOf(server, sid, own(MADE_UP), body), 200)
    t.equal(await end(server, sid, own(MADE_UP)), 404)
    t.equal(holder(), TOKEN)
    t.equal(server.sessions.open(sid)?.logLevel, undefined)
    t.equal(await end(server, sid, own(TOKEN)), 204)
  })

  t.test('nor at a forge of its caller, whose answers prove nothing elsewhere', async t => {
    const server = await testServer(t, { ENABLE_DYNAMIC_API_URL: 'true' })
    const at = { 'x-forge-api-url': await forgeOf(t) }
    const sid = await open(server, { ...own(TOKEN), ...at })
    t.equal(await statusOf(server, sid, own(TOKEN)), 200)
    t.equal(await statusOf(server, sid, own(MADE_UP)), 200)
    t.equal(server.sessions.open(sid)?.credential.token, TOKEN)
  })

  t.test('nor does it cancel a call of the holder, or use up what it may ask in a minute', async t => {
    let answer = () => {}
    const forge = await listen(t, ({ url = '' }, response) => {
      const write = () =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"main"}')
      if (url.includes('slow')) answer = write
      else write()
    })
    const server = await testServer(t, { FORGE_API_URL: forge, MAX_REQUESTS_PER_MINUTE: '4' })
    const sid = await open(server, own(TOKEN))
    t.equal(await statusOf(server, sid, own(TOKEN)), 200)
    let waits = true
    const slow = call('get_branch', { project_id: '1', branch_name: 'slow' }, 7)
    const called = statusOf(server, sid, own(TOKEN), slow).finally(() => {
      waits = false
    })
    const asked = answer
    await until(() => answer !== asked)
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7 }
    }
    for (let at = 0; at < 4; at++) await statusOf(server, sid, own(MADE_UP), cancelled)
    t.ok(waits)
    answer()
    t.equal(await called, 200)
    t.equal(await statusOf(server, sid, own(TOKEN), request('ping')), 200)
  })

  t.test('a renewed token holds the session once the forge has served a call with it', async t => {
    const { server, sid, holder } = await start()
    t.equal(await statusOf(server, sid, own(OTHER_TOKEN), request('ping')), 200)
    t.equal(holder(), TOKEN)
    t.equal(await statusOf(server, sid, own(OTHER_TOKEN)), 200)
    t.equal(holder(), OTHER_TOKEN)
    t.equal(await end(server, sid, own(OTHER_TOKEN)), 204)
  })

  t.test('to the token of another user, where users are known, there is no such session', async t => {
    const { server, sid, holder } = await start({ FORGE_AUDIT_USERS: 'true' })
    t.equal(await statusOf(server, '', own(OTHER_TOKEN)), 200)
    await until(async () => (await statusOf(server, sid, own(OTHER_TOKEN), request('ping'))) === 404)
    t.equal(await end(server, sid, own(OTHER_TOKEN)), 404)
    t.equal(holder(), TOKEN)
    t.equal(await statusOf(server, sid, own(OTHER_TOKEN), initialize()), 200, 'and begins one of its own')
    t.equal(await statusOf(server, sid, own(TOKEN)), 200)
  })
})

t.test('in OAuth mode', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const server = await testServer(t, oauthSettings(forge))
  const bearerOf = (letter: string, name: string): Headers => {
    const { user, scopes } = forge.state.credentials.get(forge.tokens[name]!)!
    const now = forge.state.now()
    const token = letter.repeat(64)
    const expiresAt = now + 7_200_000
    forge.state.credentials.set(token, { kind: 'oauth', user, scopes, expiresAt, job: null, createdAt: now })
    return { authorization: `Bearer ${token}` }
  }
  const first = bearerOf('a', 'ada')
  const sid = await open(server, first)

  t.test('to a bearer of another user there is no such session', async t => {
    const other = bearerOf('b', 'linus')
    for (const credential of [other, own(forge.tokens.linus!)]) {
      t.equal(await statusOf(server, sid, credential, request('ping')), 404)
      t.equal(await end(server, sid, credential), 404)
    }
    t.equal(await statusOf(server, sid, first, request('ping')), 200)
  })

  t.test('the session goes on with a renewed bearer of its user', async t => {
    const renewed = bearerOf('c', 'ada')
    t.equal(await statusOf(server, sid, renewed, request('ping')), 200)
    t.equal(await statusOf(server, sid, own(forge.tokens.ada!), request('ping')), 200)
    t.equal(await statusOf(server, sid, renewed, request('ping')), 200)
    t.equal(await end(server, sid, renewed), 204)
  })
})

t.test('in OAuth mode, at a forge that names no users, as where nobody checks tokens', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const nameless = await listen(t, ({ headers, url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const info = {
      application: { uid: oauthSettings(forge).FORGE_OAUTH_APP_ID },
      scope: ['api'],
      expires_in: 7200
    }
    response.end(JSON.stringify(url.includes('token/info') ? info : { name: headers.authorization }))
  })
  const server = await testServer(t, { ...oauthSettings(forge), FORGE_API_URL: nameless })
  const bearer = (letter: string) => ({ authorization: `Bearer ${letter.repeat(64)}` })
  const sid = await open(server, bearer('a'))
  t.equal(await statusOf(server, sid, bearer('a')), 200)
  t.equal(await statusOf(server, sid, bearer('b'), request('ping')), 200)
  t.equal(await end(server, sid, bearer('b')), 404)
  t.equal(await statusOf(server, sid, bearer('b')), 200)
  t.equal(await end(server, sid, bearer('b')), 204, 'its renewal')
})

t.test('a session keeps a few bits of what its client says of itself, however much that is', async t => {
  const server = await testServer(t, { FORGE_API_URL: await forgeOf(t) })
  const long = 'x'.repeat(50_000)
  const { method, params } = initialize()
  const body = request(method, {
    ...(params as object),
    clientInfo: { name: long, title: long, version: long, icons: [{ src: long }] },
    capabilities: { elicitation: { form: { long } }, experimental: { [long]: {} }, roots: { long } },
    _meta: { [long]: long }
  })
  const { headers, statusCode } = await post(server, { body })
  t.equal(statusCode, 200)
  const { seen: _, ...session } = server.sessions.open(headers['mcp-session-id'] as string)!
  t.equal(session.credential.token, TOKEN)
  t.ok(JSON.stringify(session).length < 400, JSON.stringify(session).slice(0, 1000))
})
