import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { connectionLimits } from '../../src/edge/connections/connection-limits.ts'
import { chartHeap, madeUp, mute, rawPost } from '../support/attack.ts'
import { yardstick } from '../support/event-loop.ts'
import { freePort, listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { caller, meanwhile, residentMb } from '../support/tenants.ts'
import { longestTurn, tellsTurns } from '../support/turns.ts'

/* Callers who ask and never read: what was made for them is not to be kept for them. */

// Each waits for the half minute of its own server.
t.jobs = 3

/** What the chart gives a container. */
const CONTAINER_MB = 512

/** The longest that a turn of the event loop may take, in yardsticks: read at once, these take eight. */
const TURN = 5

/** Waits for what comes about by itself; a busy machine begins the last answers late, and their half minute with them. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 100_000; !(await condition()) && performance.now() < end; )
    await sleep(500)
}

t.test('220 connections with 210 requests each, sent in one go and never read', async t => {
  const large = JSON.stringify({ iid: 1, description: 'y'.repeat(150_000) })
  const home = await listen(t, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(url.includes('/issues/') ? large : '{"name":"main"}')
  })
  const server = await startServer(t, {
    ...tellsTurns(chartHeap),
    FORGE_API_URL: home,
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const tenant = caller(t, server, TOKEN)
  const branch = () => tenant(call('get_branch', { project_id: '1', branch_name: 'main' }))
  await meanwhile(branch, sleep(500))
  const calm = await meanwhile(branch, sleep(2000))
  const texts = Array.from({ length: 220 }, (_, socket) =>
    Array.from({ length: 210 }, (_, at) =>
      rawPost(madeUp(`${socket}-${at}`), call('get_issue', { project_id: '1', issue_iid: '1' }))
    ).join('')
  )
  // All are connected before the first speaks: so they are read together.
  const attackers = await mute(t, server.url, Array(texts.length).fill(''))
  await longestTurn(server)
  for (const [at, socket] of attackers.sockets.entries()) socket.write(texts[at]!)
  const during = await meanwhile(
    branch,
    until(() => attackers.open() === 0)
  )
  const turn = await longestTurn(server)
  const ten = await yardstick()
  t.comment(
    `p99 ${calm.p99} ms in calm, ${during.p99} ms in the attack, the longest turn ${turn} ms of ${ten}`
  )
  t.ok(turn < TURN * ten, `${turn} ms`)
  t.equal(attackers.open(), 0, 'all are cut')
  t.same(during.failures, [])
  t.equal(server.child.exitCode, null)
  t.ok(residentMb(server) < CONTAINER_MB)
})

/** What the server says of itself: 120 times a minute, and then nothing until that is over. */
async function numberOf(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics?format=prometheus`)).text()
  const said = new RegExp(`^forge_mcp_${name} (\\d+)$`, 'm').exec(text)?.[1]
  return said === undefined ? undefined : Number(said)
}

/** Of so many the kernel holds less than an address may have: 4 MiB of each at most. */
const FEW = 3

t.test('large answers that nobody reads are held by few connections, and not for long', async t => {
  const large = JSON.stringify({ iid: 1, description: 'y'.repeat(1_900_000) })
  const home = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(large)
  })
  const server = await startServer(t, {
    ...chartHeap,
    FORGE_API_URL: home,
    FORGE_MAX_RESULT_CHARS: '2000000',
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const unread = () => numberOf(server.url, 'answers_unread_bytes')
  const ask = (at: string, accept?: string) =>
    rawPost(madeUp(at), call('get_issue', { project_id: '1', issue_iid: '1' }), accept).repeat(
      connectionLimits.pipelined
    )
  const asked = (sockets: number, accept?: string) =>
    Array.from({ length: sockets }, (_, at) => ask(String(at), accept))
  const started = performance.now()
  const [many, streams, few] = await Promise.all([
    mute(t, server.url, asked(60)),
    mute(t, server.url, asked(60, 'text/event-stream'), '127.0.0.4'),
    mute(t, server.url, asked(FEW), '127.0.0.3')
  ])
  let firstCutMs = Number.POSITIVE_INFINITY
  const fewLeft = () => {
    const left = few.open()
    if (left < FEW) firstCutMs = Math.min(firstCutMs, performance.now() - started)
    return left
  }
  // At the moment when the last one is cut, all that is left may be in the kernel.
  let held = 0
  let looks = 0
  while (fewLeft() < 0 || many.open() > 45 || streams.open() > 45) {
    held = Math.max(held, (await unread()) ?? 0)
    // The first of them are looked at often, and a slow machine for as long as it takes.
    await sleep(looks++ < 60 ? 100 : 1000)
  }
  t.ok(held > 0 && held < 40 * 1024 * 1024, `${held} bytes are held`)
  t.ok(many.open() <= 45, `of 60 connections ${many.open()} are left`)
  t.ok(streams.open() <= 45, `of 60 that want streams ${streams.open()} are left`)
  await until(() => fewLeft() === 0)
  t.equal(few.open(), 0, 'after half a minute those are cut too')
  t.ok(
    firstCutMs >= connectionLimits.unreadMs,
    `another address pays nothing for it: ${Math.round(firstCutMs)} ms`
  )
  let left: number | undefined
  await until(async () => {
    left = await unread()
    return left === 0
  })
  t.equal(left, 0)
})

t.test('METRICS_PORT has the same bounds', async t => {
  const port = await freePort()
  const server = await startServer(t, { METRICS_PORT: String(port) })
  const url = `http://127.0.0.1:${port}`
  const scrape = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const ahead = await mute(t, url, Array(100).fill(scrape.repeat(100)))
  const crowd = await mute(t, url, Array(1100).fill(''), '127.0.0.3')
  await until(() => ahead.open() === 0 && crowd.open() <= 1024)
  t.equal(ahead.open(), 0, 'those that sent too much ahead are cut')
  t.ok(crowd.open() <= 1024, `${crowd.open()} of 1,100 connections of one address are left`)
  t.equal((await fetch(`${url}/metrics`)).status, 200)
  t.equal(await server.stop(), 0)
})
