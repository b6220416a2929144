import t from 'tap'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { TlsTurns } from '../../../src/upstream/connections/tls-turns.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { selfSigned } from '../../support/certificates.ts'
import { stopwatchOf } from '../../support/clock.ts'
import { listenTls } from '../../support/listen.ts'
import { startProxy } from '../../support/proxy.ts'

const FORGE = '203.0.113.9'
const ATTACKER = '198.51.100.7'
const TENANT = '192.0.2.1'

/** What a handshake takes, and what a piece of an answer does, in milliseconds. */
const HANDSHAKE_MS = 1.5
const PIECE_MS = 0.05

/** Handshakes on a clock that goes by the work alone. */
function onAClock() {
  let now = 0
  const timers: { at: number; next: () => void }[] = []
  const after = (ms: number, next: () => void) => void timers.push({ at: now + ms, next })
  const handshakes = new Handshakes(
    stopwatchOf(() => now),
    after
  )
  const busy = (ms: number, next = () => {}) => {
    now += ms
    after(0, next)
  }
  const goOn = (isOver: () => boolean) => {
    while (!isOver()) {
      timers.sort((one, other) => one.at - other.at)
      const { at, next } = timers.shift()!
      now = Math.max(now, at)
      next()
    }
  }
  return {
    busy,
    handshakes,
    /** Goes on for so many milliseconds. */
    pass(ms: number): void {
      const until = now + ms
      goOn(() => now > until)
    },
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

/** At the forges of these addresses an attacker has so many handshakes going, each of which begins anew when it is done. */
function besides(count: number, addressOf = (_at: number) => ATTACKER, forgeOf = (_at: number) => FORGE) {
  const clock = onAClock()
  const again = (at: number) =>
    clock.handshakes.handshake(forgeOf(at), addressOf(at), () => clock.busy(HANDSHAKE_MS, () => again(at)))
  for (let at = 0; at < count; at++) again(at)
  clock.pass(500)
  return clock
}

/** So many forges whose connections bring nothing but records of tickets, without end. */
function besideTickets(count: number, ticketsMs: number) {
  const clock = onAClock()
  let spentMs = 0
  const again = (at: number) =>
    clock.handshakes.data(`198.51.100.${at}`, () => {
      spentMs += ticketsMs
      clock.busy(ticketsMs, () => again(at))
      return false
    })
  for (let at = 0; at < count; at++) again(at)
  // The first record of each is one of a forge of which nothing is known.
  clock.pass(3000)
  return { ...clock, spent: () => spentMs }
}

for (const [count, ticketsMs] of [
  [25, 5],
  [25, 1],
  [8, 5],
  [200, 5]
] as const)
  t.test(`an answer waits for one record of tickets of ${ticketsMs} ms, of ${count} forges`, t => {
    const { busy, handshakes, pass, time } = besideTickets(count, ticketsMs)
    for (let at = 0; at < 20; at++) {
      const ms = time(end =>
        handshakes.data(FORGE, () => {
          busy(PIECE_MS, end)
          return true
        })
      )
      t.ok(ms <= ticketsMs, `${ms} ms`)
      pass(17)
    }
    t.end()
  })

t.test('forges with dear records have no more of the time than one has', t => {
  const { pass, spent } = besideTickets(25, 5)
  const before = spent()
  pass(3000)
  t.ok(spent() - before < 3000 / 5, `${spent() - before} ms`)
  t.end()
})

/** So many forges whose answers come in small records, without end, after another forge has sent tickets. */
function besideSmallRecords(count: number) {
  const clock = onAClock()
  let spentMs = 0
  const again = (at: number) =>
    clock.handshakes.data(`198.51.100.${at}`, () => {
      spentMs += PIECE_MS
      clock.busy(PIECE_MS, () => again(at))
      return true
    })
  for (let at = 0; at < 12; at++)
    clock.time(end =>
      clock.handshakes.data('198.51.100.254', () => {
        clock.busy(5, end)
        return false
      })
    )
  for (let at = 0; at < count; at++) again(at)
  return { ...clock, spent: () => spentMs }
}

for (const count of [16, 100]) {
  t.test(`small records of ${count} forges take half of the time, whoever took more before`, t => {
    const { pass, spent } = besideSmallRecords(count)
    pass(3000)
    t.ok(spent() < 3000 * 0.6, `${spent()} ms`)
    t.end()
  })

  t.test(`an answer waits for little of the small records of ${count} forges`, t => {
    const { busy, handshakes, pass, time } = besideSmallRecords(count)
    pass(3000)
    for (let at = 0; at < 20; at++) {
      const ms = time(end =>
        handshakes.data(FORGE, () => {
          busy(PIECE_MS, end)
          return true
        })
      )
      t.ok(ms < 4, `${ms} ms`)
      pass(17)
    }
    t.end()
  })
}

t.test('a handshake waits for one of those that another address began at many forges', t => {
  const { busy, handshakes, pass, time } = besides(
    100,
    () => ATTACKER,
    at => `203.0.113.${at}`
  )
  for (let at = 0; at < 20; at++) {
    const ms = time(end => handshakes.handshake('192.0.2.200', TENANT, () => busy(HANDSHAKE_MS, end)))
    t.ok(ms < 8, `${ms} ms`)
    pass(17)
  }
  t.end()
})

t.test('a minute after its last dear record a forge rests for itself again', t => {
  let now = 1_000
  const rests: { ms: number; next: () => void }[] = []
  let cpu = 0
  const turns = new TlsTurns(
    stopwatchOf(() => cpu),
    (ms, next) => rests.push({ ms, next }),
    () => now
  )
  const records = (...names: string[]) => {
    const done: string[] = []
    for (const name of names)
      turns.data(name, () => {
        done.push(name)
        cpu += 3
        return false
      })
    // After the pause of all, and before the rests that are the square of what was used.
    for (const { ms, next } of rests) if (ms === 3) next()
    const before = [...done]
    for (const { ms, next } of rests.splice(0)) if (ms !== 3) next()
    for (const { next } of rests.splice(0)) next()
    return before
  }
  t.same(records('one', 'other'), ['one', 'other'], 'nothing is known of them')
  t.same(records('one', 'other'), ['one', 'other'], 'garbage may have been collected at the first')
  t.same(records('one', 'other'), ['one'], 'they rest together')
  now += 60_001
  t.same(records('one', 'other'), ['one', 'other'])
  t.end()
})

t.test('what waits for the rest of dear forges goes on after it, also if its forge is none any more', t => {
  let now = 1_000
  let cpu = 0
  let rests: (() => void)[] = []
  const turns = new TlsTurns(
    stopwatchOf(() => cpu),
    (_ms, next) => rests.push(next),
    () => now
  )
  const endRests = () => {
    const ended = rests
    rests = []
    for (const end of ended) end()
  }
  const record = (name: string, ms: number) =>
    turns.data(name, () => {
      cpu += ms
      done.push(name)
      return false
    })
  const done: string[] = []
  for (let at = 0; at < 2; at++)
    for (const name of ['one', 'other']) {
      record(name, 3)
      endRests()
    }
  record('one', 3)
  record('other', 3)
  const [rest, pause] = rests
  pause!()
  t.equal(done.length, 5, 'they rest together')
  now += 60_001
  rest!()
  t.equal(done.length, 6)
  t.end()
})

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
