import t from 'tap'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { selfSigned } from '../../support/certificates.ts'
import { listenTls } from '../../support/listen.ts'
import { startProxy } from '../../support/proxy.ts'

const FORGE = '203.0.113.9'
const ATTACKER = '198.51.100.7'
const TENANT = '192.0.2.1'

/** What a handshake takes, and what a piece of an answer does, in milliseconds. */
const HANDSHAKE_MS = 1.5
const PIECE_MS = 0.05

/** A forge at which an attacker has so many handshakes going, each of which begins anew when it is done. */
function besides(count: number, addressOf = (_at: number) => ATTACKER) {
  let now = 0
  const timers: { at: number; next: () => void }[] = []
  const after = (ms: number, next: () => void) => void timers.push({ at: now + ms, next })
  const handshakes = new Handshakes(() => now, after)
  const busy = (ms: number, next = () => {}) => {
    now += ms
    after(0, next)
  }
  const again = (address: string) =>
    handshakes.handshake(FORGE, address, () => busy(HANDSHAKE_MS, () => again(address)))
  const goOn = (isOver: () => boolean) => {
    while (!isOver()) {
      timers.sort((one, other) => one.at - other.at)
      const { at, next } = timers.shift()!
      now = Math.max(now, at)
      next()
    }
  }
  for (let at = 0; at < count; at++) again(addressOf(at))
  goOn(() => now > 500)
  return {
    busy,
    handshakes,
    /** @returns milliseconds until what begins now is over */
    time(begin: (end: () => void) => void): number {
      const began = now
      let ended: number | undefined
      begin(() => {
        ended = now
      })
      goOn(() => ended !== undefined)
      return Math.round(ended! - began)
    }
  }
}

for (const count of [25, 64]) {
  t.test(`an answer over TLS does not wait for ${count} handshakes with its forge`, t => {
    const { busy, handshakes, time } = besides(count)
    const ms = time(end => {
      let left = 30
      const piece = () =>
        handshakes.data(FORGE, () => {
          busy(PIECE_MS, --left === 0 ? end : piece)
          return true
        })
      piece()
    })
    t.ok(ms < 30, `${ms} ms`)
    t.end()
  })

  t.test(`the handshake of a caller waits for one of the ${count} that another address began`, t => {
    const { busy, handshakes, time } = besides(count)
    const ms = time(end => handshakes.handshake(FORGE, TENANT, () => busy(HANDSHAKE_MS, end)))
    t.ok(ms < 15, `${ms} ms`)
    t.end()
  })
}

t.test('whoever has a network has one turn by all of its addresses', t => {
  const { busy, handshakes, time } = besides(64, at => `2001:db8:0:${at.toString(16)}`)
  const ms = time(end => handshakes.handshake(FORGE, TENANT, () => busy(HANDSHAKE_MS, end)))
  t.ok(ms < 15, `${ms} ms`)
  t.end()
})

for (const way of ['straight', 'through a proxy'])
  t.test(`${way}, a handshake is a turn of whose request the connection is made for`, async t => {
    const trusted = selfSigned(t)
    const origin = await listenTls(t, trusted, (_request, response) => response.end('forge'))
    const handshakes = new Handshakes()
    const askers = new Set<string>()
    handshakes.handshake = (_holder, asker, work) => {
      askers.add(asker)
      work()
    }
    const dispatcher = createDispatcher({
      tls: tlsTrust({ caPath: trusted.path, verify: true }),
      strangers: { handshakes, open: OpenConnections.for(8) },
      ...(way !== 'straight' && { proxy: { http: '', https: (await startProxy(t)).url, no: '' } })
    })
    t.teardown(() => dispatcher.destroy())
    const ask = (holder: string) =>
      exchange(
        dispatcher,
        { origin, path: '/', method: 'GET', holder },
        { maxBytes: 1000, deadlineMs: 60_000 }
      )
    await Promise.all([ask(TENANT), ask(ATTACKER)])
    t.same(askers, new Set([TENANT, ATTACKER]))
  })
