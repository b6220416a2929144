import type { LookupFunction } from 'node:net'
import { mock } from 'node:test'
import t from 'tap'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { type LaneLimits, NameLane } from '../../../src/upstream/hosts/lookup.ts'
import { HostNames } from '../../../src/upstream/hosts/names.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { listen } from '../../support/listen.ts'
import { stayAwake } from '../../support/stay-awake.ts'

const HOUR = 3_600_000
const limits: LaneLimits = {
  atOnce: 2,
  queue: 2,
  freshMs: 1000,
  doubtfulMs: 100,
  staleMs: 0,
  graceMs: 20,
  waitMs: HOUR,
  hangMs: HOUR,
  names: 3
}

stayAwake(t)

const finder =
  (lookup: LookupFunction) =>
  (hostname: string, options = {}) =>
    new Promise<unknown>((resolve, reject) =>
      lookup(hostname, options, (error, found) => (error === null ? resolve(found) : reject(error)))
    )

/** A resolver that answers when it is told to. */
function scene(own: Partial<LaneLimits> = {}) {
  const clock = { ms: 0 }
  const asked: string[] = []
  const open = new Map<string, (error: NodeJS.ErrnoException | null, address: string) => void>()
  const slow: LookupFunction = (hostname, _options, callback) => {
    asked.push(hostname)
    open.set(hostname, (error, address) => callback(error, address, 4))
  }
  const stale: string[] = []
  const lane = new NameLane(
    slow,
    { ...limits, ...own },
    (hostname, error) => stale.push(`${hostname} ${(error as NodeJS.ErrnoException).code}`),
    () => clock.ms
  )
  const find = finder(lane.lookup)
  const answer = (hostname: string, address = '192.0.2.1') => open.get(hostname)!(null, address)
  const fail = (hostname: string) =>
    open.get(hostname)!(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), '')
  return { clock, lane, asked, find, answer, fail, stale, slow }
}

t.test('those who want one name share one look-up', async t => {
  const { asked, find, answer } = scene()
  const all = Promise.all([find('a'), find('a'), find('a')])
  answer('a')
  t.same(await all, ['192.0.2.1', '192.0.2.1', '192.0.2.1'])
  t.same(asked, ['a'])
})

t.test('an answer is used for a while, then asked for again', async t => {
  const { asked, find, answer, clock } = scene()
  const first = find('a')
  answer('a')
  await first
  clock.ms = 999
  t.equal(await find('a'), '192.0.2.1')
  clock.ms = 1000
  const second = find('a')
  answer('a', '192.0.2.2')
  t.equal(await second, '192.0.2.2')
  t.same(asked, ['a', 'a'])
})

t.test('an answer that is at hand without asking is one', async t => {
  const lane = new NameLane((_name, _options, callback) => callback(null, '192.0.2.1', 4), limits)
  t.equal(await finder(lane.lookup)('a'), '192.0.2.1')
})

t.test(
  'an answer whose addresses take no connection is soon asked for again, and stands in until then',
  async t => {
    const { clock, lane, asked, find, answer } = scene()
    const first = find('a')
    answer('a')
    await first
    lane.doubt('a')
    clock.ms = 99
    t.equal(await find('a'), '192.0.2.1')
    t.same(asked, ['a'], 'not for each connection that fails')
    clock.ms = 100
    t.equal(await find('a'), '192.0.2.1')
    t.same(asked, ['a', 'a'])
    answer('a', '192.0.2.2')
    clock.ms = 999
    t.equal(await find('a'), '192.0.2.2')
    t.same(asked, ['a', 'a'], 'and the new one counts as any other')
  }
)

t.test('an answer gets old though the clock of the machine is set back', async t => {
  const asked: string[] = []
  const lane = new NameLane(
    (hostname, _options, callback) => {
      asked.push(hostname)
      callback(null, '192.0.2.1', 4)
    },
    { ...limits, freshMs: 20 }
  )
  await finder(lane.lookup)('a')
  const real = Date.now
  const set = mock.method(Date, 'now', () => real() - HOUR)
  t.teardown(() => set.mock.restore())
  await new Promise(resolve => setTimeout(resolve, 40))
  await finder(lane.lookup)('a')
  t.same(asked, ['a', 'a'])
})

