import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, inParallel, residentMb } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Writes go on when their callers have gone: whoever hangs up on one after the other has any number of them under way. */

const ATTACKER = '127.0.0.2'
/** Headers that take 47 KB, so that some hundreds of requests are all that an address may have. */
const MUCH = Object.fromEntries(Array.from({ length: 190 }, (_, at) => [`x-pad-${at}`, 'p'.repeat(60)]))
const LINES = Object.entries(MUCH)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')
const MOST = 700

t.test('writes count until they are done, also when their callers have gone', async t => {
  const held = new Map<unknown, ServerResponse>()
  const forge = await listen(t, (request, response) => {
    request.resume()
    if (request.method === 'POST') held.set(request.headers['private-token'], response)
    else response.end('{"name":"main"}')
  })
  const server = await startServer(t, {
    FORGE_API_URL: `${forge}/api/v4`,
    FORGE_TOOLSETS: 'all',
    // Not what holds them back.
    FORGE_MAX_CONCURRENCY: '4000',
    MAX_REQUESTS_PER_MINUTE: '0',
    ...chartHeap
  })
  const note = call('create_issue_note', { project_id: '1', issue_iid: '1', body: 'b' })
  const refusals: string[] = []
  /** Hangs up as soon as the forge is asked. */
  const hangUp = async (at: number) => {
    if (refusals.length > 0) return
    const token = madeUp(at)
    const port = Number(new URL(server.url).port)
    const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER })
    let answer = ''
    socket.on('error', () => {})
    socket.on('data', data => {
      answer += data
    })
    socket.write(rawPost(token, note, 'application/json', LINES))
    await until(() => answer !== '' || held.has(token))
    socket.destroy()
    if (answer !== '') refusals.push(answer)
  }
  await inParallel(MOST, 20, hangUp)
  t.ok(held.size > 300 && held.size < MOST, `${held.size} writes under way`)
  for (const refusal of refusals) {
    t.match(refusal, /^HTTP\/1\.1 503 /)
    t.match(refusal, /too many calls of this address are under way/)
  }
  t.comment(`${residentMb(server)} MiB`)
  t.equal((await caller(t, server, TOKEN)(branch())).status, 200, 'of another address')
  const neighbour = caller(t, server, TOKEN, ATTACKER)
  t.equal((await neighbour(branch(), MUCH)).status, 503)
  for (const response of held.values()) response.end('{"id":1}')
  await until(async () => (await neighbour(branch(), MUCH)).status === 200)
  await server.stop('SIGKILL')
})
