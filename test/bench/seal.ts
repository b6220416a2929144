import { Type } from 'typebox'
import { pooledRandom } from '../../src/seal/random.ts'
import { SealedSessionStore } from '../../src/session/sealed-store.ts'
import { testSealer } from '../support/sealing.ts'

/* What an answer in stateless mode costs: opening one session id and sealing the next. */

const ROUNDS = 100_000

function measure(what: string, run: () => void): void {
  for (let round = 0; round < ROUNDS / 10; round++) run()
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) run()
  const { user, system } = process.cpuUsage(before)
  console.log(`${what.padEnd(44)} ${((user + system) / ROUNDS).toFixed(1)} µs CPU`)
}

const { sealer } = testSealer({ now: Date.now })
const store = new SealedSessionStore(sealer, {
  ttlSeconds: 3600,
  acceptsUrl: () => true,
  now: Date.now,
  random: pooledRandom()
})
for (const length of [26, 64, 2048]) {
  const credential = { kind: 'bearer', token: 'x'.repeat(length) } as const
  let sid = store.carry(store.begin({ credential, apiUrl: undefined, activated: 0, version: '2025-11-25' }))!
  measure(`sid of a ${length}-character token: open and seal`, () => {
    sid = store.carry(store.open(sid)!)!
  })
}
let bad = 'v1.sid.'
bad += Buffer.alloc(200, 1).toString('base64url')
measure('sid under an unknown key: refused', () => void store.open(bad))

const clients = sealer.signed({
  purpose: 'cid',
  fields: { r: Type.Array(Type.String()) },
  maxChars: 2048,
  ttlSeconds: 3600
})
const client = clients.sign({ r: ['http://127.0.0.1:3334/callback'] })
measure('cid: verify', () => void clients.verify(client))
