import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { chartHeap, madeUp } from './attack.ts'
import { holdsIn, TICK_MS, tellsHolds, yardstick } from './event-loop.ts'
import { startServer } from './process.ts'
import { TOKEN } from './server.ts'
import { branch, caller, calmForge, inParallel, meanwhile } from './tenants.ts'

const NOISE_MS = 4_000
/** How many of the longest holds of the event loop are ignored: a full garbage collection may happen at any time. */
const ODD = 2

const ten = await yardstick()

/**
 * Calls a forge that callers name themselves, again and again and with made-up tokens, while a tenant works at the home
 * forge. It asserts that no call of the tenant fails, and that nothing holds the event loop for longer than two
 * yardsticks.
 * @param width number of concurrent calls
 * @param onAnswer receives each answer, or the error in its place
 */
export async function holdsNobody(
  t: Test,
  forge: string,
  width: number,
  onAnswer: (answer: unknown) => void = () => {}
): Promise<void> {
  const server = await startServer(t, {
    FORGE_API_URL: await calmForge(t),
    ENABLE_DYNAMIC_API_URL: 'true',
    MAX_REQUESTS_PER_MINUTE: '0',
    ...tellsHolds(chartHeap)
  })
  const tenant = caller(t, server, TOKEN)
  const attacker = caller(t, server, 'unused')
  const one = async (at: number) =>
    onAnswer(await attacker(branch(), { 'x-forge-api-url': forge }, madeUp(at)).catch(String))
  // Before measuring, both forges are known and their connections are open. Some forges never answer.
  await Promise.all([tenant(branch()), Promise.race([one(0), sleep(500)])])
  const before = (await server.output()).length
  const { failures, p99 } = await meanwhile(
    () => tenant(branch()),
    Promise.race([inParallel(10_000, width, one), sleep(NOISE_MS)])
  )
  const holds = holdsIn((await server.output()).slice(before))
  t.comment(`p99 ${p99} ms; held ${holds.slice(0, 6).join(', ')} ms; yardstick ${ten.toFixed(1)} ms`)
  t.same(failures, [])
  t.ok((holds[ODD] ?? 0) < 2 * ten + TICK_MS, `${holds[ODD]} ms`)
  await server.stop('SIGKILL')
}
