import t from 'tap'
import { MemoryOAuthStorage } from '../../../src/oauth/storage/memory-storage.ts'
import { SealedOAuthStorage } from '../../../src/oauth/storage/sealed-storage.ts'
import type { Grant, OAuthStorage, Pending } from '../../../src/oauth/storage/storage.ts'
import { LEEWAY_MS } from '../../../src/seal/content.ts'
import { pooledRandom } from '../../../src/seal/random.ts'
import { testSealer } from '../../support/sealing.ts'

const lifetimes = { client: 3600, pending: 600, grant: 60 }
const digest = 'd'.repeat(43)
const pending: Pending = {
  client: digest,
  redirectUri: 'https://app.example/cb',
  state: 'état',
  challenge: 'c'.repeat(43),
  verifier: 'v'.repeat(43),
  scope: 'api',
  browser: 'b'.repeat(43),
  approved: false
}
const grant: Grant = {
  client: digest,
  redirectUri: 'https://app.example/cb',
  challenge: 'c'.repeat(43),
  tokens: { access: 'a'.repeat(64), refresh: 'r'.repeat(64), expiresIn: 7200, scope: 'api' }
}
const bare: Grant = { ...grant, tokens: { access: 'a'.repeat(20) } }
const details = { redirectUris: ['https://app.example/cb', 'http://127.0.0.1/cb'], name: 'Näme' }
const yes = () => true
const no = () => false

type Make = (now: () => number) => OAuthStorage

const forms: Record<string, Make> = {
  memory: now => new MemoryOAuthStorage(lifetimes, now),
  sealed: now => new SealedOAuthStorage(testSealer({ now }).sealer, lifetimes, pooledRandom(), now)
}

for (const [form, make] of Object.entries(forms)) {
  t.test(`${form} storage`, async t => {
    let now = Date.UTC(2026, 10, 21, 12)
    const storage = make(() => now)

    t.test('knows a client until its registration ends', async t => {
      const { id, ...kept } = storage.addClient(details, 'here')
      t.same(kept, details)
      t.same(storage.client(id), { ...details, id })
      t.not(storage.addClient(details, 'here').id, id, 'each registration is another client')
      const nameless = storage.addClient({ redirectUris: details.redirectUris }, 'here')
      t.same(storage.client(nameless.id), nameless)
      now += 3600_000
      t.ok(storage.client(id))
      now += 1
      t.equal(storage.client(id), undefined)
    })

    t.test('gives a pending login to whom it fits, and leaves it otherwise', async t => {
      const state = storage.addPending(pending, 'here')
      t.equal(storage.takePending(state, no), undefined)
      t.same(storage.takePending(state, yes), pending)
      const { state: _state, browser: _browser, ...rest } = pending
      t.same(storage.takePending(storage.addPending(rest, 'here'), yes), rest)
      const late = storage.addPending(pending, 'here')
      now += 600_001
      t.equal(storage.takePending(late, yes), undefined)
    })

    t.test('gives a grant once, with its age, to whom it fits', async t => {
      const code = storage.addGrant(grant, 'here')
      now += 1500
      t.equal(storage.takeGrant(code, no, 'here'), undefined, 'who holds half of it does not use it up')
      t.same(storage.takeGrant(code, yes, 'here'), { ...grant, ageMs: 1500 })
      t.equal(storage.takeGrant(code, yes, 'here'), undefined, 'a code works once')
      t.same(storage.takeGrant(storage.addGrant(bare, 'here'), yes, 'here'), { ...bare, ageMs: 0 })
      const late = storage.addGrant(grant, 'here')
      now += 60_001
      t.equal(storage.takeGrant(late, yes, 'here'), undefined)
    })

    t.test('takes nothing for what it is not', async t => {
      const made = {
        client: storage.addClient(details, 'here').id,
        state: storage.addPending(pending, 'here'),
        code: storage.addGrant(grant, 'here')
      }
      for (const value of [made.state, made.code, '', 'x', '__proto__', 'constructor', `${made.client}x`])
        t.equal(storage.client(value), undefined)
      for (const value of [
        made.client,
        made.code,
        '',
        '__proto__',
        made.state.slice(0, -1),
        `${made.state} `
      ])
        t.equal(storage.takePending(value, yes), undefined)
      for (const value of [made.client, made.state, '', '__proto__', `${made.code}=`])
        t.equal(storage.takeGrant(value, yes, 'here'), undefined)
    })
  })
}

