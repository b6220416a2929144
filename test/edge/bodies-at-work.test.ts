import t from 'tap'
import { BodiesAtWork, KeptBody } from '../../src/edge/bodies-at-work.ts'

const limits = { credential: 300, address: 500, all: 1000 }
const by = (address: string, credential?: string) => ({ address, credential })

t.test('a credential and an address are refused what is more than theirs, until they give back', async t => {
  const work = new BodiesAtWork(limits)
  const give = work.take(by('a', 'one'), 300)!
  t.equal(work.take(by('b', 'one'), 1), undefined, 'wherever it comes from')
  t.ok(work.take(by('a', 'two'), 200))
  t.equal(work.take(by('a', 'three'), 1), undefined, 'whoever sends it')
  give()
  give()
  t.equal(work.size, 200)
  t.ok(work.take(by('b', 'one'), 300))
})

t.test('where all is taken a newcomer still has a part, and who holds much has none', async t => {
  const work = new BodiesAtWork(limits)
  for (const [address, credential] of ['ak', 'al', 'bm', 'bn'] as const)
    work.take(by(address!, credential!), 250)
  t.equal(work.take(by('a', 'o'), 1), undefined)
  t.ok(work.take(by('c', 'p'), 300), 'a third of all')
  t.equal(work.take(by('d', 'q'), 300), undefined)
  t.ok(work.take(by('d', 'q'), 250), 'a quarter of all')
})

t.test('a body is given back when its work is done and its answer is given, whichever is last', async t => {
  let given = 0
  const body = () => new KeptBody(4, () => given++)
  body().answered()
  t.equal(given, 1, 'refused before any work')
  const first = body()
  const done = first.work()
  first.answered()
  t.equal(given, 1, 'its caller has gone, and the work goes on')
  done()
  t.equal(given, 2)
  const second = body()
  second.work()()
  t.equal(given, 2)
  second.answered()
  t.equal(given, 3)
})

t.test('what a body turns out to hold is given back with it, at once where it is over by then', async t => {
  let given = 0
  const give = () => given++
  const body = new KeptBody(4, give)
  body.grow(6, give)
  t.equal(body.bytes, 10)
  body.answered()
  t.equal(given, 2)
  const over = new KeptBody(4, () => {})
  over.answered()
  over.grow(6, give)
  t.equal(given, 3)
})
