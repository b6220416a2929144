import t from 'tap'
import { pollUntil } from '../../src/engine/poll.ts'
import { ForgeStatusError } from '../../src/upstream/errors.ts'
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

t.test('a moment of trouble at the forge is passed over, unless nothing or no more was seen', async t => {
  const polled = async (answers: readonly number[]) => {
    let now = 0
    const left = [...answers]
    const look = async () => {
      const status = left.shift() ?? 200
      if (status !== 200) throw new ForgeStatusError(status, 'No.')
      return now
    }
    const pause = async (ms: number) => {
      now += ms
    }
    return pollUntil(look, seen => seen >= 3_000, 7_000, { pause, now: () => now })
  }
  t.equal(await polled([200, 502, 500, 200]), 7_000)
  for (const answers of [[502], [200, 404], [200, 503, 503, 503]])
    await t.rejects(polled(answers), ForgeStatusError, answers.join())
})
