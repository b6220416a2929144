import t from 'tap'
import { OverloadWatch } from '../../src/load/overload.ts'

t.test('an overload is long after ten seconds without a break', async t => {
  const watch = new OverloadWatch()
  t.equal(watch.isNow, false)
  watch.sample(true, 0)
  t.equal(watch.isNow, true)
  t.equal(watch.isLong(9_999), false)
  t.equal(watch.isLong(10_000), true)
  watch.sample(true, 10_500)
  t.equal(watch.isLong(10_500), true)
  watch.sample(false, 11_000)
  watch.sample(true, 12_000)
  t.equal(watch.isLong(12_500), false)
})
