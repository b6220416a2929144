import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import t from 'tap'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, inParallel, residentMb } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/*
 * Forges that take a connection and never make it secure: what was to be sent is held for the five seconds until that fails,
 * also when its caller has gone. One address took 494 to 528 MiB so.
 */

const ATTACKER = '127.0.0.2'
const FORGES = 6
const CALLS = 90
/** As many of 1 MB as an address has room for, and those whose end is not seen yet. */
const MOST = 24 + FORGES

t.test('large requests that are given up before they have a connection count until it fails', async t => {
  const open = new Set<Socket>()
  let most = 0
  const forge = async () => {
    const seen = { by: () => {} }
    const server = createServer(socket => {
      open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)))
      socket.resume()
      most = Math.max(most, open.size)
      seen.by()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.3', resolve))
    t.teardown(() => server.close())
    return { seen, port: (server.address() as AddressInfo).port }
  }
  t.teardown(() => {
    for (const socket of open) socket.destroy()
  })
  const forges = await Promise.all(Array.from({ length: FORGES }, forge))
  const server = await startServer(t, {
    FORGE_API_URL: await calmForge(t),
    ENABLE_DYNAMIC_API_URL: 'true',
    FORGE_TOOLSETS: 'all',
    MAX_REQUESTS_PER_MINUTE: '0',
    ...chartHeap
  })
  const lint = call('lint_ci', { project_id: '1', content: 'x'.repeat(1_000_000) })
  const refusals: string[] = []
  /** Hangs up as soon as the forge has a connection. */
  const hangUp = async (at: number) => {
    if (refusals.length > 0) return
    const { seen, port } = forges.pop()!
    const socket = connect({
      port: Number(new URL(server.url).port),
      host: '127.0.0.1',
      localAddress: ATTACKER
    })
    let isSeen = false
    let answer = ''
    seen.by = () => {
      isSeen = true
    }
    socket.on('error', () => {})
    socket.on('data', data => {
      answer += data
    })
    const named = `X-Forge-API-URL: https://127.0.0.3:${port}/api/v4\r\n`
    socket.write(rawPost(madeUp(at), lint, 'application/json', named))
    await until(() => isSeen || answer !== '')
    socket.resetAndDestroy()
    if (answer !== '') refusals.push(answer)
    forges.push({ seen, port })
  }
  await inParallel(CALLS, FORGES, hangUp)
  // Where the machine is slow, connections may fail as fast as others come.
  for (const refusal of refusals) t.match(refusal, /Too many large requests of this address are under way/)
  t.ok(most <= MOST, `${most} are held`)
  t.comment(`${refusals.length} refused, ${most} held, ${residentMb(server)} MiB`)
  t.equal((await caller(t, server, TOKEN)(branch())).status, 200, 'of another address')
  await server.stop('SIGKILL')
})
