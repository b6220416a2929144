import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t from 'tap'
import { startForge } from '../forge/index.ts'
import { stdioCommand } from '../support/built.ts'

// 2025 revisions over stdio are with the other clients (clients.test.ts).
t.test('the SDK’s v2 client works on 2026-07-28 over stdio', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const client = new Client(
    { name: 'flow', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } }
  )
  await client.connect(new StdioClientTransport(await stdioCommand(forge.apiUrl, forge.tokens.ada!)))
  t.ok((await client.listTools()).tools.length > 10)
  const result = await client.callTool({ name: 'list_branches', arguments: { project_id: 'acme/website' } })
  t.notOk(result.isError)
  await client.close()
})
