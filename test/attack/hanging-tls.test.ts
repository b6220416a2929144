import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { selfSigned } from '../support/certificates.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, inParallel, meanwhile, residentMb } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Forges of callers that speak TLS and never answer: each connection takes 60 KB that no heap shows. */

const ADDRESSES = 5
const CALLS = 2_000
const NOISE_MS = 5_000
/** Those that are open at once, and those that the forge has not seen closed yet, as its handshakes keep it busy. */
const MOST = 768 + 160
/** Of the 512 that the chart gives a container; unbounded, so many calls take more. */
const MOST_MB = 450

/** Runs in a process of its own, as its handshakes take time too. */
const program = `
const { key, cert, addresses } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
let open = 0
let most = 0
const listen = (address, port) => new Promise(resolve => {
  const server = require('node:https').createServer({ key, cert }, () => {})
  server.on('connection', socket => {
    most = Math.max(most, ++open)
    socket.on('close', () => open--)
  })
  server.listen(port, address, () => resolve(server.address().port))
})
;(async () => {
  const port = await listen('127.0.0.3', 0)
  for (let at = 1; at < addresses; at++) await listen('127.0.0.' + (3 + at), port)
  console.log(port)
  setInterval(() => console.log(most), 200)
})()
`

t.test('calls that hang over TLS at forges of five addresses do not fill the process', async t => {
  const trusted = selfSigned(t)
  const forge = spawn(process.execPath, ['-e', program], { env: { PATH: process.env.PATH } })
  t.teardown(() => forge.kill('SIGKILL'))
  forge.stdin.end(
    JSON.stringify({ key: String(trusted.key), cert: String(trusted.cert), addresses: ADDRESSES })
  )
  const [port] = await once(forge.stdout.setEncoding('utf8'), 'data')
  let most = 0
  forge.stdout.on('data', text => {
    most = Math.max(most, ...text.trim().split('\n').map(Number))
  })
  const server = await startServer(t, {
    FORGE_API_URL: await calmForge(t),
    ENABLE_DYNAMIC_API_URL: 'true',
    RUNTIME_TLS_REJECT_UNAUTHORIZED: '0',
    MCP_TRUST_PROXY: '127.0.0.1',
    MAX_REQUESTS_PER_MINUTE: '0',
    ...chartHeap
  })
  const tenant = caller(t, server, TOKEN)
  const attackers = Array.from({ length: CALLS / 200 }, () => caller(t, server, 'unused'))
  const one = (at: number) => {
    const headers = {
      'x-forge-api-url': `https://127.0.0.${3 + (at % ADDRESSES)}:${String(port).trim()}`,
      'x-forwarded-for': `192.0.2.${at % 16}`
    }
    return attackers[at % attackers.length]!(branch(), headers, madeUp(at)).catch(() => {})
  }
  const work = () => tenant(branch(), { 'x-forwarded-for': '198.51.100.1' })
  await work()
  let mb = 0
  const watch = setInterval(() => {
    mb = Math.max(mb, residentMb(server))
  }, 50)
  let isOver = false
  const attack = inParallel(CALLS, CALLS, one).then(() => {
    isOver = true
  })
  // Where handshakes take long there are never so many: then for as long as any call hangs.
  const { failures, p99 } = await meanwhile(
    work,
    Promise.race([attack, Promise.all([sleep(NOISE_MS), until(() => most > MOST / 2 || isOver)])])
  )
  clearInterval(watch)
  t.comment(`${most} connections, ${mb} MiB at most; p99 of a tenant ${p99} ms`)
  t.same(failures, [])
  t.ok(most > ADDRESSES, `${most} connections hang`)
  t.ok(most <= MOST, `${most} connections at once`)
  t.ok(mb < MOST_MB, `${mb} MiB`)
  await server.stop('SIGKILL')
})
