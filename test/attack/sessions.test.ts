import t from 'tap'
import { Agent, request as send } from 'undici'
import { chartHeap, madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, initialize, TOKEN } from '../support/server.ts'
import { inParallel, meanwhile } from '../support/tenants.ts'

/* Sessions that made-up tokens begin, or one caller in great numbers. */

const branch = call('get_branch', { project_id: '1', branch_name: 'main' })
const EACH = 4_000

t.test('a flood of sessions keeps nobody else from beginning one, or from keeping it', async t => {
  const home = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  const server = await startServer(t, {
    ...chartHeap,
    FORGE_API_URL: home,
    ENABLE_DYNAMIC_API_URL: 'true',
    MAX_SESSIONS: '1000',
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  /** Posts from an address of loopback, as if it were another machine. */
  const from = (localAddress: string) => {
    const dispatcher = new Agent({ connections: 16, localAddress })
    t.teardown(() => dispatcher.destroy())
    return async (body: unknown, token: string, headers: Record<string, string> = {}) => {
      const {
        statusCode,
        headers: answered,
        body: answer
      } = await send(`${server.url}/mcp`, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'private-token': token, ...headers },
        body: JSON.stringify(body)
      })
      return { status: statusCode, sid: String(answered['mcp-session-id']), text: await answer.text() }
    }
  }
  const [tenant, anonymous, owner, own] = [
    from('127.0.0.1'),
    from('127.0.0.2'),
    from('127.0.0.3'),
    await listen(t, (_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"name":"main"}')
    })
  ]
  const { sid } = await tenant(initialize(), TOKEN)
  await tenant(branch, TOKEN, { 'mcp-session-id': sid })

  let newcomers = 0
  const { failures } = await meanwhile(
    async () => {
      const token = `glpat-newcomer-${newcomers++}-newcomer`
      const begun = await tenant(initialize(), token)
      if (begun.status !== 200) return begun
      return tenant(branch, token, { 'mcp-session-id': begun.sid })
    },
    Promise.all([
      inParallel(EACH, 8, at => anonymous(initialize(), madeUp(at))),
      // One with a forge of its own, which takes any token.
      inParallel(EACH, 8, at => owner(branch, madeUp(`own-${at}`), { 'x-forge-api-url': own }))
    ])
  )
  t.same(failures, [])
  t.ok(newcomers > 5, `${newcomers} sessions began and were used meanwhile`)
  const after = await tenant(branch, TOKEN, { 'mcp-session-id': sid })
  t.equal(after.status, 200, 'a session from before goes on')

  await inParallel(1_500, 8, async () => {
    const begun = await owner(initialize(), 'glpat-one-real-principal-1')
    await owner(branch, 'glpat-one-real-principal-1', { 'mcp-session-id': begun.sid })
  })
  t.equal((await tenant(initialize(), madeUp('late'))).status, 200)
  t.equal((await tenant(branch, TOKEN, { 'mcp-session-id': sid })).status, 200)
  const text = await (await fetch(`${server.url}/metrics?format=prometheus`)).text()
  t.ok(Number(/^forge_mcp_sessions_active (\d+)$/m.exec(text)?.[1]) <= 1000)
})
