import { gzipSync } from 'node:zlib'
import t from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, meanwhile, residentMb } from '../support/tenants.ts'

/* Answers of callers' forges that wait to be read or used, behind others, once there is no room for them. */

/** Of the 512 that the chart gives a container. */
const MOST_MB = 440
const NOISE_MS = 8_000

/** Seven megabytes that a worker takes long to read. */
const record = `{"a":"${'\\u00e9'.repeat(22)}","b":1,"c":[]}`
const much = gzipSync(`{"name":"main","l":[${Array(49_000).fill(record)}]}`)
/** Of fields whose names are numbers, which make arrays of 12 KB once they come from a worker. */
const arrays = JSON.stringify({ id: 1, iid: 1, title: 't', x: Array(1_200).fill({ 1000: 0 }) })

const attacks = {
  'packed answers of megabytes': {
    addresses: 2,
    width: 32,
    answer: much,
    encoding: 'gzip',
    asks: branch()
  },
  'answers that take a thousand times their size': {
    addresses: 1,
    width: 128,
    answer: arrays,
    encoding: 'identity',
    asks: call('create_issue', { project_id: '1', title: 'x' })
  }
}

for (const [what, { addresses, width, answer, encoding, asks }] of Object.entries(attacks))
  t.test(`${what} do not fill the process, which go on waiting once they are given up`, async t => {
    const own = await listen(
      t,
      (request, response) => {
        request.resume()
        response.writeHead(request.method === 'POST' ? 201 : 200, {
          'content-type': 'application/json',
          'content-encoding': encoding
        })
        response.end(answer)
      },
      { address: '127.0.1.1' }
    )
    const server = await startServer(t, {
      ...chartHeap,
      FORGE_API_URL: await calmForge(t),
      ENABLE_DYNAMIC_API_URL: 'true',
      MAX_REQUESTS_PER_MINUTE: '0'
    })
    const tenant = caller(t, server, TOKEN)
    await tenant(branch())
    const attackers = Array.from({ length: addresses }, (_, at) =>
      caller(t, server, 'unused', `127.0.0.${at + 2}`)
    )
    let isOver = false
    let most = 0
    const said = new Set<string>()
    const one = async (at: number) => {
      most = Math.max(most, residentMb(server))
      const asked = attackers[at % addresses]!(asks, { 'x-forge-api-url': own }, madeUp(at % 40))
      said.add((await asked.catch(() => ({ text: '' }))).text)
    }
    const going = async (_: unknown, at: number) => {
      while (!isOver && server.child.signalCode === null) await one(at)
    }
    setTimeout(() => {
      isOver = true
    }, NOISE_MS)
    const noise = Promise.all(Array.from({ length: width * addresses }, going))
    const { failures } = await meanwhile(() => tenant(branch()), noise)
    t.same(failures, [])
    t.equal(server.child.signalCode, null)
    t.ok(most < MOST_MB, `${most} MB`)
    t.notOk(
      [...said].some(text => text.includes('cancelled')),
      'nobody has cancelled anything'
    )
    await server.stop('SIGKILL')
  })