t.test('who begins very many logins takes the room for them from itself', async t => {
  let now = 0
  const storage = new MemoryOAuthStorage(lifetimes, () => now, 10)
  const other = storage.addPending(pending, 'other')
  const begun = Array.from({ length: 30 }, (_, at) => storage.addPending(pending, `attacker ${at % 3}`))
  t.same(storage.takePending(other, yes), pending)
  t.equal(begun.filter(state => storage.takePending(state, yes) !== undefined).length, 9)
  now += 600_001
  const late = Array.from({ length: 10 }, () => storage.addPending(pending, 'other'))
  t.ok(
    late.every(state => storage.takePending(state, yes)),
    'what was taken or is over holds no room'
  )
})

t.test('whoever begins a login from each of many IPv6 networks takes none from others', async t => {
  const storage = new MemoryOAuthStorage(lifetimes, undefined, 100)
  const home = storage.addPending(pending, '198.51.100.10')
  const office = Array.from({ length: 20 }, () => storage.addPending(pending, '198.51.100.20'))
  for (let at = 0; at < 300; at++) storage.addPending(pending, `2001:db8:1:${at.toString(16)}`)
  const left = [home, ...office].filter(state => storage.takePending(state, yes) !== undefined)
  t.equal(left.length, 21)
})

t.test('who redeems very many codes has none of another’s good again', async t => {
  const storage = forms.sealed!(() => 0)
  const code = storage.addGrant(bare, 'here')
  t.ok(storage.takeGrant(code, yes, 'other'))
  for (let at = 0; at < 10_000; at++) storage.takeGrant(storage.addGrant(bare, 'here'), yes, 'here')
  t.equal(storage.takeGrant(code, yes, 'other'), undefined)
})

t.test('sealed storage on two replicas', async t => {
  const now = () => Date.UTC(2026, 10, 21, 12)
  const make = (secret: string, previous?: string) =>
    new SealedOAuthStorage(
      testSealer({ now, secret, ...(previous !== undefined && { previous }) }).sealer,
      lifetimes,
      pooledRandom(),
      now
    )
  const [one, other, stranger, next] = [make('a'), make('a'), make('b'), make('b', 'a')]

  t.test('opens what the other made; one with another secret does not', async t => {
    const client = one.addClient(details)
    const [state, code] = [one.addPending(pending), one.addGrant(grant)]
    for (const [replica, opens] of [
      [other, true],
      [stranger, false],
      [next, true]
    ] as const) {
      t.equal(replica.client(client.id) !== undefined, opens)
      t.equal(replica.takePending(state, yes) !== undefined, opens)
      t.equal(replica.takeGrant(code, yes, 'here') !== undefined, opens)
    }
  })

  t.test('tells its own kind of client id from others', async t => {
    t.equal(one.knowsForm(one.addClient(details).id), true)
    t.equal(one.knowsForm('v1.cid.broken'), true)
    t.equal(one.knowsForm('6f1e7c9e-0000-4000-8000-000000000000'), false)
  })

  t.test('makes nothing that would not get through a proxy', async t => {
    const uris = Array.from({ length: 10 }, (_, at) => `https://app.example/${at}${'x'.repeat(480)}`)
    t.throws(() => one.addClient({ redirectUris: uris }), { name: 'OverlongValueError' })
    const [access, refresh] = ['a'.repeat(2048), 'r'.repeat(2048)]
    const long = { ...grant, redirectUri: uris[0]!, tokens: { access, refresh } }
    t.throws(() => one.addGrant(long), { name: 'OverlongValueError' })
    const longest = one.addPending({ ...pending, redirectUri: uris[0]!, state: 's'.repeat(1024) })
    t.ok(longest.length < 4096, `${longest.length}`)
    t.ok(other.takePending(longest, yes))
  })

  t.test('sizes of usual values', async t => {
    const client = one.addClient({ redirectUris: ['http://127.0.0.1:4711/callback'], name: 'A client' })
    t.ok(client.id.length < 300, `client_id ${client.id.length}`)
    t.ok(one.addPending(pending).length < 600)
    t.ok(one.addGrant(grant).length < 700)
  })
})

t.test('whoever registers, or logs in, very often takes the room for it from itself', async t => {
  const storage = new MemoryOAuthStorage(lifetimes, undefined, 10)
  const { id } = storage.addClient(details, '192.0.2.1')
  const code = storage.addGrant(grant, '192.0.2.1')
  for (let at = 0; at < 30; at++) {
    storage.addClient(details, `2001:db8:1:${at}`)
    storage.addGrant(grant, `2001:db8:1:${at}`)
  }
  t.ok(storage.client(id))
  t.ok(storage.takeGrant(code, yes))
})

