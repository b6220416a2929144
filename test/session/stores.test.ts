import { mock } from 'node:test'
import t from 'tap'
import { MAX_CALL_SECONDS } from '../../src/base/longest-call.ts'
import { LEEWAY_MS } from '../../src/seal/content.ts'
import { pooledRandom } from '../../src/seal/random.ts'
import { principalOf } from '../../src/session/credential.ts'
import { MemorySessionStore } from '../../src/session/memory-store.ts'
import { SealedSessionStore } from '../../src/session/sealed-store.ts'
import { SpentIds } from '../../src/session/spent-ids.ts'
import { type Beginning, type Session, SessionCapacityError } from '../../src/session/store.ts'
import { type TestSealerOptions, testSealer } from '../support/sealing.ts'

/* What only one of the two stores does. */

const sessionOf = (token: string): Session => ({
  credential: { kind: 'private-token', token: token.padEnd(20, 'x') },
  apiUrl: undefined,
  activated: 0,
  version: '2025-03-26'
})

const beginning = (address = '192.0.2.1', more: Partial<Beginning> = {}): Beginning => ({
  shared: false,
  address,
  proven: false,
  ...more
})
const shared = beginning('192.0.2.1', { shared: true })

t.test('the memory store', async t => {
  t.test(
    'refuses one session too many of callers that the forge knows, until one ends or is idle for long',
    async t => {
      let now = 0
      const store = new MemorySessionStore(2, 10, () => now)
      const begin = (token: string) => store.begin(sessionOf(token), beginning())
      const [first, second] = [begin('a'), begin('b')]
      store.vouch(first.key, 'a', true)
      store.vouch(second.key, 'b', true)
      t.throws(() => begin('c'), SessionCapacityError)
      t.equal(store.size, 2)
      store.end(first.key)
      store.vouch(begin('c').key, 'c', true)
      t.throws(() => begin('d'), SessionCapacityError)
      now += 10_001
      t.equal(store.size, 0)
      t.ok(begin('d'))
    }
  )

  t.test('ends no session because the clock of the machine is set', async t => {
    const store = new MemorySessionStore(8, 10)
    const { key } = store.begin(sessionOf('a'), beginning())
    const real = Date.now
    const set = mock.method(Date, 'now', () => real() + 3_600_000)
    t.teardown(() => set.mock.restore())
    t.ok(store.open(key))
  })

  t.test('ends no session for another where there are too few to share out', async t => {
    const store = new MemorySessionStore(7, 10)
    const begun = Array.from({ length: 7 }, (_, at) => store.begin(sessionOf(`${at}`), beginning()))
    t.throws(() => store.begin(sessionOf('next'), beginning()), SessionCapacityError)
    for (const { key } of begun) t.ok(store.open(key))
    store.end(begun[0]!.key)
    t.ok(store.begin(sessionOf('next'), beginning()))
  })

  t.test('knows why a session has ended: by its client, of inactivity, for another', async t => {
    let now = 0
    const store = new MemorySessionStore(8, 10, () => now)
    const begin = (at: number) => store.begin(sessionOf(`${at}`), beginning()).key
    const [idle, ended] = [begin(0), begin(1)]
    t.equal(store.endOf(idle), undefined, 'it is open')
    store.end(ended)
    now += 10_001
    const flood = Array.from({ length: 9 }, (_, at) => begin(at))
    t.same(
      [idle, ended, flood[0]!, 'never'].map(key => store.endOf(key)),
      ['idle', 'deleted', 'displaced', undefined]
    )
  })

  t.test('keeps a toolset that a call activated while another was under way', async t => {
    const store = new MemorySessionStore(2, 10)
    const slow = store.begin(sessionOf('a'), beginning())
    store.carry({ ...slow, activated: 4 })
    store.carry(slow)
    t.equal(store.open(slow.key)?.activated, 4)
  })

  t.test('writes only what a request changed, over what others changed while it was under way', async t => {
    const store = new MemorySessionStore(2, 10)
    const agreed = (by: string) => ({ to: 'call', by, until: 1 })
    const { key } = store.begin({ ...sessionOf('old'), agreed: agreed('first') }, beginning())
    const [slow, using, renewed, answered] = Array.from({ length: 4 }, () => store.open(key)!)
    const { credential } = sessionOf('new')
    store.carry({ ...renewed!, credential, logLevel: 'error' })
    store.carry({ ...answered!, agreed: agreed('second') })
    store.carry({ ...using!, agreed: undefined })
    store.carry(slow!)
    t.match(store.open(key), { credential, logLevel: 'error', agreed: agreed('second') })
    store.carry({ ...store.open(key)!, agreed: undefined })
    t.equal(store.open(key)!.agreed, undefined)
  })

  t.test('has the token of the request that arrived last, however requests overlap', async t => {
    const store = new MemorySessionStore(2, 10)
    const { key } = store.begin(sessionOf('old'), beginning())
    const [first, second, third] = ['first', 'second', 'third'].map(name => ({
      ...store.open(key)!,
      credential: sessionOf(name).credential
    }))
    store.carry(first!)
    store.carry(third!)
    store.carry(second!)
    store.carry({ ...first!, logLevel: 'debug' })
    t.match(store.open(key), { credential: third!.credential, logLevel: 'debug' })
  })

  t.test('is left as it was by a guest', async t => {
    const store = new MemorySessionStore(2, 10)
    const { key, credential } = store.begin(sessionOf('old'), beginning())
    const guest = { ...store.open(key)!, credential: sessionOf('new').credential, isGuests: true }
    const agreed = { to: 'call', by: 'somebody', until: 1 }
    t.equal(store.carry({ ...guest, agreed, logLevel: 'error', activated: 4 }), key)
    const { seen: _, ...left } = store.open(key)!
    t.match(left, { credential, activated: 0 })
    t.notOk(left.agreed ?? left.logLevel ?? left.isGuests)
  })

  t.test('lets a request that stores its session twice change it both times', async t => {
    const store = new MemorySessionStore(2, 10)
    const begun = store.begin(sessionOf('old'), beginning())
    const first = { ...begun, credential: sessionOf('new').credential, logLevel: 'error' } as const
    store.carry(first)
    const other = store.open(begun.key)!
    store.carry({ ...other, credential: sessionOf('newer').credential })
    store.carry({ ...first, logLevel: 'debug' })
    t.match(store.open(begun.key), { credential: sessionOf('newer').credential, logLevel: 'debug' })
  })

  t.test('tells whose session made room, whether or not the forge has answered in it', async t => {
    const displaced: unknown[] = []
    const store = new MemorySessionStore(8, 3600, undefined, {
      displaced: (...of) => displaced.push(of)
    })
    const sessions = Array.from({ length: 9 }, (_, at) => sessionOf(`caller ${at}`))
    for (const session of sessions) store.begin(session, beginning('198.51.100.1'))
    t.same(displaced, [['198.51.100.1', principalOf(sessions[0]!.credential)]])
  })

  t.test(
    'makes room at once, from the address with the most sessions that no forge has answered for',
    async t => {
      let displaced = 0
      const addresses = new Set<string | undefined>()
      const store = new MemorySessionStore(20, 3600, undefined, {
        displaced(address) {
          displaced++
          addresses.add(address)
        }
      })
      const served = store.begin(sessionOf('real'), beginning('198.51.100.1'))
      store.vouch(served.key, 'real', true)
      const other = store.begin(sessionOf('other'), beginning('198.51.100.2'))
      const flood = Array.from({ length: 500 }, (_, at) =>
        store.begin(sessionOf(`made-up ${at}`), beginning())
      )
      t.equal(store.size, 12, 'an address has half of all places')
      t.equal(displaced, 490)
      t.equal(addresses.size, 1, 'whose they were is told')
      t.type([...addresses][0], 'string')
      t.equal(store.open(flood[489]!.key), undefined)
      t.ok(store.open(flood[490]!.key), 'the oldest went')
      for (let at = 0; at < 500; at++) store.begin(sessionOf(`more ${at}`), beginning('203.0.113.9'))
      t.equal(store.size, 20)
      for (const { key } of [served, other]) t.ok(store.open(key), 'whoever holds little keeps it')
      t.ok(store.begin(sessionOf('new'), beginning('198.51.100.3')))
    }
  )

  t.test('does not keep a session that no forge has answered for because it is in use', async t => {
    let now = 0
    const store = new MemorySessionStore(8, 3600, () => now)
    const [first] = Array.from({ length: 8 }, (_, at) => store.begin(sessionOf(`${at}`), beginning()))
    now += 60_000
    t.ok(store.open(first!.key))
    store.begin(sessionOf('next'), beginning())
    t.equal(store.open(first!.key), undefined)
  })

  t.test('bounds what one credential begins, from however many addresses', async t => {
    const store = new MemorySessionStore(1000, 3600)
    for (let at = 0; at < 300; at++) store.begin(sessionOf('same'), beginning(`192.0.2.${at}`))
    t.equal(store.size, 100)
  })

  t.test(
    'lets a principal that the forge knows have a tenth, and ends what it used the longest ago',
    async t => {
      let now = 0
      const store = new MemorySessionStore(100, 3600, () => now)
      const begun = Array.from({ length: 10 }, () => {
        const session = store.begin(sessionOf('greedy'), beginning())
        store.vouch(session.key, 'greedy', true)
        return session
      })
      now += 60_000
      store.open(begun[0]!.key)
      const next = store.begin(sessionOf('greedy'), beginning())
      store.vouch(next.key, 'greedy', true)
      t.equal(store.size, 10)
      t.ok(store.open(begun[0]!.key))
      t.equal(store.open(begun[1]!.key), undefined)
    }
  )

  t.test('counts a session for whom the forge has answered, not for who began it', async t => {
    const store = new MemorySessionStore(100, 3600)
    for (let at = 0; at < 50; at++)
      store.vouch(store.begin(sessionOf(`made-up ${at}`), beginning()).key, 'the one with a token', true)
    t.equal(store.size, 10)
  })

  t.test(
    'ends none of others for a login that is renewed on and on, each time with another token',
    async t => {
      let now = 0
      const store = new MemorySessionStore(100, 3600, () => now)
      const begin = (token: string, address: string) =>
        store.begin(sessionOf(token), beginning(address, { proven: true }))
      const others = ['one', 'one', 'two'].map(token => begin(token, '192.0.2.1'))
      for (let at = 0; at < 500; at++) {
        now += 4_000
        begin(`renewed ${at}`, '192.0.2.2')
        for (const { key } of others)
          if (store.open(key) === undefined) return t.fail(`gone with token ${at}`)
      }
      t.equal(store.size, 90)
    }
  )

  t.test('counts all logins of a user as one, from however many addresses', async t => {
    const store = new MemorySessionStore(100, 3600)
    const begin = (user: string, token: string, address: string) =>
      store.begin({ ...sessionOf(token), user }, beginning(address, { proven: true }))
    const office = Array.from({ length: 30 }, (_, at) => begin(`${at}`, `of ${at}`, '192.0.2.1'))
    for (let at = 0; at < 500; at++) begin('666', `login ${at}`, `198.51.100.${at % 250}`)
    t.equal(store.size, 40)
    t.ok(office.every(({ key }) => store.open(key)))
  })

  t.test('ends none of others for one in each of many IPv6 networks', async t => {
    const store = new MemorySessionStore(100, 3600)
    const begin = (token: string, address: string) =>
      store.begin(sessionOf(token), beginning(address, { proven: true }))
    const office = Array.from({ length: 30 }, (_, at) => begin(`of ${at}`, '192.0.2.1'))
    for (let at = 0; at < 500; at++) begin(`login ${at}`, `2001:db8:1:${at.toString(16)}`)
    t.ok(office.every(({ key }) => store.open(key)))
  })

  t.test('keeps a tenth for new sessions, however many principals the forge knows', async t => {
    const store = new MemorySessionStore(100, 3600)
    for (let at = 0; at < 200; at++)
      store.begin(sessionOf(`real ${at}`), beginning(`192.0.2.${at}`, { proven: true }))
    t.equal(store.size, 90)
    for (let at = 0; at < 10; at++) t.ok(store.begin(sessionOf(`new ${at}`), beginning(`198.51.100.${at}`)))
    t.equal(store.size, 100)
  })

  t.test('ends no session that the forge has answered for, whatever comes of made-up tokens', async t => {
    const store = new MemorySessionStore(100, 3600)
    const served = Array.from({ length: 90 }, (_, at) =>
      store.begin(sessionOf(`real ${at}`), beginning('192.0.2.1', { proven: true }))
    )
    for (let at = 0; at < 10_000; at++)
      store.begin(sessionOf(`made-up ${at}`), beginning(`198.51.100.${at % 200}`, { shared: at % 2 === 0 }))
    t.equal(store.size, 100)
    for (const { key } of served) if (store.open(key) === undefined) return t.fail('one is gone')
  })

  t.test('shares one session among the calls of a client that never initialized', async t => {
    const store = new MemorySessionStore(2, 10)
    const first = store.begin(sessionOf('a'), shared)
    store.carry({ ...first, activated: 4 })
    const second = store.begin(sessionOf('a'), shared)
    t.equal(second.key, first.key)
    t.equal(second.activated, 4, 'what a call activated is there for the next')
    t.not(store.begin(sessionOf('b'), shared).key, first.key)
  })

  t.test('shares no session among credentials of two kinds, be they one text', async t => {
    const store = new MemorySessionStore(2, 10)
    const { credential, ...others } = sessionOf('a')
    const first = store.begin({ ...others, credential }, shared)
    const second = store.begin({ ...others, credential: { ...credential, kind: 'bearer' } }, shared)
    t.not(second.key, first.key)
  })

  t.test('shares no session any more that another credential has taken over', async t => {
    const store = new MemorySessionStore(5, 10)
    const first = store.begin(sessionOf('a'), shared)
    store.carry({ ...first, credential: sessionOf('b').credential })
    const next = store.begin(sessionOf('a'), shared)
    t.not(next.key, first.key)
    t.equal(store.open(first.key)?.credential.token, sessionOf('b').credential.token)
  })
})

