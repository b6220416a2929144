import t from 'tap'
import { Work } from '../../src/fairness/work.ts'

t.test(
  'what a request holds is given back when its work is done and its answer is given, whichever is last',
  async t => {
    let given = 0
    const held = () => {
      const work = new Work()
      work.hold(() => given++)
      return work
    }
    held().answered()
    t.equal(given, 1, 'refused before any work')
    const first = held()
    const done = first.begin()
    first.answered()
    t.equal(given, 1, 'its caller has gone, and the work goes on')
    done()
    t.equal(given, 2)
    const second = held()
    second.begin()()
    t.equal(given, 2)
    second.answered()
    t.equal(given, 3)
  }
)

t.test('what a body turns out to hold is given back with it, at once where it is over by then', async t => {
  let given = 0
  const give = () => given++
  const work = new Work()
  t.equal(work.bodyBytes, 0)
  work.holdBody(4, give)
  work.holdBody(6, give)
  t.equal(work.bodyBytes, 10)
  work.answered()
  t.equal(given, 2)
  const over = new Work()
  over.answered()
  over.holdBody(6, give)
  t.equal(given, 3)
})
