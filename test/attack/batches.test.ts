import t from 'tap'
import { Agent, request as send } from 'undici'
import { madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, initialize } from '../support/server.ts'
import { branch, inParallel } from '../support/tenants.ts'

/* A batch is fifty requests in one, and what it has answered waits for what it has not. */

const BATCHES = 120
/** Of those that have to make room for others; without a bound none has to. */
const CUT = 20

const look = call('find_tools', {
  query: 'merge request; issue label; pipeline job; file branch; member; wiki; package; webhook; snippet',
  limit: 20
})

t.test('batches whose last part waits for a slow forge hold no more than their address may', async t => {
  const home = await listen(t, ({ headers }, response) => {
    if (headers['private-token'] === madeUp('tenant'))
      response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  const server = await startServer(t, {
    NODE_OPTIONS: '--max-old-space-size=96',
    FORGE_API_URL: home,
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  /** Posts from an address of loopback, as if it were another machine. */
  const from = (localAddress: string) => {
    const dispatcher = new Agent({ localAddress })
    t.teardown(() => dispatcher.destroy())
    return async (body: unknown, token: string, headers: Record<string, string> = {}) => {
      const answer = await send(`${server.url}/mcp`, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'private-token': token, ...headers },
        body: JSON.stringify(body)
      })
      return { status: answer.statusCode, sid: String(answer.headers['mcp-session-id']), body: answer.body }
    }
  }
  const noisy = from('127.0.0.3')
  const parts = [...Array.from({ length: 49 }, (_, id) => ({ ...look, id })), { ...branch(), id: 'last' }]
  let cut = 0
  const over = inParallel(BATCHES, BATCHES, async at => {
    const { sid, body } = await noisy(initialize('2025-03-26'), madeUp(at))
    await body.dump()
    await noisy(parts, madeUp(at), { 'mcp-session-id': sid })
      .then(({ body }) => body.dump())
      .catch(() => cut++)
  })
  const tenant = from('127.0.0.2')
  const end = performance.now() + 180_000
  while (cut < CUT && performance.now() < end) {
    const { status, body } = await tenant(branch(), madeUp('tenant'))
    await body.dump()
    if (status !== 200) break
  }
  t.ok(cut >= CUT, `${cut} of ${BATCHES} batches made room`)
  const { status, body } = await tenant(branch(), madeUp('tenant'))
  t.equal(status, 200)
  t.match(await body.text(), /main/)
  server.child.kill('SIGKILL')
  await over
})
