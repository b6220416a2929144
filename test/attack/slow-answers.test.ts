import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { caller, calmForge } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Forges that send the beginning of a large answer at once, and the rest a few bytes a second. */

const CALLERS = 2
/** As many as an address may collect of. */
const FORGES = 3

/** Records of a list, of a kilobyte each. */
const LIST = 300
const LONG_LIST = 8_000
/** Until one that hardly moves is given up, whoever waits, in milliseconds. */
const LATE_MS = 5_000
/** Calls as long as one in calm that fit into what is added to it: on a slow machine each takes a second. */
const TIMES = 10

const listOf = (records: number): string =>
  JSON.stringify(Array.from({ length: records }, (_, at) => ({ id: 1, iid: at, title: 'x'.repeat(1000) })))

/** Callers whose forges have sent all but the end of a list, and one with another forge. */
async function besideDrips(t: Test, records: number) {
  const list = listOf(records).slice(0, -1)
  let dripping = 0
  const drips: Parameters<typeof listen>[1] = (_request, response) => {
    dripping++
    response.setHeader('content-type', 'application/json')
    response.write(list)
    const timer = setInterval(() => response.write(' '), 1000)
    response.on('close', () => {
      clearInterval(timer)
      dripping--
    })
  }
  const hostile = await Promise.all(
    Array.from({ length: CALLERS * FORGES }, (_, at) => listen(t, drips, { address: `127.0.1.${at + 1}` }))
  )
  const own = await listen(
    t,
    (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(listOf(LIST))
    },
    { address: '127.0.1.100' }
  )
  const server = await startServer(t, {
    ...chartHeap,
    ENABLE_DYNAMIC_API_URL: 'true',
    FORGE_API_URL: await calmForge(t),
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const ask = call('list_issues', { project_id: '1' })
  const tenant = caller(t, server, TOKEN, '127.0.0.9')
  const work = () => tenant(ask, { 'x-forge-api-url': own })
  t.match(await work(), { status: 200, text: /xxxx/ })
  const began = performance.now()
  await work()
  const calmMs = performance.now() - began
  const attackers = Array.from({ length: CALLERS }, (_, at) => caller(t, server, '', `127.0.0.${at + 2}`))
  const held = hostile.map((origin, at) =>
    attackers[at % CALLERS]!(ask, { 'x-forge-api-url': origin }, madeUp(at)).catch(() => {})
  )
  await until(() => dripping === hostile.length)
  // What they send at once comes within that.
  await sleep(500)
  const end = async () => {
    await server.stop('SIGKILL')
    await Promise.all(held)
  }
  return { work, end, calmMs, dripping: () => dripping }
}

t.test('large answers that drip at the forges of two callers have no other wait for its own', async t => {
  const { work, end, dripping } = await besideDrips(t, LIST)
  t.match(await work(), { status: 200, text: /xxxx/ })
  // One that had to wait would do so until then; a slow machine takes some time for more of them.
  t.equal(dripping(), CALLERS * FORGES, 'before any of the others is given up')
  for (let at = 0; at < 4; at++) t.match(await work(), { status: 200, text: /xxxx/ })
  await end()
})

t.test('nor do those that hold more than memory has room for', async t => {
  const { work, end, calmMs, dripping } = await besideDrips(t, LONG_LIST)
  let longest = 0
  for (let at = 0; at < 5; at++) {
    const began = performance.now()
    t.match(await work(), { status: 200, text: /xxxx/ })
    longest = Math.max(longest, performance.now() - began)
    if (at === 0) t.ok(dripping() >= CALLERS, 'the rest may go on')
  }
  t.comment(`${Math.round(longest)} ms at most, ${Math.round(calmMs)} ms in calm`)
  t.ok(longest < LATE_MS - 1000 + TIMES * calmMs, `${longest} ms`)
  await end()
})
