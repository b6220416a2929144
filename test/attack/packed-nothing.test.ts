import { gzipSync } from 'node:zlib'
import t from 'tap'
import { madeUp } from '../support/attack.ts'
import { amongEmptyBlocks } from '../support/empty-blocks.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, inParallel, meanwhile } from '../support/tenants.ts'

/* Answers that take long to unpack and give nothing, of five callers' forges, and a neighbour at a forge that packs, too. */

const FORGES = 5
const NOISE_MS = 4_000
const CALM_MS = 1_000
/** A call may take so many times as long as in quiet times: behind all that there is to unpack, it took twenty times and more. */
const MOST = 16
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const text = '{"name":"main"}'
const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
const packed = gzipSync(text)

for (const [what, status, bytes, width, tool, args] of [
  ['small', 200, 255_000, 40, 'get_branch', { branch_name: 'main' }],
  ['large', 200, 9_900_000, 10, 'get_branch', { branch_name: 'main' }],
  ['streamed', 200, 9_900_000, 40, 'get_pipeline_job_output', { job_id: '5' }],
  ['redirecting', 302, 9_900_000, 40, 'get_pipeline_job_output', { job_id: '5' }]
] as const)
  t.test(`${what} bodies of blocks that hold nothing do not hold up whoever else unpacks`, async t => {
    const empty = amongEmptyBlocks(text, bytes)
    const home = await listen(t, (request, response) => {
      request.resume()
      response.writeHead(200, headers).end(packed)
    })
    const forges = await Promise.all(
      Array.from({ length: FORGES }, (_, at) =>
        listen(
          t,
          (request, response) =>
            request.resume() && response.writeHead(status, { ...headers, location: '/again' }).end(empty),
          {
            address: `127.0.0.${30 + at}`
          }
        )
      )
    )
    const server = await startServer(t, {
      FORGE_API_URL: home,
      ENABLE_DYNAMIC_API_URL: 'true',
      MAX_REQUESTS_PER_MINUTE: '0'
    })
    const tenant = caller(t, server, TOKEN)
    const attackers = forges.map((_, at) => caller(t, server, 'unused', `127.0.1.${at + 1}`))
    await tenant(branch())
    const one = (at: number) =>
      attackers[at % FORGES]!(
        call(tool, { project_id: '1', ...args }),
        { 'x-forge-api-url': forges[at % FORGES]! },
        madeUp(at)
      ).catch(() => {})
    const calm = await meanwhile(() => tenant(branch()), pause(CALM_MS))
    const { failures, calls } = await meanwhile(
      () => tenant(branch()),
      Promise.race([inParallel(1000, width, one), pause(NOISE_MS)])
    )
    t.same(failures, [])
    const before = (calm.calls * NOISE_MS) / CALM_MS
    t.ok(calls * MOST > before, `${calls} calls in ${NOISE_MS} ms, and ${before} before`)
  })
