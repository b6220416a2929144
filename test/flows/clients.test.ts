import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { startForge } from '../forge/index.ts'
import { stdioCommand } from '../support/built.ts'
import { startServer } from '../support/process.ts'
import { until } from '../support/until.ts'

const info = { name: 'flow', version: '1' }

t.test('real MCP clients against a real server process', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const server = await startServer(t, { FORGE_API_URL: forge.apiUrl })
  const url = new URL(`${server.url}/mcp`)
  const headersOf = (user: string) => ({ 'Private-Token': forge.tokens[user]! })

  t.test('the SDK’s v1 client connects, lists and calls, and ends its session', async t => {
    const client = new Client(info)
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: headersOf('ada') } })
    await client.connect(transport)
    t.match(client.getServerVersion(), { name: 'forge-tool-server' })
    t.ok((await client.listTools()).tools.some(tool => tool.name === 'list_merge_requests'))
    const result = await client.callTool({
      name: 'get_branch',
      arguments: { project_id: 'acme/rocket', branch_name: 'main' }
    })
    t.match(JSON.parse((result.content as { text: string }[])[0]!.text), { name: 'main' })
    await client.ping()
    await transport.terminateSession()
    await client.close()
  })

  t.test('the SDK’s v2 client does so in either era', async t => {
    for (const mode of ['legacy', 'auto'] as const) {
      const client = new ModernClient(info, { versionNegotiation: { mode } })
      await client.connect(new ModernTransport(url, { requestInit: { headers: headersOf('linus') } }))
      t.ok((await client.listTools()).tools.length > 10, mode)
      const result = await client.callTool({ name: 'my_issues', arguments: {} })
      t.notOk(result.isError, mode)
      await client.close()
    }
  })

  t.test('each caller sees and does what its own token may', async t => {
    const as = async (user: string) => {
      const client = new Client(info)
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: headersOf(user) } })
      )
      t.teardown(() => client.close())
      return async (name: string, args: object) => {
        const result = await client.callTool({ name, arguments: { project_id: 'acme/rocket', ...args } })
        return { text: (result.content as { text: string }[])[0]!.text, isError: result.isError }
      }
    }
    const [ada, grace] = [await as('ada'), await as('grace')]
    const change = { merge_request_iid: '3', title: 'Show the remaining fuel' }
    t.match(await grace('update_merge_request', change), { isError: true, text: /403 Forbidden/ })
    t.match(JSON.parse((await ada('update_merge_request', change)).text), {
      title: 'Show the remaining fuel'
    })
    const seen = new Set(forge.requests.map(({ headers }) => headers['private-token']))
    t.ok(seen.has(forge.tokens.ada) && seen.has(forge.tokens.grace))
  })

  t.test('nothing of it breaks the forge’s published contract', async t => {
    t.same(forge.violations, [])
  })

  t.test('the log holds no token', async t => {
    const line = /"tool":"get_branch","class":"read",[^\n]*"outcome":"ok"/
    await until(async () => line.test(await server.output()))
    const log = await server.output()
    for (const token of Object.values(forge.tokens)) t.notOk(log.includes(token))
  })
})

t.test('over stdio a local client works with the configured token', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const client = new Client(info)
  await client.connect(new StdioClientTransport(await stdioCommand(forge.apiUrl, forge.tokens.ada!)))
  t.ok((await client.listTools()).tools.length > 10)
  const result = await client.callTool({ name: 'list_branches', arguments: { project_id: 'acme/website' } })
  t.notOk(result.isError)
  await client.close()
})
