import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { serviceCommand } from '../support/built.ts'
import { startCollector } from '../support/collector.ts'
import { captureLog } from '../support/log.ts'
import { startServer } from '../support/process.ts'
import { call, post, TOKEN, testServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// Otherwise what the SDK still waits for would keep this process for ten seconds.
process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '1500'

const branch = call('get_branch', { project_id: '1', branch_name: 'main' })

async function quickForge(t: Test): Promise<string> {
  const forge = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"name":"main"}')
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  return `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
}

const hang = () => undefined

/** What the exporter gives a collector; nothing else waits half as long, however busy the machine is. */
const COLLECTOR_MS = 60_000
const PATIENT = { OTEL_EXPORTER_OTLP_TIMEOUT: `${COLLECTOR_MS}` }

const millisecondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

t.test('a collector that hangs delays no call, and no way out of service beyond two seconds', async t => {
  const collector = await startCollector(t, hang)
  const server = await testServer(t, {
    FORGE_API_URL: await quickForge(t),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    ...PATIENT,
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  // Two spans each: a full batch goes out at once, and is hung on to; on a busy machine one by the clock does, too.
  const statuses = new Set<number>()
  for (let calls = 0; calls < 300; calls++) statuses.add((await post(server, { body: branch })).statusCode)
  t.same([...statuses], [200])
  await until(() => collector.requests.length > 0)
  const slowest = await millisecondsOf(() => post(server, { body: branch }))
  t.ok(slowest < COLLECTOR_MS / 2, `a call took ${slowest} ms`)
  const closing = await millisecondsOf(() => server.close())
  t.ok(closing < COLLECTOR_MS / 2, `closing took ${closing} ms`)
})

for (const [title, answer] of [
  ['refuses what it gets', 403],
  ['is overloaded', 503]
] as const)
  t.test(`a collector that ${title} fails no call, and is complained of once`, async t => {
    const collector = await startCollector(t, response => response.writeHead(answer).end(`no ${TOKEN}`))
    const log = captureLog()
    const settings = { FORGE_API_URL: await quickForge(t), OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin }
    const server = await testServer(
      t,
      { ...settings, LOG_LEVEL: 'info', MAX_REQUESTS_PER_MINUTE: '0' },
      log.stream
    )
    for (let calls = 0; calls < 300; calls++) await post(server, { body: branch })
    await server.close()
    t.ok(collector.requests.length >= 2, 'a batch was lost under way and one at the end')
    t.ok(log.lines('tool call').every(({ outcome }) => outcome === 'ok'))
    const [complaint, ...more] = log.lines('the collector does not take traces')
    t.same(more, [])
    const url = `${collector.origin}/v1/traces`
    t.match(log.lines('calls are traced'), [{ collector: url }])
    t.match(complaint, { level: 40, spans: Number, collector: url })
    t.notMatch(log.text(), TOKEN)
  })

t.test(
  'a collector that is not there is complained of once, and leaves the standard error alone',
  async t => {
    const server = await startServer(t, {
      FORGE_API_URL: await quickForge(t),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500'
    })
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'private-token': TOKEN },
      body: JSON.stringify(branch)
    })
    t.equal(answer.status, 200)
    t.equal(await server.stop(), 0)
    const lines = (await server.output())
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    t.match(
      lines.filter(({ level }) => level > 30),
      [{ msg: 'the collector does not take traces', err: { code: 'ECONNREFUSED' }, spans: 2 }]
    )
  }
)

t.test('a process ends with 0 within its bound while the collector hangs', async t => {
  const collector = await startCollector(t, hang)
  const server = await startServer(t, {
    FORGE_API_URL: await quickForge(t),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    ...PATIENT
  })
  await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': TOKEN },
    body: JSON.stringify(branch)
  })
  let code: number | null = null
  const ms = await millisecondsOf(async () => {
    code = await server.stop()
  })
  t.equal(code, 0)
  t.ok(ms < COLLECTOR_MS / 2, `it took ${ms} ms`)
  t.equal(collector.requests.length, 1, 'what was recorded was sent on the way out')
})

t.test('a stdio server whose client has gone does not wait for a collector that hangs', async t => {
  const collector = await startCollector(t, hang)
  const { command, args } = await serviceCommand()
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      STREAMABLE_HTTP: 'false',
      FORGE_PERSONAL_ACCESS_TOKEN: TOKEN,
      FORGE_API_URL: await quickForge(t),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      ...PATIENT
    },
    stdio: ['pipe', 'pipe', 'ignore']
  })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin.write(`${JSON.stringify(branch)}\n`)
  t.match(JSON.parse(String((await once(child.stdout, 'data'))[0])), { result: { content: Array } })
  let code: number | null = null
  const ms = await millisecondsOf(async () => {
    child.stdin.end()
    ;[code] = await once(child, 'exit')
  })
  t.equal(code, 0)
  t.ok(ms < COLLECTOR_MS / 2, `it took ${ms} ms`)
  t.equal(collector.requests.length, 1)
})

t.test('headers for the collector come from the environment, and are not logged', async t => {
  const collector = await startCollector(t)
  const server = await startServer(t, {
    FORGE_API_URL: await quickForge(t),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=Zq8vXw3nL0pKs7TbYc2R',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.name=theirs',
    LOG_LEVEL: 'trace'
  })
  await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': TOKEN },
    body: JSON.stringify(branch)
  })
  t.equal(await server.stop(), 0)
  t.equal(collector.requests[0]?.headers['api-key'], 'Zq8vXw3nL0pKs7TbYc2R')
  t.match(collector.resource(), { 'deployment.environment.name': 'staging', 'service.name': 'theirs' })
  t.equal(collector.spans().length, 2)
  t.notMatch(await server.output(), 'Zq8vXw3nL0pKs7TbYc2R')
})
