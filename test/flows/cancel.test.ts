import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import t, { type Test } from 'tap'
import { stdioCommand } from '../support/built.ts'
import { hostileForge } from '../support/hostile-forge.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { until } from '../support/until.ts'

/** A client cancels a call that the forge never answers. */
async function cancels(t: Test, connect: (apiUrl: string) => Promise<Transport>): Promise<void> {
  const forge = await hostileForge(t, () => undefined)
  const client = new Client({ name: 'flow', version: '1' })
  await client.connect(await connect(forge.origin))
  t.teardown(() => client.close())
  const controller = new AbortController()
  const call = { name: 'get_branch', arguments: { project_id: '1', branch_name: 'main' } }
  const pending = client.callTool(call, undefined, { signal: controller.signal })
  while (forge.asked === 0) await new Promise(resolve => setTimeout(resolve, 10))
  t.equal(forge.open, 1)
  controller.abort('changed my mind')
  await t.rejects(pending, /changed my mind/)
  await until(() => forge.open === 0)
  t.equal(forge.open, 0, 'the request to the forge is over')
  await client.ping()
}

t.test('notifications/cancelled of a real client stops its call over HTTP', async t => {
  await cancels(t, async origin => {
    const server = await startServer(t, { FORGE_API_URL: origin })
    const requestInit = { headers: { 'Private-Token': TOKEN } }
    return new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }) as Transport
  })
})

t.test('and over stdio', async t => {
  await cancels(t, async origin => new StdioClientTransport(await stdioCommand(origin, TOKEN)))
})

t.test('a call that waits for a pipeline tells how it is, and ends when its client cancels it', async t => {
  const forge = await hostileForge(t, (_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"id":7,"status":"running"}')
  )
  const server = await startServer(t, { FORGE_API_URL: forge.origin, FORGE_TOOLSETS: 'pipelines' })
  const call = { name: 'wait_for_pipeline', arguments: { project_id: '1', pipeline_id: '7' } }
  const lineOf = /^.*"tool":"wait_for_pipeline".*$/m
  let read = 0
  for (const mode of ['legacy', 'auto'] as const) {
    const client = new ModernClient({ name: 'flow', version: '1' }, { versionNegotiation: { mode } })
    const requestInit = { headers: { 'Private-Token': TOKEN } }
    await client.connect(new ModernTransport(new URL(`${server.url}/mcp`), { requestInit }))
    t.teardown(() => client.close())
    await client.listTools()
    const controller = new AbortController()
    const told: unknown[] = []
    const pending = client.callTool(call, {
      signal: controller.signal,
      onprogress: ({ message }) => {
        told.push(message)
        if (told.length === 2) controller.abort('changed my mind')
      }
    })
    await t.rejects(pending, /changed my mind/)
    t.equal(told[0], 'The pipeline is "running".', mode)
    // The line of a call that went on for its 30 seconds would say so.
    let ended: RegExpExecArray | null = null
    for (let waits = 0; ended === null && waits < 100; waits++)
      ended = lineOf.exec((await server.output()).slice(read))
    t.match(ended, [/"outcome":"cancelled"/])
    read += ended!.index + ended![0].length
  }
})
