import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { flooding } from '../support/flooding.ts'
import { startServer } from '../support/process.ts'
import { branch, caller, calmForge, inParallel, residentMb } from '../support/tenants.ts'

/* Forges of callers whose heads say little and are long: with two connections they filled more than a gigabyte. */

const NOISE_MS = 3_000
const MOST_MB = 300

/** Lines of two characters, padded with blanks. */
const padded = `a:${' '.repeat(60_000)}b\r\n`.repeat(4)

t.test('a forge whose heads are padded with blanks does not fill the process', async t => {
  const forge = await flooding(t, 'HTTP/1.1 200 OK\r\n', padded)
  const server = await startServer(t, {
    FORGE_API_URL: await calmForge(t),
    ENABLE_DYNAMIC_API_URL: 'true',
    MAX_REQUESTS_PER_MINUTE: '0',
    ...chartHeap
  })
  const attacker = caller(t, server, 'unused')
  const one = (at: number) => attacker(branch(), { 'x-forge-api-url': forge }, madeUp(at)).catch(() => {})
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(server))
  }, 50)
  await Promise.race([inParallel(10_000, 2, one), sleep(NOISE_MS)])
  clearInterval(watch)
  t.comment(`at most ${most} MiB`)
  t.ok(most < MOST_MB, `${most} MiB`)
  await server.stop('SIGKILL')
})
