import t from 'tap'
import { captureLog } from '../../support/log.ts'
import { testServer } from '../../support/server.ts'

const withLogin = {
  FORGE_MCP_OAUTH: 'true',
  FORGE_OAUTH_APP_ID: 'app',
  FORGE_API_URL: 'https://forge.example'
}

t.test('who asks where nothing is is told where MCP is, and nothing of the request comes back', async t => {
  const server = await testServer(t)
  for (const [method, url] of [
    ['POST', '/'],
    ['GET', '/sse'],
    ['POST', '/messages?token=glpat-secret']
  ] as const) {
    const response = await server.inject({ method, url, headers: { host: 'localhost' } })
    t.equal(response.statusCode, 404, url)
    t.match(response.json(), { statusCode: 404, message: /MCP is served at \/mcp, by POST/ }, url)
    t.notMatch(response.body, /sse|messages|secret|well-known/, url)
  }
})

t.test('a client that looks for a login where there is none is told to send a token', async t => {
  const server = await testServer(t)
  for (const [method, url] of [
    ['POST', '/register'],
    ['GET', '/authorize?client_id=secret'],
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['GET', '/.well-known/openid-configuration']
  ] as const) {
    const response = await server.inject({ method, url, headers: { host: 'localhost' } })
    t.equal(response.statusCode, 404, url)
    const says = /No login is offered here: .* header Private-Token/
    t.match(response.json(), { message: says, error_description: says }, url)
    t.notMatch(response.body, /secret|well-known/, url)
  }
})

t.test(
  'a client whose token was refused, and which so looks for a login, is told where the reason is',
  async t => {
    const server = await testServer(t)
    const response = await server.inject({ method: 'POST', url: '/register', headers: { host: 'localhost' } })
    t.match(response.json(), {
      error_description:
        /None came, or the one that came was refused: the answer to the request before says why/
    })
  }
)

t.test('a page of any origin can read what it is told at a wrong path or method', async t => {
  const server = await testServer(t)
  for (const [method, url] of [
    ['POST', '/sse'],
    ['POST', '/register'],
    ['GET', '/.well-known/oauth-protected-resource'],
    ['POST', '/readyz']
  ] as const) {
    const headers = { host: 'localhost', origin: 'http://localhost:6274' }
    const response = await server.inject({ method, url, headers })
    t.match(response.json(), { message: /is served at \/mcp|Use GET/ }, url)
    t.equal(response.headers['access-control-allow-origin'], '*', url)
    t.equal(response.headers['access-control-allow-credentials'], undefined, url)
  }
})

t.test('a proxy that leaves the path of MCP_SERVER_URL on is told to take it off', async t => {
  const log = captureLog()
  const server = await testServer(
    t,
    { MCP_SERVER_URL: 'https://mcp.example/forge/', LOG_LEVEL: 'info' },
    log.stream
  )
  const ask = async (url: string) =>
    (await server.inject({ method: 'POST', url, headers: { host: 'mcp.example' } })).json().message
  for (const url of ['/forge/mcp', '/forge', '/forge?token=secret', '/forge/register'])
    t.equal(
      await ask(url),
      'Nothing is served below /forge here: the proxy in front has to take that off the path, so that /forge/mcp comes as /mcp.',
      url
    )
  t.match(log.lines('request refused'), [
    { status: 404, hint: /the proxy in front has to take that off the path/ }
  ])
  for (const url of ['/forged/mcp', '/Forge/mcp', '/sse']) t.match(await ask(url), /^Nothing is here/, url)
})

t.test('with a path in MCP_SERVER_URL a client is told the address that is its own', async t => {
  const server = await testServer(t, { MCP_SERVER_URL: 'https://mcp.example/forge/' })
  const ask = async (url: string) =>
    (await server.inject({ method: 'POST', url, headers: { host: 'mcp.example' } })).json().message
  t.equal(
    await ask('/sse'),
    'Nothing is here. MCP is served at https://mcp.example/forge/mcp, by POST; GET https://mcp.example/forge/ says what else there is.'
  )
  t.match(await ask('/register'), / MCP is served at https:\/\/mcp\.example\/forge\/mcp, by POST\.$/)
})

t.test('a path that is served by another method says by which: 405', async t => {
  const server = await testServer(t, withLogin)
  for (const [method, url, allow] of [
    ['GET', '/token?code=secret', 'POST, OPTIONS'],
    ['DELETE', '/register', 'POST, OPTIONS'],
    ['POST', '/authorize', 'GET'],
    ['POST', '/readyz', 'GET, HEAD']
  ] as const) {
    const response = await server.inject({ method, url, headers: { host: 'localhost' } })
    t.equal(response.statusCode, 405, url)
    t.equal(response.headers.allow, allow, url)
    t.match(response.json(), { statusCode: 405, message: `Use ${allow} here.` }, url)
    t.notMatch(response.body, /secret/)
  }
})

t.test('no body is read where nothing is, or that comes with a question for what is', async t => {
  const server = await testServer(t, withLogin)
  for (const [method, url, status] of [
    ['POST', '/', 404],
    ['POST', '/livez', 405],
    ['POST', '/metrics', 405],
    ['OPTIONS', '/', 404],
    ['OPTIONS', '/livez', 405],
    ['OPTIONS', '/authorize', 405],
    ['OPTIONS', '/mcp', 405],
    ['OPTIONS', '/token', 204],
    ['OPTIONS', '/.well-known/oauth-protected-resource', 204]
  ] as const) {
    const response = await server.inject({
      method,
      url,
      headers: { host: 'localhost', 'content-type': 'application/json' },
      payload: '{"unfinished'
    })
    t.equal(response.statusCode, status, `${method} ${url}: it is not found to be no JSON`)
  }
})
