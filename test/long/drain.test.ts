import { Agent, createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { MAX_ANSWER_SECONDS } from '../../src/base/longest-call.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { until } from '../support/until.ts'

const body = JSON.stringify(call('get_branch', { project_id: '1', branch_name: 'main' }))

/** One call over a kept connection; gives the status, or fails as the connection does. */
const send = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'private-token': TOKEN
    }
    const request = httpRequest(`${url}/mcp`, { agent, method: 'POST', headers }, response => {
      response.resume()
      response.once('error', reject)
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('error', reject)
    request.end(body)
  })

t.test('a log that takes longer than most calls is read to its end by a replica that leaves', async t => {
  const seconds = 70
  t.ok(seconds < MAX_ANSWER_SECONDS)
  let isAsked = false
  const forge = createServer(async (_request, response) => {
    isAsked = true
    response.setHeader('content-type', 'text/plain')
    for (let second = 0; second < seconds; second++) {
      response.write(`second ${second}\n`)
      await sleep(1000)
    }
    response.end('the end\n')
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  const server = await startServer(t, {
    FORGE_API_URL: `http://127.0.0.1:${(forge.address() as AddressInfo).port}`,
    FORGE_TOOLSETS: 'pipelines'
  })
  const answer = fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': TOKEN },
    body: JSON.stringify(call('get_pipeline_job_output', { project_id: '1', job_id: '2' }))
  })
  await until(() => isAsked)
  const exit = server.stop('SIGTERM')
  t.match(await (await answer).text(), /the end/)
  t.equal(await exit, 0)
})

t.test('no call fails while a replica under load leaves, though its endpoint is removed late', async t => {
  const forge = createServer(async (_request, response) => {
    await sleep(20)
    response.setHeader('content-type', 'application/json')
    response.end('{"name":"main"}')
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  const server = await startServer(t, {
    FORGE_API_URL: `http://127.0.0.1:${(forge.address() as AddressInfo).port}`,
    // A slow machine takes some time until it has read what was sent to it last.
    DRAIN_SECONDS: '5',
    MAX_REQUESTS_PER_MINUTE: '0'
  })

  // Twenty clients with kept connections call until the endpoint is removed, 1.5 s after SIGTERM.
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  t.teardown(() => agent.destroy())
  const outcomes = new Map<string, number>()
  let inService = true
  const client = async () => {
    while (inService) {
      const outcome = await send(agent, server.url).catch((error: Error) => error.message)
      outcomes.set(String(outcome), (outcomes.get(String(outcome)) ?? 0) + 1)
    }
  }
  const clients = Array.from({ length: 20 }, client)
  const done = () => outcomes.get('200') ?? 0
  await until(() => done() > 100)
  const before = done()
  const exit = server.stop('SIGTERM')
  await sleep(1500)
  inService = false
  await Promise.all(clients)
  t.equal(await exit, 0)
  t.same([...outcomes.keys()], ['200'])
  t.ok(done() > before, `${done() - before} calls of ${done()} while it leaves`)
})
