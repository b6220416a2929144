import { LRUCache } from 'lru-cache'
import t from 'tap'
import { atMost } from '../../src/collections/at-most.ts'

t.test('keeps as many entries as it says, and drops the longest unused', async t => {
  const kept = new LRUCache<string, number>(atMost(3))
  for (const [at, name] of ['a', 'b', 'c'].entries()) kept.set(name, at)
  kept.get('a')
  kept.set('d', 3)
  t.same([...kept.keys()], ['d', 'a', 'c'])
})

t.test('takes no room before there is something to keep', async t => {
  const before = process.memoryUsage().heapUsed
  const caches = Array.from({ length: 20 }, () => new LRUCache(atMost(1_000_000)))
  t.ok(process.memoryUsage().heapUsed - before < 10_000_000)
  t.equal(caches.length, 20)
})
