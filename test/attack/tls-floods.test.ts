import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { selfSigned } from '../support/certificates.ts'
import { holdsIn } from '../support/event-loop.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, meanwhile, residentMb } from '../support/tenants.ts'
import type { Flood } from '../support/tls-flood-forge.ts'

/* What comes over TLS beside data: one connection of it held the event loop for 26 s, or took a gigabyte. */

const NOISE_MS = 4_000
const MOST_MB = 300
/** Of the event loop's own processor time; unbounded it was held for more than a second at a time. */
const MOST_HELD_MS = 400

const preload = fileURLToPath(new URL('../support/loop-holds.ts', import.meta.url))
const program = fileURLToPath(new URL('../support/tls-flood-forge.ts', import.meta.url))
const trusted = selfSigned(t)

async function forgeOf(t: Test, flood: Flood): Promise<string> {
  const child = spawn(process.execPath, [program], { env: { PATH: process.env.PATH } })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin.end(JSON.stringify({ key: String(trusted.key), cert: String(trusted.cert), flood }))
  const [port] = await once(child.stdout, 'data')
  return `https://127.0.0.3:${String(port).trim()}`
}

for (const flood of ['tickets', 'keys', 'broken records'] as const)
  t.test(`a forge that sends ${flood} without end holds nobody up and takes no memory`, async t => {
    const forge = await forgeOf(t, flood)
    const server = await startServer(t, {
      FORGE_API_URL: await calmForge(t),
      ENABLE_DYNAMIC_API_URL: 'true',
      RUNTIME_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_OPTIONS: `${chartHeap.NODE_OPTIONS} --import=${preload}`
    })
    const tenant = caller(t, server, TOKEN)
    const attacker = caller(t, server, 'unused')
    await tenant(branch())
    const before = (await server.output()).length
    const asked = attacker(branch(), { 'x-forge-api-url': forge }, madeUp(0)).then(
      ({ text }) => text,
      () => ''
    )
    const { failures, calls, p99 } = await meanwhile(() => tenant(branch()), sleep(NOISE_MS))
    const mb = residentMb(server)
    const output = (await server.output()).slice(before)
    const held = holdsIn(output)[0] ?? 0
    t.comment(`${calls} calls of a tenant, p99 ${p99} ms; held ${held} ms at most; ${mb} MiB`)
    t.same(failures, [])
    t.ok(held < MOST_HELD_MS, `${held} ms`)
    t.ok(mb < MOST_MB, `${mb} MiB`)
    if (flood === 'broken records') t.match(await asked, /DECRYPTION_FAILED|BAD_RECORD/)
    await server.stop('SIGKILL')
  })
