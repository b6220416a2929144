import type { LookupFunction } from 'node:net'
import t from 'tap'
import { exchange } from '../../../src/upstream/answers/exchange.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { sharedLookup } from '../../../src/upstream/connections/lookup.ts'
import { listen } from '../../support/listen.ts'

const limits = { atOnce: 2, queue: 2, freshMs: 1000, names: 3 }

/** A resolver that answers when it is told to. */
function scene() {
  const clock = { ms: 0 }
  const asked: string[] = []
  const open = new Map<string, (error: NodeJS.ErrnoException | null, address: string) => void>()
  const slow: LookupFunction = (hostname, _options, callback) => {
    asked.push(hostname)
    open.set(hostname, (error, address) => callback(error, address, 4))
  }
  const lookup = sharedLookup(() => clock.ms, slow, limits)
  const find = (hostname: string, options = {}) =>
    new Promise<unknown>((resolve, reject) =>
      lookup(hostname, options, (error, found) => (error === null ? resolve(found) : reject(error)))
    )
  const answer = (hostname: string, address = '192.0.2.1') => open.get(hostname)!(null, address)
  const fail = (hostname: string) =>
    open.get(hostname)!(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), '')
  return { clock, asked, find, answer, fail }
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

t.test('a known name needs no look-up while others block them all', async t => {
  const { find, answer } = scene()
  const first = find('known')
  answer('known')
  await first
  for (const name of ['x', 'y', 'z']) void find(name)
  t.equal(await find('known'), '192.0.2.1')
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

t.test('connections are made with it, to a name that this machine knows', async t => {
  const origin = await listen(t, (_request, response) => response.end('here'))
  const dispatcher = createDispatcher({ lookup: sharedLookup(Date.now) })
  t.teardown(() => dispatcher.destroy())
  const named = origin.replace('127.0.0.1', 'localhost')
  const limits = { maxBytes: 100, deadlineMs: 5000 }
  const get = async () =>
    (await exchange(dispatcher, { origin: named, path: '/', method: 'GET' }, limits)).body
  t.same(await Promise.all([get(), get(), get()]), ['here', 'here', 'here'])
  t.equal(await get(), 'here')
})
