import t from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, inParallel, meanwhile, residentMb } from '../support/tenants.ts'

/* Answers each too small to be a large one, of which a call keeps several while its forge says nothing more. */

const MOST_MB = 350
const values = Buffer.from(`[${'{},'.repeat(85_000)}{}]`)
const records = (of: (at: number) => object) =>
  Buffer.from(JSON.stringify(Array.from({ length: 100 }, (_, at) => of(at))))
const commits = records(at => ({
  id: at === 0 ? 'x' : `${at}`.padEnd(2400, 'c'),
  committed_date: '2020-01-01'
}))
const merged = records(at => ({ iid: at, title: 't'.repeat(2400), sha: 'x', merged_at: '2020-01-01' }))

for (const [tool, args] of [
  ['whats_on_my_plate', {}],
  ['create_release', { project_id: '1', tag_name: 'v1', generate_notes: true }]
] as const)
  t.test(`small answers that ${tool} keeps do not fill the process`, async t => {
    const forge = await listen(t, (request, response) => {
      const { url = '' } = request
      request.resume()
      const page = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 20)
      response.setHeader('content-type', 'application/json')
      if (page < 20) response.setHeader('x-next-page', String(page + 1))
      if (url.includes('/issues')) return
      if (url.includes('/user')) response.end('{"id":1}')
      else if (url.includes('/releases')) response.end('[]')
      else if (url.includes('/commits')) response.end(commits)
      else if (!url.includes('/projects/')) response.end(values)
      else if (page < 20) response.end(merged)
    })
    const server = await startServer(t, {
      ...chartHeap,
      FORGE_API_URL: await calmForge(t),
      ENABLE_DYNAMIC_API_URL: 'true',
      FORGE_TOOLSETS: 'all',
      MAX_REQUESTS_PER_MINUTE: '0'
    })
    const attacker = caller(t, server, 'unused')
    const tenant = caller(t, server, TOKEN)
    await tenant(branch())
    let most = 0
    const watch = setInterval(() => {
      if (server.child.exitCode === null && server.child.signalCode === null)
        most = Math.max(most, residentMb(server))
    }, 50)
    const one = (at: number) =>
      attacker(call(tool, args), { 'x-forge-api-url': forge }, madeUp(at)).catch(() => {})
    const pause = new Promise(resolve => setTimeout(resolve, 8000))
    const { failures, p99 } = await meanwhile(
      () => tenant(branch()),
      Promise.race([inParallel(100, 100, one), pause])
    )
    clearInterval(watch)
    t.comment(`at most ${most} MiB; p99 of a tenant ${p99} ms`)
    t.same(failures, [])
    t.ok(most < MOST_MB, `${most} MiB`)
    await server.stop('SIGKILL')
  })
