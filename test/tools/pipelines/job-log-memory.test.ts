import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { CallerForgeClient } from '../../../src/upstream/forge.ts'
import { apiBase } from '../../../src/upstream/hosts/url.ts'
import { LogTail } from '../../../tools/pipelines/logs/log-tail.ts'
import { collect } from '../../support/collect.ts'
import { inTurns } from '../../support/in-turns.ts'
import { upstreamOf } from '../../support/upstream.ts'

// Garbage comes and goes with V8's mood; what is held is what a collection leaves.
const held = () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

t.test('a log of 64 MB costs a fraction of its size, and other callers are served meanwhile', async t => {
  const block = Buffer.from('\u001b[0;32mcompiling some/path/to/a/file.ts\u001b[0m\n'.repeat(1400))
  const server = createServer(async (request, response) => {
    if (request.url !== '/api/v4/projects/1/jobs/7/trace') return response.end('{}')
    for (let sent = 0; sent < 64 * 1024 ** 2; sent += block.length)
      if (!response.write(block)) await new Promise(resolve => response.once('drain', resolve))
    response.end('the end')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const dispatcher = createDispatcher()
  t.teardown(() => Promise.all([dispatcher.destroy(), server.close()]))
  const upstream = upstreamOf({
    base: apiBase(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`),
    dispatcher,
    limits: { maxBytes: 1000, deadlineMs: 60_000 },
    userAgent: 'test'
  })
  const forge = new CallerForgeClient(upstream, { kind: 'private-token', token: 'glpat-log-log-log-log' })
  await forge.send({ method: 'GET', path: '/user' })

  const before = held()
  let most = 0
  let others = 0
  let over = false
  const asking = (async () => {
    for (; !over; others++) {
      await forge.send({ method: 'GET', path: '/user' })
      if (others % 10 === 0) most = Math.max(most, held() - before)
    }
  })()
  const tail = new LogTail(1000)
  const request = { path: '/projects/1/jobs/7/trace', accept: 'text/plain', maxBytes: 1e9 }
  await forge.stream(request, async ({ body }) => {
    for await (const chunk of body(tail)) tail.push(chunk)
  })
  tail.end()
  over = true
  await asking
  t.equal((await tail.window(1, 0, 1000, inTurns)).lines[0], 'the end')
  t.ok(most > 0 && most < 32e6, `at most ${most / 1e6} MB more were held, of both ends of the connection`)
  t.ok(others > 20, `${others} other calls were answered meanwhile`)
})
