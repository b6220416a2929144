import t from 'tap'
import { post, request, testServer } from '../../support/server.ts'

t.test('GET / says where things are, to the hosts that may ask', async t => {
  const server = await testServer(t, { MCP_SERVER_URL: 'https://mcp.example.com/base/' })
  const get = (host: string) => server.inject({ url: '/', headers: { host } })
  const answer = await get('mcp.example.com')
  t.equal(answer.statusCode, 200)
  t.match(answer.headers['content-type'], /^text\/plain/)
  t.match(answer.body, /https:\/\/mcp\.example\.com\/base\/mcp .*Private-Token/)
  const refused = await get('evil.example')
  t.equal(refused.statusCode, 403)
  t.match(refused.headers['content-type'], /^text\/plain/)
  t.equal(refused.body, 'Host not allowed: name it in MCP_SERVER_URL or MCP_ALLOWED_HOSTS.\n')
})

t.test(
  'it says how to log in where clients do, and that nobody needs to where the service has a token',
  async t => {
    const body = async (settings: Record<string, string>) =>
      (await (await testServer(t, settings)).inject({ url: '/', headers: { host: 'localhost' } })).body
    t.match(
      await body({ FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }),
      /log in at the forge.*Private-Token/
    )
    const own = { REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: 'glpat-own-own-own-own-own' }
    t.match(await body(own), /token of whoever runs/)
    t.notMatch(await body(own), /glpat/)
  }
)

t.test('a client that looks for a stream there is told where MCP is by the status, too', async t => {
  const server = await testServer(t)
  const get = (accept: string) => server.inject({ url: '/', headers: { host: 'localhost', accept } })
  const answer = await get('text/event-stream')
  t.equal(answer.statusCode, 404)
  t.match(answer.body, /MCP is served at \/mcp, by POST/)
  for (const accept of ['*/*', 'text/html', 'application/json, text/event-stream'])
    t.equal((await get(accept)).statusCode, 200, accept)
})

t.test('nothing that is answered is kept or guessed at', async t => {
  const server = await testServer(t)
  const get = (url: string) => server.inject({ url, headers: { host: 'localhost' } })
  for (const url of ['/', '/livez', '/readyz', '/metrics'])
    t.match((await get(url)).headers, {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': /default-src 'none'/
    })
  const anywhere = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  for (const url of ['/livez', '/readyz', '/nope', '/%']) t.match((await get(url)).headers, anywhere, url)
  t.notMatch((await get('/%3Cscript%')).body, 'script')
  const login = await testServer(t, { FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' })
  for (const url of ['/authorize', '/.well-known/oauth-authorization-server'])
    t.match((await login.inject({ url, headers: { host: 'evil.example' } })).headers, anywhere, url)
  for (const token of [undefined, ''])
    t.match((await post(server, { token, body: request('ping') })).headers, anywhere)
})
