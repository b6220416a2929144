import t from 'tap'
import { Vouched, vouchLimits } from '../../src/fairness/vouched.ts'

const { callers, forMs } = vouchLimits

t.test(
  'a caller is known from its success on, for half of the time at least and all of it at most',
  async t => {
    let now = 0
    const vouched = new Vouched(() => now)
    t.equal(vouched.has('a'), false)
    now = forMs / 2 - 1
    vouched.add('a')
    now = forMs - 1
    t.equal(vouched.has('a'), true)
    now = 2 * forMs
    t.equal(vouched.has('a'), false)
  }
)

t.test('and for as long as it goes on to succeed', async t => {
  let now = 0
  const vouched = new Vouched(() => now)
  for (; now < 10 * forMs; now += forMs / 3) {
    vouched.add('a')
    t.equal(vouched.has('a'), true)
  }
  now += 2 * forMs
  t.equal(vouched.has('a'), false)
})

t.test('of very many callers those of late are known', async t => {
  const vouched = new Vouched(() => 0)
  for (let at = 0; at < 5 * callers; at++) {
    vouched.add(`c${at}`)
    vouched.add('always')
  }
  const known = Array.from({ length: 5 * callers }, (_, at) => vouched.has(`c${at}`)).filter(Boolean).length
  t.ok(known >= callers / 2 - 1 && known <= callers, `${known} are known`)
  t.equal(vouched.has(`c${5 * callers - 1}`), true)
  t.equal(vouched.has('always'), true)
})
