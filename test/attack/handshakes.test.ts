import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { dearChain } from '../support/dear-certificates.ts'
import { holdsIn, yardstick } from '../support/held.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, inParallel, meanwhile } from '../support/tenants.ts'

/* Forges of callers whose certificates are dear to check: half a second of the event loop for each connection. */

const NOISE_MS = 4_000
/** Of the times the event loop is held, all but the longest two: a collection of all memory comes at any time. */
const ODD = 2

const preload = fileURLToPath(new URL('../support/loop-holds.ts', import.meta.url))
const ten = await yardstick()

/** Runs in a process of its own, as sending and signing take time too. */
const program = `
const { key, cert } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
const server = require('node:https').createServer({ key, cert }, (request, response) => {
  response.writeHead(200, { connection: 'close' }).end('{"name":"main"}')
})
server.listen(0, '127.0.0.3', () => console.log(server.address().port))
`

async function dearForge(t: Test, authorities: number): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], { env: { PATH: process.env.PATH } })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin.end(JSON.stringify(dearChain(authorities)))
  const [port] = await once(child.stdout, 'data')
  return `https://127.0.0.3:${String(port).trim()}`
}

for (const [title, authorities] of [
  ['the longest that TLS takes', 74],
  ['those of any forge', 1]
] as const)
  t.test(`certificates as long as ${title} hold nobody for longer than two yardsticks`, async t => {
    const forge = await dearForge(t, authorities)
    const server = await startServer(t, {
      FORGE_API_URL: await calmForge(t),
      ENABLE_DYNAMIC_API_URL: 'true',
      MAX_REQUESTS_PER_MINUTE: '0',
      NODE_OPTIONS: `${chartHeap.NODE_OPTIONS} --import=${preload}`
    })
    const tenant = caller(t, server, TOKEN)
    const attacker = caller(t, server, 'unused')
    const says = new Set<string>()
    const one = async (at: number) => {
      const answer = await attacker(branch(), { 'x-forge-api-url': forge }, madeUp(at)).catch(String)
      says.add(/\((\w+)\)\./.exec(JSON.stringify(answer))?.[1] ?? '')
    }
    await Promise.all([tenant(branch()), one(0)])
    const before = (await server.output()).length
    const { failures, p99 } = await meanwhile(
      () => tenant(branch()),
      Promise.race([inParallel(10_000, 10, one), sleep(NOISE_MS)])
    )
    const output = (await server.output()).slice(before)
    const holds = holdsIn(output)
    t.comment(`p99 ${p99} ms; held ${holds.slice(0, 6).join(', ')} ms; yardstick ${ten.toFixed(1)} ms`)
    t.same(failures, [])
    t.ok(
      says.has(authorities > 10 ? 'ERR_TLS_LONG_HANDSHAKE' : 'SELF_SIGNED_CERT_IN_CHAIN'),
      [...says].join(' ')
    )
    t.ok((holds[ODD] ?? 0) < 2 * ten, `${holds[ODD]} ms`)
    await server.stop('SIGKILL')
  })
