import t from 'tap'
import { SharedCache } from '../../src/collections/shared-cache.ts'

t.test('keeps a thing for its time, or for another one', async t => {
  let now = 1_800_000_000_000
  const cache = new SharedCache<number>(10, 1000, () => now)
  cache.set('a', 1, 'one')
  cache.set('b', 2, 'one', 5000)
  now += 1001
  t.same(
    ['a', 'b', 'c'].map(name => cache.get(name)),
    [undefined, 2, undefined]
  )
  cache.delete('b')
  t.equal(cache.get('b'), undefined)
})

t.test('who keeps most loses its longest unused', async t => {
  const cache = new SharedCache<number>(4, 1000)
  cache.set('of another', 0, 'other')
  for (const name of ['a', 'b', 'c']) cache.set(name, 1, 'one')
  cache.get('a')
  cache.set('d', 1, 'one')
  t.same(
    ['of another', 'a', 'b', 'c', 'd'].map(name => cache.get(name) !== undefined),
    [true, true, false, true, true]
  )
})

t.test('what is replaced, or found to be over, holds no room', async t => {
  let now = 1_800_000_000_000
  const cache = new SharedCache<number>(3, 1000, () => now)
  cache.set('of another', 0, 'other', 1_000_000)
  for (let at = 0; at < 10; at++) cache.set('a', at, 'one')
  cache.set('b', 1, 'two')
  t.same(
    ['of another', 'a', 'b'].map(name => cache.get(name)),
    [0, 9, 1]
  )
  now += 1001
  t.same(
    ['a', 'b'].map(name => cache.get(name)),
    [undefined, undefined]
  )
  for (const name of ['c', 'd']) cache.set(name, 1, 'one')
  t.same(
    ['of another', 'c', 'd'].map(name => cache.get(name)),
    [0, 1, 1]
  )
})