t.test('the sealed store', async t => {
  const storeOf = (options: TestSealerOptions = {}, acceptsUrl = (_url: string) => true, reuseSeconds = 0) =>
    new SealedSessionStore(testSealer(options).sealer, {
      ttlSeconds: 100,
      reuseSeconds,
      acceptsUrl,
      now: options.now ?? Date.now,
      random: pooledRandom()
    })

  t.test('opens on every replica what one of them carried, and holds nothing for it', async t => {
    const [one, other] = [storeOf(), storeOf()]
    const begun = one.begin(sessionOf('a'))
    t.same(other.open(one.carry(begun)!), begun)
    t.equal(one.size, 0)
  })

  t.test('gives answers other ids as time goes by, the earlier ones staying good', async t => {
    let now = Date.UTC(2026, 10, 21, 12)
    const store = storeOf({ now: () => now })
    const begun = store.begin(sessionOf('a'))
    const sids = Array.from({ length: 50 }, () => {
      now += 1000
      return store.carry(begun)!
    })
    t.equal(new Set(sids).size, 50)
    for (const sid of sids) t.equal(store.open(sid)?.key, begun.key)
  })

  t.test('gives the id back that it was sent, but to another credential, whose is another', async t => {
    const now = () => Date.UTC(2026, 10, 21, 12)
    const store = storeOf({ now }, undefined, 60)
    const sid = store.carry(store.begin(sessionOf('a')))!
    const opened = store.open(sid)!
    t.equal(store.carry({ ...opened, activated: 4 }), sid)
    const renewed = store.carry({ ...opened, credential: sessionOf('b').credential })!
    t.equal(store.open(renewed)?.credential.token, sessionOf('b').credential.token)
    t.equal(store.open(renewed)?.key, opened.key)
  })

  t.test('ends every id of a session, those of other replicas too, but on this replica only', async t => {
    const [one, other] = [storeOf(), storeOf()]
    const begun = one.begin(sessionOf('a'))
    const sids = [one.carry(begun)!, other.carry(begun)!]
    one.end(begun.key, '192.0.2.1')
    for (const sid of sids) t.equal(one.open(sid), undefined)
    t.ok(other.open(sids[0]!))
  })

  t.test('gives no id to a call whose session was ended while it ran', async t => {
    const store = storeOf()
    const begun = store.begin(sessionOf('a'))
    const opened = store.open(store.carry(begun)!)!
    store.end(begun.key, '192.0.2.1')
    t.equal(store.carry(opened), undefined)
  })

  t.test('keeps it ended for as long as an id opens that such a call got elsewhere', async t => {
    let now = Date.UTC(2026, 10, 21, 12)
    const store = storeOf({ now: () => now })
    const elsewhere = storeOf({ now: () => now + LEEWAY_MS })
    const [ended, other] = [store.begin(sessionOf('a')), store.begin(sessionOf('b'))]
    store.end(ended.key, '192.0.2.1')
    now += MAX_CALL_SECONDS * 1000
    const [late, fine] = [elsewhere.carry(ended)!, elsewhere.carry(other)!]
    now += LEEWAY_MS + 99_999
    t.ok(store.open(fine))
    t.equal(store.open(late), undefined)
  })

  t.test('refuses a session whose upstream URL is not allowed any more, also one that it knows', async t => {
    const asked: string[] = []
    let allows = true
    const store = storeOf({}, url => {
      asked.push(url)
      return allows
    })
    const sid = store.carry(store.begin({ ...sessionOf('a'), apiUrl: 'https://old.example/api/v4' }))!
    t.ok(store.open(sid))
    allows = false
    t.equal(store.open(sid), undefined)
    t.same(asked, ['https://old.example/api/v4', 'https://old.example/api/v4'])
  })

  t.test('keeps a session ended, however many another address ends', async t => {
    const store = storeOf()
    const begun = store.begin(sessionOf('a'))
    const sid = store.carry(begun)!
    store.end(begun.key, '192.0.2.1')
    for (let at = 0; at < 10_001; at++) store.end(`made up ${at}`, '192.0.2.2')
    t.equal(store.open(sid), undefined)
  })

  t.test('is invalidated as a whole by another secret', async t => {
    const sid = storeOf({ secret: 'leaked' }).carry(storeOf().begin(sessionOf('a')))!
    t.equal(storeOf({ secret: 'fresh' }).open(sid), undefined)
  })
})

t.test('ended sessions', async t => {
  t.test('are remembered for as long as an id of theirs could be used', async t => {
    let now = 1_800_000_000_000
    const ended = new SpentIds(1000, () => now, 10)
    t.equal(ended.add('a'), true)
    now += 1
    t.equal(ended.add('a'), false)
    now += 999
    t.equal(ended.add('b'), true)
    t.ok(ended.has('a'))
    now += 1
    t.notOk(ended.has('a'))
    t.ok(ended.has('b'))
  })

  t.test('are forgotten oldest first when there are too many', async t => {
    const ended = new SpentIds(1000, () => 1, 3)
    for (const key of ['a', 'b', 'c', 'd']) ended.add(key)
    t.same(
      ['a', 'b', 'c', 'd'].map(key => ended.has(key)),
      [false, true, true, true]
    )
  })

  t.test('of one address make no ended session of another good again', async t => {
    const ended = new SpentIds(1000, () => 1, 10)
    ended.add('of another', 'other')
    for (let at = 0; at < 100; at++) ended.add(`made up ${at}`, 'one')
    t.ok(ended.has('of another'))
    t.notOk(ended.has('made up 0'))
  })
})