t.test('a failure is not remembered', async t => {
  const { asked, find, answer, fail } = scene()
  const first = find('a')
  fail('a')
  await t.rejects(first, { code: 'ENOTFOUND' })
  const second = find('a')
  answer('a')
  t.equal(await second, '192.0.2.1')
  t.equal(asked.length, 2)
})

t.test('a few look-ups run at once, some wait, and more are refused', async t => {
  const { asked, find, answer, fail } = scene()
  const names = ['a', 'b', 'c', 'd']
  const found = names.map(name => find(name))
  t.same(asked, ['a', 'b'])
  await t.rejects(find('e'), { code: 'EBUSY' })
  const known = find('a')
  answer('a')
  fail('b')
  t.same(asked, names)
  answer('c')
  answer('d')
  t.match(await Promise.allSettled([...found, known]), [
    { status: 'fulfilled' },
    { status: 'rejected' },
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    { status: 'fulfilled' }
  ])
})

t.test('what one dispatcher wants holds up no other one, be it the same name', async t => {
  const { asked, answer, slow } = scene()
  const names = new HostNames([], { servers: slow })
  const [one, other] = [finder(names.lookup('callers')), finder(names.lookup('callers'))]
  // Nobody answers these: they fail in time.
  for (let at = 0; at < 20; at++) one(`name-${at}`).catch(() => undefined)
  const most = asked.length
  t.ok(most < 20)
  const found = [other('x'), other('name-19')]
  t.same(asked.slice(most), ['x', 'name-19'])
  answer('x')
  answer('name-19')
  t.same(await Promise.all(found), ['192.0.2.1', '192.0.2.1'])
})

/** Name servers that answer at once. */
function servers() {
  const asked: string[] = []
  const names = new HostNames([], {
    servers: (hostname, _options, callback) => {
      asked.push(hostname)
      process.nextTick(callback, null, '192.0.2.1', 4)
    }
  })
  return { asked, names }
}

t.test('a name stays known, however many others are asked for by other dispatchers', async t => {
  const { asked, names } = servers()
  const find = finder(names.lookup('callers'))
  await find('forge.example')
  for (let at = 0; at < 1_100; at++) await names.find(`name-${at}.example`)
  const before = asked.length
  await find('forge.example')
  t.equal(asked.length, before)
})

t.test('what one dispatcher has asked is not told to another by an answer at hand', async t => {
  const { asked, names } = servers()
  for (let at = 0; at < 2; at++) await finder(names.lookup('callers'))('forge.example')
  t.equal(asked.length, 2)
})

t.test('nor whether somebody has had a client document fetched', async t => {
  const { asked, names } = servers()
  const find = finder(names.lookup('documents'))
  for (let at = 0; at < 2; at++) await find('client.example')
  t.equal(asked.length, 2)
})

t.test('a known name needs no look-up while others block them all', async t => {
  const { find, answer } = scene()
  const first = find('known')
  answer('known')
  await first
  for (const name of ['x', 'y', 'z']) void find(name)
  t.equal(await find('known'), '192.0.2.1')
})

t.test('a look-up that nobody waits for any more is not begun', async t => {
  const { asked, find, answer } = scene({ waitMs: 20 })
  const found = await Promise.allSettled(['a', 'b', 'c'].map(name => find(name)))
  t.match(
    found,
    ['ETIMEDOUT', 'ETIMEDOUT', 'EBUSY'].map(code => ({ reason: { code } }))
  )
  answer('a')
  t.same(asked, ['a', 'b'], 'c is dropped')
})

