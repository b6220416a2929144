import t from 'tap'
import { pollUntil } from '../../src/engine/poll.ts'
import { collect } from '../support/collect.ts'

t.test(
  'what was seen is not kept while the next look is waited for: it may be an answer of megabytes',
  async t => {
    let now = 0
    let last: WeakRef<object> | undefined
    const kept: boolean[] = []
    const look = async () => {
      const seen = { at: now }
      last = new WeakRef(seen)
      return seen
    }
    const pause = async (ms: number) => {
      now += ms
      // What was made in the same turn is held until it ends.
      await new Promise(setImmediate)
      collect()
      kept.push(last?.deref() !== undefined)
    }
    t.same(await pollUntil(look, ({ at }) => at >= 7_000, 60_000, { pause, now: () => now }), { at: 7_000 })
    t.same(kept, [false, false, false])
  }
)

t.test('the last look is at the end of the time', async t => {
  let now = 0
  const looks: number[] = []
  const look = async () => looks.push(now)
  const pause = async (ms: number) => {
    now += ms
  }
  t.equal(await pollUntil(look, () => false, 5_000, { pause, now: () => now }), 4)
  t.same(looks, [0, 1_000, 3_000, 5_000])
})
