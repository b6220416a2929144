import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { heldByLong, holdsIn, mostHeld, tellsHolds, yardstick } from '../support/event-loop.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, inParallel, meanwhile } from '../support/tenants.ts'

/* Messages that are not large by their characters, and take as long to read as some that are. */

const NOISE_MS = 4_000

/** What the event loop may be held of the time: memory is collected at any time. */
const MOST_HELD = 0.1

const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at.toString(36)}`, 0]))
const messages: [title: string, message: object][] = [
  ['names', call('get_branch', names(7_000))],
  ['names, with one more in the midst of them', call('get_branch', { ...names(900), v: names(6_000) })],
  ['texts', call('list_issues', { labels: Object.keys(names(9_000)) })],
  ['numbers', call('get_branch', { project_id: Array(19_000).fill(0) })]
]

for (const [title, message] of messages)
  t.test(`messages below 64 KiB of thousands of ${title} leave the event loop to others`, async t => {
    const server = await startServer(t, {
      FORGE_API_URL: await calmForge(t),
      MAX_REQUESTS_PER_MINUTE: '0',
      ...tellsHolds(chartHeap)
    })
    const tenant = caller(t, server, TOKEN)
    const attacker = caller(t, server, 'unused', '127.0.0.2')
    const statuses = new Set<number>()
    const noise = async (at: number, ms: number) => {
      const until = performance.now() + ms
      do
        await attacker(message, {}, madeUp(at)).then(
          ({ status }) => statuses.add(status),
          error => {
            // Those that still wait when the server is ended.
            if (performance.now() < until) throw error
          }
        )
      while (performance.now() < until)
    }
    const tenantCalls = () => tenant(branch())
    // What runs for the first time is not compiled yet.
    await Promise.all([inParallel(100, 4, tenantCalls), inParallel(8, 8, at => noise(at, 500))])
    const before = (await server.output()).length
    const tenBefore = await yardstick()
    const began = performance.now()
    // The last of them wait for their turn, on a slow machine for a minute.
    const { failures, calls, p99 } = await meanwhile(
      tenantCalls,
      Promise.race([inParallel(32, 32, at => noise(at, NOISE_MS)), sleep(NOISE_MS)])
    )
    const tookMs = performance.now() - began
    const holds = holdsIn((await server.output()).slice(before))
    await server.stop('SIGKILL')
    const ten = Math.max(tenBefore, await yardstick())
    const heldMs = Math.round(heldByLong(holds, ten))
    t.comment(
      `${calls} calls, p99 ${p99} ms; held ${heldMs} ms: ${holds.slice(0, 6).join(', ')}; yardstick ${ten.toFixed(1)} ms`
    )
    t.same(failures, [])
    t.ok(
      [...statuses].every(status => status === 200 || status === 413),
      [...statuses].join()
    )
    t.ok(heldMs < mostHeld(MOST_HELD, ten) * tookMs, `${heldMs} ms of ${Math.round(tookMs)}`)
  })
