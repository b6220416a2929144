import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t, { type Test } from 'tap'
import { type Forge, startForge } from '../forge/index.ts'
import { oauthSettings, TestBrowser } from '../support/oauth.ts'
import { TestProvider } from '../support/oauth-provider.ts'
import { startServer } from '../support/process.ts'
import { secretOf } from '../support/sealing.ts'
import { until } from '../support/until.ts'

const info = { name: 'flow', version: '1' }
const branch = { name: 'get_branch', arguments: { project_id: 'acme/rocket', branch_name: 'main' } }

const forms: Record<string, Record<string, string>> = {
  'in memory': {},
  stateless: { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('flow') },
  'with consent': { FORGE_OAUTH_CONSENT: 'true' },
  'without callback proxy': { FORGE_OAUTH_CALLBACK_PROXY: 'false' }
}

async function start(t: Test, extra: Record<string, string>) {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const server = await startServer(t, oauthSettings(forge, { LOG_LEVEL: 'trace', ...extra }))
  return { forge, server, url: new URL(`${server.url}/mcp`) }
}

/** Everything that must not be in a log. */
function secretsOf(forge: Forge, provider: TestProvider, browser: TestBrowser): string[] {
  const { access_token: access, refresh_token: refresh } = provider.held!
  const inUrls = browser.visited.flatMap(url =>
    [...new URL(url).searchParams]
      .filter(([name]) => name === 'state' || name === 'code')
      .map(([, value]) => value)
  )
  return [access, refresh!, provider.codeVerifier(), forge.state.oauth.appSecret, ...inUrls]
}

for (const [form, extra] of Object.entries(forms)) {
  t.test(
    `${form}: the SDK’s v1 client logs in by itself, calls a tool, refreshes and is logged without secrets`,
    async t => {
      const { forge, server, url } = await start(t, extra)
      const [provider, browser] = [new TestProvider(), new TestBrowser()]
      const first = new StreamableHTTPClientTransport(url, { authProvider: provider })
      await t.rejects(new Client(info).connect(first), /Unauthorized/)
      const answer = await browser.logIn(provider.opened!)
      t.equal(answer.get('state'), 'state-of-the-client')
      await first.finishAuth(answer.get('code')!)

      const client = new Client(info)
      const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
      await client.connect(transport)
      t.notOk((await client.callTool(branch)).isError)

      const old = provider.held!
      forge.state.credentials.delete(old.access_token)
      // The verdict about the old token stands for up to a minute; another one is asked about at once.
      provider.held = { ...old, access_token: `${old.access_token}x` }
      t.notOk((await client.callTool(branch)).isError, 'a refused token is refreshed by the client itself')
      t.not(provider.held.access_token, `${old.access_token}x`)
      await transport.terminateSession()
      await client.close()

      await until(async () => (await server.output()).includes('"step":"/token"'))
      const log = await server.output()
      for (const secret of secretsOf(forge, provider, browser))
        t.notOk(log.includes(secret), 'the log holds no secret')
      t.same(forge.violations, [])
    }
  )

  t.test(`${form}: the SDK’s v2 client logs in by itself and calls a tool`, async t => {
    const { forge, url } = await start(t, extra)
    const [provider, browser] = [new TestProvider(), new TestBrowser()]
    const connect = async () => {
      const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } })
      const transport = new ModernTransport(url, { authProvider: provider })
      return { client, transport, connected: client.connect(transport) }
    }
    const first = await connect()
    await t.rejects(first.connected, /Unauthorized/)
    await first.transport.finishAuth(await browser.logIn(provider.opened!))
    const { client, connected } = await connect()
    await connected
    t.notOk((await client.callTool(branch)).isError)
    await client.close()
    t.same(forge.violations, [])
  })
}