t.test('memory storage has room for a tenth as many entries where each takes ten times as much', async t => {
  const storage = new MemoryOAuthStorage(lifetimes, undefined, 100)
  const redirectUris = Array.from({ length: 10 }, (_, at) => `https://app.example/${at}`.padEnd(510, 'x'))
  const long = { ...pending, redirectUri: redirectUris[0]!, state: '一'.repeat(4096) }
  const tokens = { access: 'a'.repeat(8192) }
  const many = Array.from({ length: 100 }, (_, at) => at)
  const clients = many.map(() => storage.addClient({ redirectUris }, 'here').id)
  const states = many.map(() => storage.addPending(long, 'here'))
  const codes = many.map(() => storage.addGrant({ ...grant, tokens }, 'here'))
  const known = {
    clients: clients.filter(id => storage.client(id)).length,
    states: states.filter(state => storage.takePending(state, yes)).length,
    codes: codes.filter(code => storage.takeGrant(code, yes)).length
  }
  t.same(known, { clients: 16, states: 10, codes: 11 })
})

t.test('memory storage forgets the oldest when it is full', async t => {
  const storage = new MemoryOAuthStorage(lifetimes, undefined, 2)
  const [first, second, third] = [1, 2, 3].map(() => storage.addClient(details, 'here').id)
  t.equal(storage.client(first!), undefined)
  t.ok(storage.client(second!))
  t.ok(storage.client(third!))
})

t.test(
  'memory storage keeps the last refresh tokens of a login, and others at its address theirs',
  async t => {
    const storage = new MemoryOAuthStorage(lifetimes, undefined, 10)
    const add = (login: string, token: string) =>
      storage.addRefresh({ client: digest, login, token }, '192.0.2.1', `with ${token}`)
    add('other', 'of-another')
    for (let at = 0; at < 30; at++) add('busy', `next-${at}`)
    for (let at = 0; at < 30; at++) add('busy', 'next-29')
    t.ok(storage.openRefresh('of-another'))
    const kept = Array.from({ length: 30 }, (_, at) => `next-${at}`).filter(token =>
      storage.openRefresh(token)
    )
    t.same(kept, ['next-27', 'next-28', 'next-29'], 'also where a forge gives the same again')
  }
)

t.test('memory storage lets whoever is given most refresh tokens make room for others', async t => {
  const storage = new MemoryOAuthStorage(lifetimes, undefined, 10)
  const add = (token: string, from: string) =>
    storage.addRefresh({ client: digest, login: `of ${token}`, token }, from, `with ${token}`)
  const other = add('of-another', '192.0.2.1')
  for (let at = 0; at < 30; at++) add(`next-${at}`, '192.0.2.2')
  t.same(storage.openRefresh(other), { client: digest, login: 'of of-another', token: 'of-another' })
  t.same(storage.openRefresh('next-29'), { client: digest, login: 'of next-29', token: 'next-29' })
  t.equal(storage.openRefresh('next-0'), undefined)
})

t.test('memory storage counts all logins of a user as one, from however many addresses', async t => {
  const storage = new MemoryOAuthStorage(lifetimes, undefined, 100)
  const logIn = (token: string, from: string, user?: string) => {
    storage.addRefresh({ client: digest, login: `of ${token}`, token }, from, `with ${token}`)
    if (user !== undefined) storage.nameUser(`with ${token}`, user)
  }
  for (let at = 0; at < 40; at++) logIn(`office ${at}`, '192.0.2.1', `${at}`)
  for (let at = 0; at < 300; at++) logIn(`used ${at}`, `198.51.100.${at % 250}`, '666')
  for (let at = 0; at < 300; at++) logIn(`unused ${at}`, `203.0.113.${at % 20}`)
  const left = Array.from({ length: 40 }, (_, at) => storage.openRefresh(`office ${at}`))
  t.ok(left.every((of, at) => of?.user === `${at}`))
})

t.test('memory storage has the user of a login in its next refresh tokens, too', async t => {
  const storage = new MemoryOAuthStorage(lifetimes)
  storage.addRefresh({ client: digest, login: 'a', token: 'first' }, '192.0.2.1', 'access')
  storage.addRefresh({ ...storage.openRefresh('first')!, token: 'second' }, '192.0.2.1', 'next access')
  storage.nameUser('access', '5')
  storage.nameUser('made up', '6')
  storage.addRefresh({ ...storage.openRefresh('second')!, token: 'third' }, '192.0.2.1', 'last access')
  for (const token of ['first', 'second', 'third']) t.equal(storage.openRefresh(token)?.user, '5', token)
})

t.test(
  'a code works once for as long as it opens, also where the clock of whoever made it is ahead',
  async t => {
    const clock = { now: Date.UTC(2026, 10, 21, 12), ahead: LEEWAY_MS }
    const storage = forms.sealed!(() => clock.now + clock.ahead)
    const code = storage.addGrant(bare, 'here')
    clock.ahead = 0
    t.ok(storage.takeGrant(code, yes, 'here'))
    clock.now += LEEWAY_MS + 1000 * lifetimes.grant
    t.equal(storage.takeGrant(code, yes, 'here'), undefined)
  }
)
