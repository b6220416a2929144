import t from 'tap'
import { ClientPool, type EvictionReason, PoolCapacityError } from '../../../src/upstream/pool/pool.ts'

class FakeClient {
  readonly url: string
  state: 'open' | 'closed' | 'destroyed' = 'open'
  isProven = false
  /** A URL here is `holder/path`. */
  get holder(): string {
    return this.url.split('/')[0]!
  }
  constructor(url: string) {
    this.url = url
  }
  async close() {
    this.state = 'closed'
  }
  async destroy() {
    this.state = 'destroyed'
  }
}

function poolOf(maxSize: number) {
  const clock = { ms: 0 }
  const made: FakeClient[] = []
  const evicted: EvictionReason[] = []
  const pool = new ClientPool<FakeClient>({
    maxSize,
    idleMs: 1000,
    now: () => clock.ms,
    onEvicted: reason => evicted.push(reason)
  })
  const acquire = (url: string) =>
    pool.acquire(url, () => {
      const client = new FakeClient(url)
      made.push(client)
      return client
    })
  const use = (url: string) => acquire(url).release()
  const open = () => made.filter(({ state }) => state === 'open').map(({ url }) => url)
  return { pool, clock, made, evicted, acquire, use, open }
}

t.test('one client a URL, used again', async t => {
  const { pool, made, acquire } = poolOf(5)
  const first = acquire('a')
  const second = acquire('a')
  t.equal(first.client, second.client)
  acquire('b')
  t.equal(made.length, 2)
  t.equal(pool.size, 2)
})

t.test('a new URL in a full pool evicts the least recently used idle client', async t => {
  const { pool, made, evicted, use } = poolOf(3)
  for (const url of ['a', 'b', 'c', 'a']) use(url)
  use('d')
  t.same(
    made.map(({ url, state }) => `${url} ${state}`),
    ['a open', 'b closed', 'c open', 'd open']
  )
  t.same(evicted, ['lru'])
  t.equal(pool.size, 3)
})

t.test('one that has served somebody goes after all that have not, be they used later', async t => {
  const { acquire, use, open } = poolOf(3)
  const proven = acquire('at-work')
  proven.client.isProven = true
  proven.release()
  for (let at = 0; at < 10; at++) use(`made-up-${at}`)
  t.same(open(), ['at-work', 'made-up-8', 'made-up-9'])
})

t.test('of several the longest unused of the biggest holder goes', async t => {
  const { acquire, use, open } = poolOf(4)
  for (const url of ['small', 'big/1', 'big/2', 'big/3']) {
    const { client, release } = acquire(url)
    client.isProven = true
    release()
  }
  use('new')
  t.same(open(), ['small', 'big/2', 'big/3', 'new'])
})

t.test('a client in use is never evicted, however long ago it was taken', async t => {
  const { pool, clock, made, acquire, use } = poolOf(2)
  const held = acquire('a')
  use('b')
  use('c')
  clock.ms += 10_000
  pool.sweep()
  t.same(
    made.map(({ url, state }) => `${url} ${state}`),
    ['a open', 'b closed', 'c closed']
  )
  held.release()
  clock.ms += 999
  pool.sweep()
  t.equal(pool.size, 1, 'idle time counts from its release')
  clock.ms += 1
  pool.sweep()
  t.equal(pool.size, 0)
})

t.test('when all are in use a new URL is refused, a known one served', async t => {
  const { acquire } = poolOf(2)
  const held = acquire('a')
  acquire('b')
  t.throws(() => acquire('c'), PoolCapacityError)
  t.throws(() => acquire('c'), { message: /^Server capacity reached/ })
  acquire('a').release()
  t.throws(() => acquire('c'), PoolCapacityError, 'still held by the first')
  held.release()
  held.release()
  t.ok(acquire('c'))
})

t.test('a thousand URLs leave as many clients as fit', async t => {
  const { pool, made, use } = poolOf(100)
  for (let at = 0; at < 1000; at++) use(`url ${at}`)
  t.equal(pool.size, 100)
  t.equal(made.filter(({ state }) => state === 'closed').length, 900)
})

t.test('closing ends every client', async t => {
  const { pool, made, acquire, use } = poolOf(5)
  use('a')
  acquire('b')
  await pool.close()
  t.same(
    made.map(({ state }) => state),
    ['destroyed', 'destroyed']
  )
  t.equal(pool.size, 0)
})
