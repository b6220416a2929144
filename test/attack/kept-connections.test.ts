import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { startServer } from '../support/process.ts'
import { branch, caller, calmForge, inParallel, residentMb } from '../support/tenants.ts'

/* A caller's forge, under many names, that has every connection kept for ten minutes. */

const NAMES = 10
const AT_ONCE = 100
/** Four seconds, and time for a busy machine. */
const GONE_MS = 15_000

t.test('connections that nobody uses are closed, however long their forge would have them kept', async t => {
  let open = 0
  let most = 0
  const forge = createServer((_request, response) => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'keep-alive': 'timeout=600' })
      response.end('{"name":"main"}')
    }, 300)
  })
  forge.keepAliveTimeout = 600_000
  forge.on('connection', socket => {
    most = Math.max(most, ++open)
    socket.on('close', () => open--)
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.3', resolve))
  t.teardown(() => {
    forge.closeAllConnections()
    forge.close()
  })
  const server = await startServer(t, {
    ...chartHeap,
    FORGE_API_URL: await calmForge(t),
    ENABLE_DYNAMIC_API_URL: 'true',
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const attacker = caller(t, server, 'unused')
  const origin = `http://127.0.0.3:${(forge.address() as AddressInfo).port}`
  for (let name = 0; name < NAMES; name++)
    await inParallel(AT_ONCE, AT_ONCE, at =>
      attacker(branch(), { 'x-forge-api-url': `${origin}/f${name}` }, madeUp(at))
    )
  t.comment(`${most} connections at most, ${residentMb(server)} MB`)
  for (const end = Date.now() + GONE_MS; open > 0 && Date.now() < end; ) await sleep(100)
  t.ok(most >= AT_ONCE / 2, `${most} connections were made`)
  t.equal(open, 0)
  await server.stop('SIGKILL')
})
