import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t from 'tap'
import { startForge } from '../forge/index.ts'
import { envelope } from '../support/modern.ts'
import { request, TOKEN } from '../support/server.ts'

const args = (apiUrl: string) => ['src/cli.ts', '--streamable-http=false', `--forge-api-url=${apiUrl}`]

t.test('the SDK’s v2 client works in either era', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  for (const mode of ['legacy', 'auto'] as const) {
    const client = new ModernClient({ name: 'flow', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: args(forge.apiUrl),
        env: { FORGE_PERSONAL_ACCESS_TOKEN: forge.tokens.ada!, LOG_LEVEL: 'warn' }
      })
    )
    t.ok((await client.listTools()).tools.length > 10)
    const result = await client.callTool({ name: 'list_branches', arguments: { project_id: 'acme/website' } })
    t.notOk(result.isError)
    await client.close()
  }
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  t.test(
    `${signal} ends an idle server at once, its subscriptions answered, and nothing else was said`,
    async t => {
      const child = spawn(process.execPath, args('http://127.0.0.1:9'), {
        env: { PATH: process.env.PATH, FORGE_PERSONAL_ACCESS_TOKEN: TOKEN, LOG_LEVEL: 'trace' },
        stdio: ['pipe', 'pipe', 'ignore']
      })
      t.teardown(() => child.kill('SIGKILL'))
      const lines: unknown[] = []
      const output = createInterface({ input: child.stdout }).on('line', line => lines.push(JSON.parse(line)))
      const params = { notifications: { toolsListChanged: true }, _meta: envelope() }
      child.stdin.write(`${JSON.stringify(request('subscriptions/listen', params, 's'))}\n`)
      await once(output, 'line')
      const started = performance.now()
      child.kill(signal)
      const [code] = await once(child, 'close')
      const ms = Math.round(performance.now() - started)
      t.equal(code, 0)
      t.match(lines, [{ method: 'notifications/subscriptions/acknowledged' }, { id: 's', result: {} }])
      t.equal(lines.length, 2)
      t.comment(`${ms} ms`)
      // The bound is a second; a machine that is busy with other tests gets some more.
      t.ok(ms < 4000)
    }
  )
