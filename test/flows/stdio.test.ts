import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t, { type Test } from 'tap'
import { startForge } from '../forge/index.ts'
import { hostileForge } from '../support/hostile-forge.ts'
import { call, initialize, request, TOKEN } from '../support/server.ts'

const args = (apiUrl: string) => ['src/cli.ts', '--streamable-http=false', `--forge-api-url=${apiUrl}`]

/** A server over stdio, and its answers as they come. */
function start(t: Test, apiUrl = 'http://127.0.0.1:9') {
  const child = spawn(process.execPath, args(apiUrl), {
    env: { PATH: process.env.PATH, FORGE_PERSONAL_ACCESS_TOKEN: TOKEN, LOG_LEVEL: 'debug' },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  child.stderr.resume()
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  return {
    child,
    ended,
    write: (line: unknown) =>
      child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    // biome-ignore lint/suspicious/noExplicitAny: answers of every kind are looked into
    next: async (): Promise<any> => JSON.parse(String((await lines.next()).value))
  }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {}
}

t.test('whatever a line is, it is answered as a body over HTTP is, and the next one is served', async t => {
  const { write, next } = start(t)
  for (const [line, answer] of [
    ['hello', { error: { code: -32700, message: /^Parse error/ } }],
    ['', { error: { code: -32700 } }],
    ['   ', { error: { code: -32700 } }],
    ['null', { error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":3}', { id: 3, error: { code: -32600 } }],
    ['{"__proto__":{}}', { error: { code: -32700 } }],
    ['['.repeat(1000), { error: { code: -32700, message: /nested/ } }],
    ['x'.repeat(5 * 1024 * 1024), { error: { code: -32600, message: /4 MiB/ } }],
    [[], { error: { code: -32600, message: /batch/ } }],
    [[request('ping')], { error: { code: -32600, message: /batch/ } }],
    [request('ping', undefined, 'last'), { id: 'last', result: {} }]
  ] as const) {
    write(line)
    t.match(await next(), answer, String(line).slice(0, 40))
  }
  write(initialize('2025-03-26'))
  t.match(await next(), { result: { protocolVersion: '2025-03-26' } })
  write([request('ping', undefined, 1), request('ping', undefined, 2)])
  t.same(
    (await next()).map(({ id }: { id: number }) => id),
    [1, 2]
  )
})

t.test('2026-07-28 is served without headers', async t => {
  const { write, next } = start(t)
  write(request('server/discover', { _meta: meta }))
  t.match(await next(), { result: { resultType: 'complete', supportedVersions: ['2026-07-28'] } })
  write(request('tools/call', { name: 'get_issue', arguments: {}, _meta: meta }))
  t.match(await next(), { result: { resultType: 'complete', isError: true } })
  write(request('ping', { _meta: meta }, 9))
  t.match(await next(), { id: 9, error: { code: -32601 } })
  write(request('ping', { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }, 9))
  t.match(await next(), { id: 9, error: { code: -32022 } })
})

t.test('the SDK’s v2 client works in either era', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
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

t.test('a modern call can be cancelled, and its id used once at a time', async t => {
  const forge = await hostileForge(t, () => undefined)
  const { write, next } = start(t, forge.origin)
  const params = { ...call('get_branch', { project_id: '1', branch_name: 'main' }).params!, _meta: meta }
  write(request('tools/call', params, 5))
  while (forge.open === 0) await new Promise(resolve => setTimeout(resolve, 10))
  write(request('tools/call', params, 5))
  t.match(await next(), { id: 5, error: { code: -32600, message: /still under way/ } })
  write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
  while (forge.open > 0) await new Promise(resolve => setTimeout(resolve, 10))
  write(request('server/discover', { _meta: meta }, 6))
  t.match(await next(), { id: 6, result: {} }, 'of the cancelled call nothing is heard')
})

t.test('SIGTERM and SIGINT end an idle server within a second, with exit code 0', async t => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child, ended, write, next } = start(t)
    write(request('ping'))
    await next()
    const started = performance.now()
    child.kill(signal)
    t.same(await ended, [0, null], signal)
    const ms = Math.round(performance.now() - started)
    t.comment(`${signal}: ${ms} ms`)
    // The bound is a second; a machine that is busy with other tests gets some more.
    t.ok(ms < 3000)
  }
})

t.test('a call with a progress token tells while it runs that it does', async t => {
  const forge = await hostileForge(t, (_request, response) => {
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"name":"main"}'), 1500)
  })
  const { write, next } = start(t, forge.origin)
  const { params } = call('get_branch', { project_id: '1', branch_name: 'main' })
  write(request('tools/call', { ...params!, _meta: { progressToken: 7 } }))
  t.match(await next(), { method: 'notifications/progress', params: { progressToken: 7 } })
  t.match(await next(), { id: 1, result: { content: [{ text: '{"name":"main"}' }] } })
})

t.test('SIGTERM lets a call that is under way be answered', async t => {
  let answer = () => {}
  const asked = new Promise<void>(resolve => {
    answer = resolve
  })
  const forge = await hostileForge(t, async (_request, response) => {
    await asked
    response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  const { child, ended, write, next } = start(t, forge.origin)
  write(call('get_branch', { project_id: '1', branch_name: 'main' }))
  while (forge.asked === 0) await new Promise(resolve => setTimeout(resolve, 10))
  child.kill('SIGTERM')
  setTimeout(answer, 300)
  t.match(await next(), { result: { content: [{ text: '{"name":"main"}' }] } })
  t.same(await ended, [0, null])
})
