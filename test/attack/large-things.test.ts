import t, { type Test } from 'tap'
import { Agent, request as send } from 'undici'
import { holdsIn, TICK_MS, tellsHolds, yardstick } from '../support/event-loop.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, request, TOKEN } from '../support/server.ts'
import { branch, caller, meanwhile } from '../support/tenants.ts'

/*
 * What is large comes one after another, and a neighbour calls meanwhile. How long it waits says as much of the machine
 * as of the server; how long the event loop is held at once, in processor time, does not.
 */

const CALM_MS = 2_000
const NOISE_MS = 4_000
const NOISY = 'glpat-noisy-noisy-noisy-1'
/** Of the times it is held, all but the longest two: a collection of all memory comes at any time. */
const ODD = 2

const ten = await yardstick()

/** As much as an answer may have, in bytes and values, all of it to be looked at. */
const answer = Buffer.from(
  JSON.stringify(
    Array.from({ length: 15_000 }, (_, at) => ({
      name: `branch ${at}`,
      old_path: 'a',
      new_path: 'b',
      merged: false,
      diff: `@@ -1 +1 @@\n-${'y'.repeat(450)}`,
      commit: { id: 'x'.repeat(40), title: `"${at}"`, parents: ['1', '2'], web_url: null }
    }))
  )
)
/** As many values as a body may have, of as many characters that have to be looked at each. */
const values = Array.from({ length: 19_000 }, () => '\u0001'.repeat(25))
const content = 'some "code" line\n\tfoo = `é` bar;\n'.repeat(50_000)
const edit = {
  project_id: '1',
  branch: 'main',
  commit_message: 'x',
  actions: [{ action: 'create', file_path: 'a.txt', content }]
}

async function beside(t: Test, noise: unknown) {
  const forge = await listen(t, (incoming, response) => {
    incoming.resume()
    response.setHeader('content-type', 'application/json')
    const isList = incoming.method === 'GET' && incoming.headers['private-token'] === NOISY
    response.end(isList ? answer : '{"id":"1","name":"main"}')
  })
  const server = await startServer(t, {
    FORGE_API_URL: forge,
    FORGE_TOOLSETS: 'all',
    MAX_REQUESTS_PER_MINUTE: '0',
    ...tellsHolds()
  })
  const tenant = caller(t, server, TOKEN)
  const dispatcher = new Agent()
  t.teardown(() => dispatcher.destroy())
  // Made once: what this process does is waited for by the neighbour, too.
  const body = Buffer.from(JSON.stringify(noise))
  const headers = { 'content-type': 'application/json', 'private-token': NOISY }
  const noisy = async () => {
    const response = await send(`${server.url}/mcp`, { dispatcher, method: 'POST', headers, body })
    const text = await response.body.text()
    // What is refused takes nothing of the loop.
    return /"error":\{|"isError":true/.test(text.slice(-2_000)) ? text.slice(0, 500) : response.statusCode
  }
  // The first of each loads what it needs.
  await Promise.all([tenant(branch()), noisy()])
  const calm = await meanwhile(() => tenant(branch()), new Promise(resolve => setTimeout(resolve, CALM_MS)))
  const before = (await server.output()).length
  const until = performance.now() + NOISE_MS
  const statuses = new Set<number | string>()
  let answered = 0
  const one = async () => {
    for (; performance.now() < until; answered++) statuses.add(await noisy())
  }
  const loud = await meanwhile(() => tenant(branch()), Promise.all([one(), one()]))
  const output = (await server.output()).slice(before)
  const holds = holdsIn(output)
  t.comment(
    `${answered} answered; neighbour's p99 ${calm.p99} ms in calm, ${loud.p99} beside it; held ${holds.slice(0, 6).join(', ')} ms; yardstick ${ten.toFixed(1)} ms`
  )
  t.same([...calm.failures, ...loud.failures], [])
  t.same([...statuses], [200])
  t.ok(answered >= 2)
  return { longest: holds[ODD] ?? 0 }
}

const mergeRequest = { project_id: '1', merge_request_iid: '1' }
const cases: [title: string, noise: unknown][] = [
  ['a list of nearly 10 MB that is only shown', call('list_branches', { project_id: '1' })],
  ['a list of nearly 10 MB that a tool looks at', call('list_merge_request_diffs', mergeRequest)],
  ['a body of as many values as one may have', request('ping', { values })],
  ['a file of 1.7 MB that is written', call('commit_files', edit)]
]

for (const [title, noise] of cases)
  t.test(`${title} holds nobody for longer than two yardsticks`, async t => {
    const { longest } = await beside(t, noise)
    t.ok(longest < 2 * ten + TICK_MS, `${longest} ms`)
  })
