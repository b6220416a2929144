import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { call, initialize, post, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

/* What the log has of a call whose caller does not wait for its answer, as where an ingress waits less long. */

const write = (id = 1) => call('create_issue', { project_id: '1', title: 'x' }, id)
const modernWrite = modernRequest('tools/call', write().params as object)
const stream = { accept: 'application/json, text/event-stream' }

/** A forge that answers when it is told to, and a server in front of it that listens. */
async function scene(t: Test) {
  const waiting: ServerResponse[] = []
  const forge = await listen(t, (request, response) => {
    request.resume()
    if (request.method === 'POST') response.statusCode = 201
    waiting.push(response.setHeader('content-type', 'application/json'))
  })
  const log = captureLog()
  const server = await testServer(t, { FORGE_API_URL: forge, LOG_LEVEL: 'info' }, log.stream)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const connections = promisify(server.server.getConnections.bind(server.server))
  /** Sends a message, hangs up once the forge is asked, and has the forge answer then. */
  const hangUp = async (body: unknown, headers: Record<string, string> = {}) => {
    const leaving = new AbortController()
    const answer = fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'private-token': TOKEN, ...headers },
      body: JSON.stringify(body),
      signal: leaving.signal
    }).then(response => response.text())
    await until(() => waiting.length > 0)
    leaving.abort()
    await t.rejects(answer)
    await until(async () => (await connections()) === 0)
    waiting.shift()!.end('{"iid":7}')
    await until(() => log.lines('tool call').length > 0 && server.metrics.httpInFlight === 0)
    return log.lines('tool call')
  }
  return { server, log, waiting, hangUp }
}

const hangsUp: Record<string, readonly [body: unknown, headers?: Record<string, string>]> = {
  'of a 2025 revision': [write()],
  'of a 2025 revision, by a stream': [write(), stream],
  'of 2026-07-28': [modernWrite, modernHeaders('tools/call', 'create_issue')],
  'of 2026-07-28, by a stream': [modernWrite, { ...modernHeaders('tools/call', 'create_issue'), ...stream }]
}

for (const [client, [body, headers]] of Object.entries(hangsUp))
  t.test(`a write that was finished after its caller had gone says so: a client ${client}`, async t => {
    const { hangUp } = await scene(t)
    t.match(await hangUp(body, headers), [
      { tool: 'create_issue', outcome: 'ok', gone: true, created: { iid: '7' } }
    ])
  })

t.test('of a batch whose caller has gone the write under way says so, and no other is begun', async t => {
  const { hangUp, server, waiting } = await scene(t)
  const sid = String((await post(server, { body: initialize('2025-03-26') })).headers['mcp-session-id'])
  const lines = await hangUp([write(1), write(2)], { 'mcp-session-id': sid })
  t.match(lines, [{ outcome: 'ok', gone: true }])
  t.equal(lines.length, 1)
  t.equal(waiting.length, 0)
})

t.test('a read is cancelled, and nobody is told of a caller who stays', async t => {
  const { hangUp, log, server, waiting } = await scene(t)
  const [read] = await hangUp(call('get_branch', { project_id: '1', branch_name: 'main' }))
  t.equal(read!.outcome, 'cancelled')
  t.notOk('gone' in read!)
  const answer = post(server, { body: write() }).then(response => response)
  await until(() => waiting.length > 0)
  waiting.shift()!.end('{"iid":7}')
  t.equal((await answer).statusCode, 200)
  t.notOk('gone' in log.lines('tool call')[1]!)
})
