import t from 'tap'
import { UsedTimes } from '../../src/fairness/used-times.ts'

t.test('nobody is further below those being served than the credit, however long they used nothing', t => {
  const times = new UsedTimes(10)
  times.pay('busy', 100)
  t.equal(times.of('busy'), 100)
  t.equal(times.of('idle'), 0)
  times.serve('busy')
  t.equal(times.level, 100)
  t.equal(times.of('idle'), 90)
  times.pay('idle', 3)
  t.equal(times.of('idle'), 93)
  times.serve('idle')
  t.equal(times.level, 100, 'and the level never falls')
  t.end()
})