t.test(
  'a look-up that never had its turn says that there were too many, not that nobody answered',
  async t => {
    const { find } = scene({ waitMs: 20 })
    const [hanging, , waiting] = ['a', 'b', 'c'].map(name => find(name).catch(({ code }) => code))
    t.same([await hanging, await waiting], ['ETIMEDOUT', 'EBUSY'])
  }
)

t.test('a look-up that hangs frees its slot, and its answer counts when it comes', async t => {
  const { asked, find, answer } = scene({ atOnce: 1, hangMs: 20 })
  const [hanging, next] = [find('a'), find('b')]
  await t.rejects(hanging, { code: 'ETIMEDOUT' })
  t.same(asked, ['a', 'b'])
  answer('b')
  t.equal(await next, '192.0.2.1')
  answer('a', '192.0.2.2')
  t.equal(await find('a'), '192.0.2.2')
})

t.test('where stale answers are good', async t => {
  const setup = async () => {
    const all = scene({ staleMs: 10_000 })
    const first = all.find('a')
    all.answer('a')
    await first
    all.clock.ms = 5_000
    return all
  }
  t.test('a newer one is used when it comes soon', async t => {
    const { find, answer } = await setup()
    const found = find('a')
    answer('a', '192.0.2.2')
    t.equal(await found, '192.0.2.2')
  })
  t.test('the old one is used when it does not, at once after that, until it comes', async t => {
    const { asked, clock, find, answer } = await setup()
    t.equal(await find('a'), '192.0.2.1')
    clock.ms += 20
    t.equal(await find('a'), '192.0.2.1')
    t.equal(asked.length, 2)
    answer('a', '192.0.2.2')
    t.equal(await find('a'), '192.0.2.2')
  })
  t.test('the old one is used when there is none, which is told', async t => {
    const { find, fail, stale } = await setup()
    t.same(stale, [])
    const found = find('a')
    fail('a')
    t.equal(await found, '192.0.2.1')
    t.same(stale, ['a ENOTFOUND'])
  })
  t.test('but not for ever', async t => {
    const { clock, find, fail, stale } = await setup()
    clock.ms = 11_000
    const found = find('a')
    fail('a')
    await t.rejects(found, { code: 'ENOTFOUND' })
    t.same(stale, [], 'the call itself fails')
  })
})

t.test('a bounded number of names is remembered, each way of asking by itself', async t => {
  const { asked, find, answer } = scene()
  for (const name of ['a', 'b', 'c', 'd', 'a']) {
    const found = find(name)
    answer(name)
    await found
  }
  t.same(asked, ['a', 'b', 'c', 'd', 'a'], 'the oldest was forgotten')
  void find('d', { all: true })
  t.equal(asked.length, 6)
})

t.test('the operator’s names are the system’s to find, all others are not', async t => {
  const asked = (by: string) => {
    const answer: LookupFunction = (hostname, _options, callback) =>
      process.nextTick(callback, null, `${by} ${hostname}`, 4)
    return answer
  }
  const names = new HostNames(['forge.example'], { system: asked('system'), servers: asked('servers') })
  for (const kind of ['callers', 'documents'] as const) {
    t.equal(await finder(names.lookup(kind))('forge.example'), 'system forge.example')
    t.equal(await finder(names.lookup(kind))('other.example'), 'servers other.example')
  }
})

t.test('connections are made with it, to a name that this machine knows', async t => {
  const origin = await listen(t, (_request, response) => response.end('here'))
  for (const own of [['localhost'], []]) {
    const dispatcher = createDispatcher({ lookup: new HostNames(own).lookup('callers') })
    t.teardown(() => dispatcher.destroy())
    const named = origin.replace('127.0.0.1', 'localhost')
    const limits = { maxBytes: 100, deadlineMs: 60_000 }
    const get = async () =>
      (await exchange(dispatcher, { origin: named, path: '/', method: 'GET' }, limits)).body
    t.same(await Promise.all([get(), get(), get()]), ['here', 'here', 'here'])
    t.equal(await get(), 'here')
  }
})
