import t from 'tap'
import { Agent, request as send } from 'undici'
import { chartHeap } from '../support/attack.ts'
import { heldByLong, holdsIn, mostHeld, tellsHolds, yardstick } from '../support/event-loop.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { branch, caller, inParallel, meanwhile } from '../support/tenants.ts'

/* Steps of a login are open to anybody, and what is sent to them is read before it is known whose it is. */

const NOISE_MS = 4_000
/** Between one request and the next: without it, a quick machine is kept busy by requests that cost little, too. */
const PAUSE_MS = 10

/** What the event loop may be held of the time: memory is collected at any time. */
const MOST_HELD = 0.2
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const nested = '['.repeat(8_000) + ']'.repeat(8_000)
const dear = Array.from({ length: 96 }, (_, at) => `k${at}=${'+b'.repeat(10)}${'%c3%a9'.repeat(20)}`).join(
  '&'
)

const bodies: [title: string, path: string, type: string, body: string, status: number][] = [
  ['lists in lists for /token', '/token', json, nested, 415],
  ['lists in lists for /register', '/register', json, nested, 429],
  ['forms that are dear to take apart', '/token', form, dear, 429]
]

for (const [title, path, type, body, status] of bodies)
  t.test(`${title} leave the event loop to others`, async t => {
    const forge = await listen(t, ({ url }, response) => {
      response.setHeader('content-type', json)
      response.end(
        url === '/oauth/token/info' ? '{"expires_in":7200,"application":{"uid":"app"}}' : '{"name":"main"}'
      )
    })
    const server = await startServer(t, {
      FORGE_API_URL: forge,
      FORGE_MCP_OAUTH: 'true',
      FORGE_OAUTH_APP_ID: 'app',
      MAX_REQUESTS_PER_MINUTE: '0',
      ...tellsHolds(chartHeap)
    })
    const tenant = caller(t, server, '')
    const work = () => tenant(branch(), { authorization: `Bearer ${'a'.repeat(64)}` })
    const dispatcher = new Agent({ localAddress: '127.0.0.2' })
    t.teardown(() => dispatcher.destroy())
    let last = 0
    /** Sends for so long, and as long as nothing is answered with a status: a slow machine sends too few at first. */
    const noise = async (ms: number, wanted?: number) => {
      const until = performance.now() + ms
      do {
        const headers = { 'content-type': type }
        const answer = await send(server.url + path, { dispatcher, method: 'POST', headers, body })
        await answer.body.dump()
        last = answer.statusCode
        await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
      } while (performance.now() < until || (wanted !== undefined && last !== wanted))
    }
    // What runs for the first time is not compiled yet.
    await Promise.all([inParallel(100, 4, work), inParallel(4, 4, () => noise(500))])
    const before = (await server.output()).length
    const tenBefore = await yardstick()
    const began = performance.now()
    const { failures, calls, p99 } = await meanwhile(
      work,
      inParallel(4, 4, () => noise(NOISE_MS, status))
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
    t.ok(heldMs < mostHeld(MOST_HELD, ten) * tookMs, `${heldMs} ms of ${Math.round(tookMs)}`)
  })
