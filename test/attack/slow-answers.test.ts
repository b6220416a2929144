import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
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

t.test('large answers that drip at the forges of two callers have no other wait for its own', async t => {
  const record = { id: 1, iid: 1, title: 'x'.repeat(1000) }
  const list = JSON.stringify(Array.from({ length: 300 }, (_, at) => ({ ...record, iid: at })))
  let dripping = 0
  const drips: Parameters<typeof listen>[1] = (_request, response) => {
    dripping++
    response.setHeader('content-type', 'application/json')
    response.write(list.slice(0, -1))
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
      response.end(list)
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
  const attackers = Array.from({ length: CALLERS }, (_, at) => caller(t, server, '', `127.0.0.${at + 2}`))
  const held = hostile.map((origin, at) =>
    attackers[at % CALLERS]!(ask, { 'x-forge-api-url': origin }, madeUp(at)).catch(() => {})
  )
  await until(() => dripping === hostile.length)
  // What they send at once comes within that.
  await sleep(500)
  for (let at = 0; at < 5; at++) t.match(await work(), { status: 200, text: /xxxx/ })
  t.equal(dripping, hostile.length, 'before any of the others is given up')
  await server.stop('SIGKILL')
  await Promise.all(held)
})
