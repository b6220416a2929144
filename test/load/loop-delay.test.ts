import t from 'tap'
import { LoopDelay } from '../../src/load/loop-delay.ts'

t.test('the delay of the event loop', async t => {
  let now = 0
  const histogram = {
    count: 0,
    mean: Number.NaN,
    reset: () => Object.assign(histogram, { count: 0, mean: Number.NaN })
  }
  const delay = new LoopDelay(histogram, () => now)

  t.test('is the mean of what turns took beyond their time', async t => {
    now += 1000
    Object.assign(histogram, { count: 50, mean: 20e6 })
    t.equal(delay.read(), 10)
    t.equal(histogram.count, 0)
  })
  t.test('is none where turns come early', async t => {
    Object.assign(histogram, { count: 100, mean: 9.9e6 })
    t.equal(delay.read(), 0)
  })
  t.test('is all of the time where no turn was counted', async t => {
    now += 1500
    t.equal(delay.read(), 1490)
  })
})
