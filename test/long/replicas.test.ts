import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t, { type Test } from 'tap'
import { startForge } from '../forge/index.ts'
import { freePort } from '../support/listen.ts'
import { authorizeUrl, CLIENT_REDIRECT, oauthSettings, pkce, TestBrowser } from '../support/oauth.ts'
import { TestProvider } from '../support/oauth-provider.ts'
import { startServer } from '../support/process.ts'
import { findProxy, type ProxyProgram, startProxy } from '../support/reverse-proxy.ts'
import { secretOf } from '../support/sealing.ts'
import { call, initialize } from '../support/server.ts'

const program = findProxy()
const skip = program === undefined && 'neither nginx nor haproxy is installed'

/** Three processes that share a secret and nothing else, each request going to the next one. */
async function startReplicas(t: Test, program: ProxyProgram, extra: Record<string, string> = {}) {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const settings = oauthSettings(forge, {
    MCP_SERVER_URL: base,
    MCP_TRUST_PROXY: 'loopback',
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secretOf('replicas'),
    ...extra
  })
  const replicas = await Promise.all([1, 2, 3].map(() => startServer(t, settings)))
  await startProxy(
    t,
    program,
    port,
    replicas.map(({ url }) => url)
  )
  return { forge, base, replicas }
}

const branch = call('get_branch', { project_id: 'acme/rocket', branch_name: 'main' })

t.test('every step of a login and every call reaches another replica', { skip }, async t => {
  const { forge, base } = await startReplicas(t, program!)
  const seen: string[] = []
  const saw = (headers: Headers) => seen.push(headers.get('x-replica')!)
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const form = body instanceof URLSearchParams
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { ...(!form && { 'content-type': 'application/json' }), ...headers },
      body: form ? body : JSON.stringify(body)
    })
    saw(response.headers)
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  const { client_id } = (await post('/register', { redirect_uris: [CLIENT_REDIRECT] })).body
  t.match(client_id, /^v1\.cid\./)
  const { verifier, challenge } = pkce()
  const browser = new TestBrowser()
  const authorize = await browser.open(
    authorizeUrl(base, { client_id, code_challenge: challenge, state: 's' })
  )
  saw(authorize.headers)
  t.match(new URL(authorize.location!).searchParams.get('state'), /^v1\.ps\./)
  const forgeAnswer = await browser.open(authorize.location!)
  const back = await browser.open(forgeAnswer.location!)
  saw(back.headers)
  const code = new URL(back.location!).searchParams.get('code')!
  t.match(code, /^v1\.pc\./)
  const grant = { grant_type: 'authorization_code', client_id, code, redirect_uri: CLIENT_REDIRECT }
  const tokens = await post('/token', new URLSearchParams({ ...grant, code_verifier: verifier }))
  t.equal(tokens.status, 200)

  const authorization = `Bearer ${tokens.body.access_token}`
  const begun = await post('/mcp', initialize(), { authorization })
  let sid = begun.headers.get('mcp-session-id')!
  t.match(sid, /^v1\.sid\./)
  for (let calls = 0; calls < 4; calls++) {
    const { status, headers, body } = await post('/mcp', branch, { 'mcp-session-id': sid })
    t.equal(status, 200)
    t.match(body.result.content[0].text, /"name":"main"/)
    t.not(headers.get('mcp-session-id'), sid, 'the answer carries a new id')
    sid = headers.get('mcp-session-id')!
  }
  for (const [at, replica] of seen.entries()) if (at > 0) t.not(replica, seen[at - 1], `hop ${at + 1}`)
  t.equal(new Set(seen).size, 3)
  t.same(forge.violations, [])
})

t.test(
  'the SDK’s client logs in through them with consent, and lives on when one is killed',
  { skip },
  async t => {
    const { base, replicas } = await startReplicas(t, program!, { FORGE_OAUTH_CONSENT: 'true' })
    const url = new URL(`${base}/mcp`)
    const provider = new TestProvider()
    const connect = () => new StreamableHTTPClientTransport(url, { authProvider: provider })
    const first = connect()
    await t.rejects(new Client({ name: 'flow', version: '1' }).connect(first), /Unauthorized/)
    const answer = await new TestBrowser().logIn(provider.opened!)
    await first.finishAuth(answer.get('code')!)
    const client = new Client({ name: 'flow', version: '1' })
    await client.connect(connect())
    const use = () => client.callTool({ name: 'list_branches', arguments: { project_id: 'acme/rocket' } })
    t.notOk((await use()).isError)
    await replicas[1]!.stop('SIGKILL')
    for (let calls = 0; calls < 6; calls++) t.notOk((await use()).isError, `call ${calls + 1} after the kill`)
    await client.close()
  }
)

t.test(
  'credentials of 20 and of 2,048 characters get through its default header buffers',
  { skip },
  async t => {
    const { forge, base } = await startReplicas(t, program!)
    for (const length of [20, 2048]) {
      const token = 'k'.repeat(length)
      forge.state.credentials.set(token, forge.state.credentials.get(forge.tokens.ada!)!)
      const headers = { 'content-type': 'application/json' }
      const begun = await fetch(`${base}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'private-token': token },
        body: JSON.stringify(initialize())
      })
      t.equal(begun.status, 200)
      const sid = begun.headers.get('mcp-session-id')!
      const used = await fetch(`${base}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'mcp-session-id': sid, 'private-token': token },
        body: JSON.stringify(branch)
      })
      t.equal(used.status, 200, `${length} characters`)
      t.match(await used.text(), /"result"/)
    }
  }
)

t.test('each replica counts registrations for itself', { skip }, async t => {
  const { base } = await startReplicas(t, program!, { OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: '1' })
  const register = async () => {
    const body = JSON.stringify({ redirect_uris: [CLIENT_REDIRECT] })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${base}/register`, { method: 'POST', headers, body })).status
  }
  const statuses: number[] = []
  for (let calls = 0; calls < 6; calls++) statuses.push(await register())
  t.same(statuses, [201, 201, 201, 429, 429, 429])
})
