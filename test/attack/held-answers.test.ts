import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { type ServerProcess, startServer } from '../support/process.ts'
import { call } from '../support/server.ts'
import { branch, caller, inParallel, meanwhile, residentMb } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Memory that one holds by what is under way: answers that never end, logs of which the middle is wanted, large writes. */

const TENANT = 'glpat-tenant-tenant-1'
const MEGABYTE = 1024 * 1024
/** Of the 512 that the chart gives a container; a worker has some dozens of them. */
const MOST_MB = 450

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** A forge that answers a branch, never ends a log or an artifact, and never answers a write. */
async function forge(t: Test): Promise<string> {
  const log = Buffer.from(`${'y'.repeat(100)}\n`.repeat(10_000))
  const writeMuch = (response: ServerResponse, left: number) => {
    if (left > 0 && !response.destroyed) response.write(log, () => writeMuch(response, left - 1))
  }
  return listen(t, (request, response) => {
    request.resume()
    if (request.method === 'POST') return
    if (/trace|artifacts/.test(request.url!)) writeMuch(response, 9)
    else response.end('{"name":"main"}')
  })
}

async function start(t: Test): Promise<ServerProcess> {
  const origin = await forge(t)
  const settings = {
    FORGE_API_URL: `${origin}/api/v4`,
    ENABLE_DYNAMIC_API_URL: 'true',
    FORGE_TOOLSETS: 'all'
  }
  return startServer(t, { ...settings, MAX_REQUESTS_PER_MINUTE: '0', ...chartHeap })
}

/** What the process takes at most, and that a tenant is served, while something goes on. */
async function watched(t: Test, server: ServerProcess, attack: Promise<unknown>) {
  const tenant = caller(t, server, TENANT)
  const work = () => tenant(branch())
  await work()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(server))
  }, 50)
  const { failures, p99 } = await meanwhile(work, attack)
  clearInterval(watch)
  // A process that has much to send is not called back meanwhile.
  most = Math.max(most, residentMb(server))
  t.same(failures, [])
  t.comment(`at most ${most} MiB; p99 of a tenant ${p99} ms`)
  t.ok(most < MOST_MB, `${most} MiB`)
}

t.test('half answers of many forges of one address do not fill the process', async t => {
  const half = Buffer.from(`{"a":"${'x'.repeat(510 * 1024)}`)
  const forges = await Promise.all(
    Array.from({ length: 12 }, () => listen(t, (_request, response) => void response.write(half)))
  )
  const server = await start(t)
  const attackers = Array.from({ length: 36 }, (_, at) => caller(t, server, madeUp(at)))
  const one = (at: number) =>
    attackers[at % 36]!(branch(), { 'x-forge-api-url': `${forges[at % 12]}/api/v4` }).catch(() => {})
  await watched(t, server, Promise.race([inParallel(600, 300, one), pause(5000)]))
  await server.stop('SIGKILL')
})

for (const [what, tool, args] of [
  ['logs from far back', 'get_pipeline_job_output', { offset: 1_000_000 }],
  ['large artifacts', 'get_job_artifact_file', { artifact_path: 'a.txt' }]
] as const)
  t.test(`one token that reads ${what} does not fill the process`, async t => {
    const server = await start(t)
    const reader = caller(t, server, 'glpat-reader-reader-1')
    const one = () => reader(call(tool, { project_id: '1', job_id: '1', ...args })).catch(() => {})
    await watched(t, server, Promise.race([inParallel(64, 64, one), pause(5000)]))
    await server.stop('SIGKILL')
  })

t.test('one token whose commits edit many large files does not fill the process', async t => {
  const file = 'a'.repeat(3 * MEGABYTE - 1000)
  const origin = await listen(t, (request, response) =>
    response.end(request.url!.includes('/raw') ? file : '{"name":"main"}')
  )
  const server = await startServer(t, {
    FORGE_API_URL: `${origin}/api/v4`,
    FORGE_TOOLSETS: 'all',
    ...chartHeap
  })
  const writer = caller(t, server, 'glpat-writer-writer-1')
  const edits = [{ find: 'z', replace: 'b' }]
  const actions = Array.from({ length: 100 }, (_, at) => ({ action: 'edit', file_path: `f${at}`, edits }))
  const commit = call('commit_files', { project_id: '1', branch: 'b', commit_message: 'm', actions })
  const answers: string[] = []
  await watched(
    t,
    server,
    inParallel(4, 4, async () => void answers.push((await writer(commit).catch(() => ({ text: '' }))).text))
  )
  t.ok(
    answers.every(text => text.includes('given up for lack of memory')),
    answers.map(text => text.slice(0, 200)).join()
  )
  await server.stop('SIGKILL')
})

t.test('one token with large writes to a slow forge does not fill the process', async t => {
  const server = await start(t)
  const writer = caller(t, server, 'glpat-writer-writer-1')
  const content = 'c'.repeat(3 * MEGABYTE - 100)
  const commit = call('commit_files', {
    project_id: '1',
    branch: 'b',
    commit_message: 'm',
    actions: [{ action: 'create', file_path: 'a', content }]
  })
  let refused = 0
  const one = async () => {
    const answer = await writer(commit).catch(() => undefined)
    if (answer?.status === 503) refused++
  }
  // A slow machine takes some time until so much has come.
  const attack = Promise.race([inParallel(60, 30, one), pause(6000)])
  await watched(t, server, Promise.all([attack, until(() => refused > 0)]))
  t.ok(refused > 0, `${refused} refused`)
  await server.stop('SIGKILL')
})

t.test('forges that say very much of themselves do not fill the process', async t => {
  const much = JSON.stringify([{ username: 'a', id: 'v'.repeat(7 * MEGABYTE) }])
  const hostile = await listen(t, (_request, response) => void response.end(much))
  const server = await start(t)
  // Kept, they would be more than the heap; what is not kept stays until it is collected.
  const attackers = Array.from({ length: 60 }, (_, at) => caller(t, server, madeUp(at)))
  const ask = call('get_user', { username: 'a' })
  const one = (at: number) => attackers[at]!(ask, { 'x-forge-api-url': `${hostile}/api/v4` }).catch(() => {})
  const tenant = caller(t, server, TENANT)
  const { failures } = await meanwhile(() => tenant(branch()), inParallel(60, 2, one))
  t.same(failures, [])
  t.equal(server.child.exitCode, null)
  t.equal(server.child.signalCode, null)
  await server.stop('SIGKILL')
})
