import t from 'tap'
import { pooledRandom } from '../../src/seal/random.ts'
import { MemorySessionStore } from '../../src/session/memory-store.ts'
import { SealedSessionStore } from '../../src/session/sealed-store.ts'
import type { Beginning, LiveSession, Session, SessionStore } from '../../src/session/store.ts'
import { testSealer } from '../support/sealing.ts'

/* One contract for both stores: what a caller may rely on, wherever sessions live. */

const IDLE_SECONDS = 100

const fresh: Beginning = { shared: false, address: '192.0.2.1', proven: false }

const session: Session = {
  credential: { kind: 'bearer', token: 'oauth-token-oauth-token' },
  apiUrl: 'https://forge.example/api/v4',
  activated: 0b1010,
  version: '2025-06-18'
}

class Clock {
  ms = Date.UTC(2026, 10, 21, 23, 59)
  readonly now = () => this.ms
  forward(seconds: number): void {
    this.ms += seconds * 1000
  }
}

const stores: Record<string, (clock: Clock) => SessionStore> = {
  'the memory store': clock => new MemorySessionStore(10, IDLE_SECONDS, clock.now),
  'the sealed store': clock =>
    new SealedSessionStore(testSealer({ now: clock.now }).sealer, {
      ttlSeconds: IDLE_SECONDS,
      acceptsUrl: () => true,
      now: clock.now,
      random: pooledRandom()
    })
}

/** Without what a store notes for itself, and the digest that a credential may have kept. */
const plain = (live: LiveSession | undefined) => {
  if (live === undefined) return undefined
  const { seen, servedTo, ...session } = live
  return { ...session, credential: { kind: live.credential.kind, token: live.credential.token } }
}

for (const [name, make] of Object.entries(stores)) {
  t.test(name, async t => {
    t.test('opens what it carried, every field of it', async t => {
      const store = make(new Clock())
      const begun = store.begin(session, fresh)
      t.match(begun, session)
      t.same(plain(store.open(store.carry(begun)!)), plain(begun))
    })

    t.test('opens sessions that have nothing but a credential, of each kind', async t => {
      const store = make(new Clock())
      for (const kind of ['private-token', 'job-token', 'bearer'] as const) {
        const bare: Session = {
          credential: { kind, token: 't'.repeat(20) },
          apiUrl: undefined,
          activated: 0,
          version: '2025-03-26'
        }
        const begun = store.begin(bare, fresh)
        t.same(plain(store.open(store.carry(begun)!)), plain({ ...bare, key: begun.key }))
      }
    })

    t.test('opens the largest session, and its id fits into a header', async t => {
      const store = make(new Clock())
      const largest: Session = {
        credential: { kind: 'private-token', token: '/'.repeat(2048) },
        apiUrl: `https://forge.example/${'x'.repeat(512 - 29)}/api/v4`,
        activated: 2 ** 30,
        version: '2025-11-25',
        capabilities: 7,
        logLevel: 'emergency',
        agreed: { to: 'd'.repeat(43), by: 'e'.repeat(43), until: 1_800_000_000_000 }
      }
      const sid = store.carry(store.begin(largest, fresh))!
      t.match(store.open(sid), largest)
      t.ok(sid.length <= 4096, `${sid.length} characters`)
      t.match(sid, /^[\x21-\x7e]+$/)
    })

    t.test('keeps a session under one key while it changes', async t => {
      const store = make(new Clock())
      const begun = store.begin({ ...session, activated: 0 }, fresh)
      const first = store.carry(begun)!
      const credential = { kind: 'private-token', token: 'another-token-another' } as const
      const second = store.carry({ ...store.open(first)!, activated: 4, credential })!
      t.match(store.open(second), { key: begun.key, activated: 4, credential })
    })

    t.test('gives every session another key and id', async t => {
      const store = make(new Clock())
      const begun = Array.from({ length: 10 }, () => store.begin(session, fresh))
      t.equal(new Set(begun.map(({ key }) => key)).size, 10)
      t.equal(new Set(begun.map(one => store.carry(one))).size, 10)
    })

    t.test('counts idle time from the last answer, so that a session in use goes on', async t => {
      const clock = new Clock()
      const store = make(clock)
      let sid = store.carry(store.begin(session, fresh))!
      for (let turn = 0; turn < 5; turn++) {
        clock.forward(IDLE_SECONDS)
        const live = store.open(sid)
        if (live === undefined) return t.fail(`ended after ${turn} turns`)
        sid = store.carry(live)!
      }
      clock.forward(IDLE_SECONDS + 0.001)
      t.equal(store.open(sid), undefined)
    })

    t.test('ends a session once, and no other with it', async t => {
      const store = make(new Clock())
      const begun = store.begin(session, fresh)
      const other = store.carry(store.begin(session, fresh))!
      const sid = store.carry(begun)!
      t.equal(store.end(begun.key, '192.0.2.1'), true)
      t.equal(store.open(sid), undefined)
      t.equal(store.end(begun.key, '192.0.2.1'), false)
      t.ok(store.open(other))
    })

    t.test('does not bring an ended session back when a call of it answers late', async t => {
      const store = make(new Clock())
      const begun = store.begin(session, fresh)
      store.carry(begun)
      store.end(begun.key, '192.0.2.1')
      const late = store.carry(begun)
      t.ok(late === undefined || store.open(late) === undefined)
    })

    t.test('opens a session as before once it was vouched for, and a dead one not', async t => {
      const store = make(new Clock())
      const begun = store.begin(session, fresh)
      store.vouch(begun.key, 'principal', true)
      t.same(plain(store.open(store.carry(begun)!)), plain(begun))
      store.end(begun.key, '192.0.2.1')
      store.vouch(begun.key, 'principal', true)
      const late = store.carry(begun)
      t.ok(late === undefined || store.open(late) === undefined)
    })

    t.test('opens nothing that it did not carry', async t => {
      const store = make(new Clock())
      store.begin(session, fresh)
      for (const sid of [
        '',
        'x',
        'v1.sid.',
        '7b0c9f7e-7d3a-4a8f-9a54-2f7f0c6b1a11',
        '__proto__',
        'a, b',
        'x'.repeat(100_000)
      ])
        t.equal(store.open(sid), undefined, sid.slice(0, 40))
    })
  })
}
