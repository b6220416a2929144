import t from 'tap'
import { Breaker, breakerLimits } from '../../../src/upstream/guard/breaker.ts'

function breakerAt() {
  const clock = { ms: 1_000_000 }
  const changes: boolean[] = []
  const breaker = new Breaker(
    () => clock.ms,
    open => changes.push(open)
  )
  const fail = (times: number, caller = 'a') => {
    for (let time = 0; time < times; time++) breaker.record(caller, false)
  }
  return { breaker, clock, changes, fail }
}

t.test('few failures, or few among many answers, leave it closed', async t => {
  const { breaker, fail } = breakerAt()
  fail(breakerLimits.volume - 1)
  t.equal(breaker.refuses('a'), 0)
  const mixed = breakerAt()
  for (let calls = 0; calls < 30; calls++) mixed.breaker.record('a', true)
  mixed.fail(20)
  t.same(mixed.changes, [])
})

t.test('failures of an earlier window do not count', async t => {
  const { clock, changes, fail } = breakerAt()
  fail(breakerLimits.volume - 1)
  clock.ms += breakerLimits.windowMs + 1
  fail(1)
  t.same(changes, [])
})

t.test('enough failures open it: who failed is refused, and told for how long', async t => {
  const { breaker, clock, changes, fail } = breakerAt()
  fail(breakerLimits.volume)
  t.equal(breaker.refuses('a'), breakerLimits.firstOpenMs)
  clock.ms += 500
  t.equal(breaker.refuses('a'), breakerLimits.firstOpenMs - 500)
  t.same(changes, [true])
})

t.test('half-open it lets one probe through; its answer closes it', async t => {
  const { breaker, clock, changes, fail } = breakerAt()
  fail(breakerLimits.volume)
  clock.ms += breakerLimits.firstOpenMs
  t.equal(breaker.refuses('a'), 0)
  t.ok(breaker.refuses('a') > 0, 'only one')
  breaker.record('a', true)
  t.equal(breaker.refuses('a'), 0)
  t.same(changes, [true, false])
})

t.test('a probe that fails keeps it open for twice as long, up to a limit', async t => {
  const { breaker, clock, changes, fail } = breakerAt()
  fail(breakerLimits.volume)
  const waits: number[] = []
  for (let probes = 0; probes < 6; probes++) {
    clock.ms += breaker.refuses('a')
    t.equal(breaker.refuses('a'), 0)
    breaker.record('a', false)
    waits.push(breaker.refuses('a'))
  }
  t.same(waits, [4000, 8000, 16_000, 30_000, 30_000, 30_000])
  t.same(changes, [true])
})

t.test('a probe without a verdict does not keep it open for ever', async t => {
  const { breaker, clock, fail } = breakerAt()
  fail(breakerLimits.volume)
  clock.ms += breakerLimits.firstOpenMs
  breaker.refuses('a')
  clock.ms += breakerLimits.firstOpenMs
  t.equal(breaker.refuses('a'), 0)
})

t.test('late failures of calls from before do not make it longer', async t => {
  const { breaker, clock, fail } = breakerAt()
  fail(breakerLimits.volume)
  clock.ms += 1500
  fail(10)
  t.equal(breaker.refuses('a'), 500)
})

t.test('no caller can make a forge unreachable for others: each gets its own try', async t => {
  const { breaker, fail } = breakerAt()
  fail(breakerLimits.volume)
  t.equal(breaker.refuses('b'), 0)
  breaker.record('b', false)
  t.ok(breaker.refuses('b') > 0, 'but only one')
  t.equal(breaker.refuses('c'), 0)
  breaker.record('c', true)
  t.equal(breaker.refuses('a'), 0, 'an answer to anybody closes it')
})

t.test('it remembers a bounded number of callers, and takes all others for failing then', async t => {
  const { breaker, fail } = breakerAt()
  for (let caller = 0; caller < breakerLimits.callers + 10; caller++) fail(1, `caller ${caller}`)
  t.ok(breaker.refuses('never seen') > 0)
})
