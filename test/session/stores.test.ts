import t from 'tap'
import { pooledRandom } from '../../src/seal/random.ts'
import { EndedSessions } from '../../src/session/ended.ts'
import { MemorySessionStore } from '../../src/session/memory-store.ts'
import { SealedSessionStore } from '../../src/session/sealed-store.ts'
import { type Session, SessionCapacityError } from '../../src/session/store.ts'
import { type TestSealerOptions, testSealer } from '../support/sealing.ts'

/* What only one of the two stores does. */

const sessionOf = (token: string): Session => ({
  credential: { kind: 'private-token', token: token.padEnd(20, 'x') },
  apiUrl: undefined,
  activated: 0,
  version: '2025-03-26'
})

t.test('the memory store', async t => {
  t.test('refuses one session too many, and has room again when one ends or is idle for long', async t => {
    let now = 0
    const store = new MemorySessionStore(2, 10, () => now)
    const first = store.begin(sessionOf('a'), false)
    store.begin(sessionOf('b'), false)
    t.throws(() => store.begin(sessionOf('c'), false), SessionCapacityError)
    t.equal(store.size, 2)
    store.end(first.key)
    t.ok(store.begin(sessionOf('c'), false))
    now += 10_001
    t.equal(store.size, 0)
    t.ok(store.begin(sessionOf('d'), false))
  })

  t.test('keeps a toolset that a call activated while another was under way', async t => {
    const store = new MemorySessionStore(2, 10)
    const slow = store.begin(sessionOf('a'), false)
    store.carry({ ...slow, activated: 4 })
    store.carry(slow)
    t.equal(store.open(slow.key)?.activated, 4)
  })

  t.test('drops sessions that no forge has served, when it is full and they began a minute ago', async t => {
    let now = 0
    const store = new MemorySessionStore(3, 3600, () => now)
    const [served, made, other] = ['a', 'b', 'c'].map(token => store.begin(sessionOf(token), false))
    store.vouch(served!.key)
    now += 59_999
    t.throws(() => store.begin(sessionOf('d'), false), SessionCapacityError, 'they began a moment ago')
    now += 1
    store.open(made!.key)
    t.ok(store.begin(sessionOf('d'), false))
    t.equal(store.open(made!.key), undefined, 'the first of them is gone, though it was in use')
    t.ok(store.open(other!.key))
    t.ok(store.open(served!.key))
    t.ok(store.begin(sessionOf('e'), false))
    t.throws(() => store.begin(sessionOf('f'), false), SessionCapacityError)
    now += 60_000
    t.ok(store.begin(sessionOf('f'), false))
    t.ok(store.open(served!.key), 'one that a forge has served stays, however long it idles')
  })

  t.test('keeps of a flood of made-up tokens no more than fits, and gives its room back', async t => {
    let now = 0
    const store = new MemorySessionStore(100, 3600, () => now)
    const served = store.begin(sessionOf('real'), false)
    store.vouch(served.key)
    let refused = 0
    for (let at = 0; at < 10_000; at++) {
      try {
        store.begin(sessionOf(`made-up ${at}`), at % 2 === 0)
      } catch {
        refused++
      }
    }
    t.equal(store.size, 100)
    t.equal(refused, 10_000 - 99)
    now += 60_000
    for (let at = 0; at < 99; at++) store.vouch(store.begin(sessionOf(`next ${at}`), false).key)
    t.ok(store.open(served.key))
  })

  t.test('shares one session among the calls of a client that never initialized', async t => {
    const store = new MemorySessionStore(2, 10)
    const first = store.begin(sessionOf('a'), true)
    store.carry({ ...first, activated: 4 })
    const second = store.begin(sessionOf('a'), true)
    t.equal(second.key, first.key)
    t.equal(second.activated, 4, 'what a call activated is there for the next')
    t.not(store.begin(sessionOf('b'), true).key, first.key)
  })

  t.test('shares no session any more that another credential has taken over', async t => {
    const store = new MemorySessionStore(5, 10)
    const first = store.begin(sessionOf('a'), true)
    store.carry({ ...first, credential: sessionOf('b').credential })
    const next = store.begin(sessionOf('a'), true)
    t.not(next.key, first.key)
    t.equal(store.open(first.key)?.credential.token, sessionOf('b').credential.token)
  })
})

t.test('the sealed store', async t => {
  const storeOf = (options: TestSealerOptions = {}, acceptsUrl = (_url: string) => true) =>
    new SealedSessionStore(testSealer(options).sealer, {
      ttlSeconds: 100,
      acceptsUrl,
      now: Date.now,
      random: pooledRandom()
    })

  t.test('opens on every replica what one of them carried, and holds nothing for it', async t => {
    const [one, other] = [storeOf(), storeOf()]
    const begun = one.begin(sessionOf('a'))
    t.same(other.open(one.carry(begun)), begun)
    t.equal(one.size, 0)
  })

  t.test('gives each answer another id, the earlier ones staying good', async t => {
    const store = storeOf()
    const begun = store.begin(sessionOf('a'))
    const sids = Array.from({ length: 50 }, () => store.carry(begun))
    t.equal(new Set(sids).size, 50)
    for (const sid of sids) t.equal(store.open(sid)?.key, begun.key)
  })

  t.test('ends every id of a session, those of other replicas too, but on this replica only', async t => {
    const [one, other] = [storeOf(), storeOf()]
    const begun = one.begin(sessionOf('a'))
    const sids = [one.carry(begun), other.carry(begun)]
    one.end(begun.key)
    for (const sid of sids) t.equal(one.open(sid), undefined)
    t.ok(other.open(sids[0]!))
  })

  t.test('refuses a session whose upstream URL is not allowed any more', async t => {
    const sid = storeOf().carry(storeOf().begin({ ...sessionOf('a'), apiUrl: 'https://old.example/api/v4' }))
    const asked: string[] = []
    const strict = storeOf({}, url => {
      asked.push(url)
      return false
    })
    t.equal(strict.open(sid), undefined)
    t.same(asked, ['https://old.example/api/v4'])
  })

  t.test('is invalidated as a whole by another secret', async t => {
    const sid = storeOf({ secret: 'leaked' }).carry(storeOf().begin(sessionOf('a')))
    t.equal(storeOf({ secret: 'fresh' }).open(sid), undefined)
  })
})

t.test('ended sessions', async t => {
  t.test('are remembered for as long as an id of theirs could be used', async t => {
    const ended = new EndedSessions(1000, 10)
    t.equal(ended.add('a', 0), true)
    t.equal(ended.add('a', 1), false)
    t.equal(ended.add('b', 1000), true)
    t.ok(ended.has('a'))
    ended.add('c', 1001)
    t.notOk(ended.has('a'))
    t.ok(ended.has('b'))
  })

  t.test('are forgotten oldest first when there are too many', async t => {
    const ended = new EndedSessions(1000, 3)
    for (const key of ['a', 'b', 'c', 'd']) ended.add(key, 0)
    t.same(
      ['a', 'b', 'c', 'd'].map(key => ended.has(key)),
      [false, true, true, true]
    )
  })
})
