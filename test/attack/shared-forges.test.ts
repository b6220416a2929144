import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chartHeap, madeUp, rawPost } from '../support/attack.ts'
import { selfSigned } from '../support/certificates.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, meanwhile } from '../support/tenants.ts'

/* Callers name a forge that others use: the operator's own, or that of another tenant. */

const URL_HEADER = 'x-forge-api-url'
/** Calls that are given up at once, of which twice as many are too many; and how long they may take to come so far. */
const [WAVE, WAVE_MS] = [64, 3000] as const
const settings = { ...chartHeap, ENABLE_DYNAMIC_API_URL: 'true', MAX_REQUESTS_PER_MINUTE: '0' }

t.test('calls that are given up while they wait for a connection refuse nobody else there', async t => {
  const trusted = selfSigned(t)
  const home = createTlsServer(trusted, (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"name":"main"}')
  })
  // A slow machine may not use the tenant's connection for seconds.
  home.keepAliveTimeout = 600_000
  await new Promise<void>(resolve => home.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    home.closeAllConnections()
    home.close()
  })
  // The tenant's connection, and no other, comes to be secure.
  const sockets: Socket[] = []
  let asked = 0
  const relay = createServer(socket => {
    sockets.push(socket.on('error', () => {}))
    if (++asked > 1) return
    const on = connect((home.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(on.on('error', () => {}))
    socket.pipe(on).pipe(socket)
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    relay.close()
  })
  await once(relay, 'listening')
  const origin = `https://localhost:${(relay.address() as AddressInfo).port}`
  const server = await startServer(t, {
    ...settings,
    FORGE_API_URL: `${origin}/api/v4`,
    FORGE_CA_CERT_PATH: trusted.path
  })
  const tenant = caller(t, server, TOKEN, '127.0.0.9')
  const work = () => tenant(branch())
  t.match((await work()).text, /main/)
  const { port } = new URL(server.url)
  const send = (at: number) => {
    const more = `${URL_HEADER}: ${origin}/x${at % 4}\r\n`
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' })
    socket.on('error', () => {}).write(rawPost(madeUp(at % 40), branch(), 'application/json', more))
    return socket
  }
  /** Together, as they count only for the five seconds until their connections fail; and each once it waits for one. */
  const giveUp = async () => {
    const before = asked
    const calls = Array.from({ length: WAVE }, (_, at) => send(at))
    for (const end = Date.now() + WAVE_MS; asked < before + WAVE && Date.now() < end; ) await sleep(5)
    for (const socket of calls) socket.resetAndDestroy()
  }
  let refused = 0
  /** A call that waits to be refused: for those before it that were given up, or as connections there fail. */
  const stay = async (at: number) => {
    const socket = send(at)
    const [said] = await Promise.race([once(socket, 'data').catch(() => ['']), sleep(20_000, [''])])
    socket.resetAndDestroy()
    if (/were given up|has failed lately/.test(String(said))) refused++
  }
  const attack = async () => {
    const staying: Promise<void>[] = []
    for (const until = Date.now() + 120_000; Date.now() < until && refused < 3; ) {
      await giveUp()
      staying.push(stay(staying.length))
    }
    await Promise.all(staying)
  }
  const { failures, calls } = await meanwhile(work, attack())
  t.comment(`${calls} calls, ${refused} of the other’s refused`)
  t.ok(refused > 0, 'who gives up many is refused')
  t.same([...new Set(failures)], [])
  await server.stop('SIGKILL')
})

t.test('many links to the forge of another tenant cut none of its calls', async t => {
  const forge = await listen(t, (_request, response) => {
    setTimeout(() => {
      response.setHeader('content-type', 'application/json')
      response.end('{"name":"main"}')
    }, 300)
  })
  const server = await startServer(t, { ...settings, FORGE_API_URL: await calmForge(t) })
  const tenant = caller(t, server, TOKEN, '127.0.0.9')
  const write = () =>
    tenant(call('create_branch', { project_id: '1', branch: 'x', ref: 'main' }), { [URL_HEADER]: forge })
  t.match((await write()).text, /main/)
  const attackers = Array.from({ length: 4 }, (_, at) => caller(t, server, 'unused', `127.0.0.${2 + at}`))
  const answers: Promise<unknown>[] = []
  const attack = async () => {
    for (let burst = 0; burst < 30; burst++) {
      const headers = { [URL_HEADER]: `${forge}/q${burst % 16}` }
      for (let at = 0; at < 48; at++)
        answers.push(attackers[at % 4]!(branch(), headers, madeUp(at % 30)).catch(() => {}))
      await sleep(150)
    }
  }
  const noise = attack()
  const tenants = await Promise.all([1, 2, 3, 4].map(() => meanwhile(write, noise)))
  t.same([...new Set(tenants.flatMap(({ failures }) => failures))], [])
  await Promise.all(answers)
  await server.stop('SIGKILL')
})

t.test('large reads of another at the forge of a tenant cost it no answer there', async t => {
  const file = 'a'.repeat(3 * 1024 * 1024 - 1000)
  const forge = await listen(t, (request, response) => {
    if (request.url!.includes('/raw')) return void response.end(file)
    response.setHeader('content-type', 'application/json')
    setTimeout(() => response.end('{"name":"main"}'), 500)
  })
  const server = await startServer(t, {
    ...settings,
    FORGE_API_URL: await calmForge(t),
    FORGE_TOOLSETS: 'all'
  })
  const headers = { [URL_HEADER]: forge }
  const tenant = caller(t, server, TOKEN, '127.0.0.9')
  const work = () => tenant(branch(), headers)
  t.match((await work()).text, /main/)
  const reader = caller(t, server, madeUp('reads'), '127.0.0.2')
  const edits = [{ find: 'z', replace: 'b' }]
  const actions = Array.from({ length: 100 }, (_, at) => ({ action: 'edit', file_path: `f${at}`, edits }))
  const commit = call('commit_files', { project_id: '1', branch: 'b', commit_message: 'm', actions })
  const texts: string[] = []
  const attack = async () => {
    for (let wave = 0; wave < 3; wave++)
      await Promise.all([1, 2].map(async () => texts.push((await reader(commit, headers)).text)))
  }
  const { failures, calls } = await meanwhile(work, attack())
  t.comment(`${calls} calls of the tenant, ${failures.length} failed`)
  t.ok(
    texts.some(text => text.includes('given up for lack of memory')),
    'who reads so much loses its own'
  )
  t.same([...new Set(failures)], [])
  await server.stop('SIGKILL')
})
