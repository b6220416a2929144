import type { AddressInfo } from 'node:net'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t, { type Test } from 'tap'
import { startForge } from '../forge/index.ts'
import { testServer } from '../support/server.ts'

// Prompts, resources and completion as the official clients see them, of a forge that holds requests to its contract.

const info = { name: 'flow', version: '1' }
const project_id = 'acme/rocket'

async function scene(t: Test) {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const server = await testServer(t, { FORGE_API_URL: forge.apiUrl })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = new URL(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/mcp`)
  const options = { requestInit: { headers: { 'Private-Token': forge.tokens.ada! } } }
  return { forge, url, options }
}

t.test('the SDK’s v1 client lists, gets, reads and completes', async t => {
  const { forge, url, options } = await scene(t)
  const client = new Client(info)
  await client.connect(new StreamableHTTPClientTransport(url, options))
  t.teardown(() => client.close())
  t.equal((await client.listPrompts()).prompts.length, 6)
  const { messages } = await client.getPrompt({
    name: 'review_merge_request',
    arguments: { project_id, merge_request_iid: '1' }
  })
  t.match(messages, [{ role: 'user', content: { type: 'text', text: /acme\/rocket/ } }])
  t.ok((await client.listResources()).resources.length > 0)
  const { resourceTemplates } = await client.listResourceTemplates()
  const complete = async (uri: string, name: string, value: string, given: Record<string, string>) => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri },
      argument: { name, value },
      context: { arguments: given }
    })
    return completion.values
  }
  // Each template is filled in from what completes it, as a person would, and read.
  for (const { uriTemplate } of resourceTemplates) {
    const given: Record<string, string> = { project_id, group_id: 'acme', ref: 'main', job_id: '1' }
    const names = [...uriTemplate.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => name!)
    for (const name of names) {
      const values = await complete(uriTemplate, name, given[name] ?? '', given)
      const [first] = values.filter(value => !value.endsWith('/'))
      if (first !== undefined) given[name] = first
    }
    if (names.some(name => given[name] === undefined)) continue
    const uri = uriTemplate.replace(/\{(\+?)(\w+)\}/g, (_, rest: string, name: string) =>
      rest === '' ? encodeURIComponent(given[name]!) : encodeURI(given[name]!)
    )
    const outcome = await client.readResource({ uri }).then(
      ({ contents }) => contents[0]!.uri,
      ({ message }: Error) => message
    )
    t.ok(outcome === uri || /404|not changed/i.test(outcome), `${uriTemplate}: ${outcome}`)
  }
  t.same(forge.violations, [])
})

t.test('the SDK’s v2 client does so in either era', async t => {
  const { forge, url, options } = await scene(t)
  for (const mode of ['legacy', 'auto'] as const) {
    const client = new ModernClient(info, { versionNegotiation: { mode } })
    await client.connect(new ModernTransport(url, options))
    t.equal((await client.listPrompts()).prompts.length, 6, mode)
    const { messages } = await client.getPrompt({ name: 'whats_next' })
    t.match(messages, [{ content: { type: 'text' } }], mode)
    t.ok((await client.listResourceTemplates()).resourceTemplates.length > 5, mode)
    const { contents } = await client.readResource({ uri: 'forge://me/plate' })
    t.match(contents, [{ uri: 'forge://me/plate', mimeType: 'application/json' }], mode)
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'review_merge_request' },
      argument: { name: 'project_id', value: 'rocket' }
    })
    t.same(completion.values, [project_id], mode)
    await t.rejects(client.readResource({ uri: 'forge://nothing' }), mode)
    await client.close()
  }
  t.same(forge.violations, [])
})
