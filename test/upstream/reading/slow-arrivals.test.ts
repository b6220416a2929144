import t from 'tap'
import { type Arriving, SlowArrivals } from '../../../src/upstream/reading/slow-arrivals.ts'

const MIB = 1024 * 1024

/** An answer of which so much arrives in each millisecond, to whom things happen as it says. */
class Answer implements Arriving {
  bytes: number
  isAwaited = true
  /** Whether it has a turn; undefined once it is given up. */
  hasTurn: boolean | undefined = true
  readonly pace: number
  readonly from: string
  readonly #slow: SlowArrivals

  constructor(slow: SlowArrivals, pace: number, bytes = 300_000, from = 'somebody') {
    this.#slow = slow
    this.from = from
    this.pace = pace
    this.bytes = bytes
    slow.hold(this)
  }

  loseTurn(): void {
    this.hasTurn = false
  }

  giveUp(): void {
    this.hasTurn = undefined
    this.#slow.end(this)
  }
}

/** Answers on a clock that only `pass` moves. */
function setup() {
  let now = 0
  let timers: { at: number; next: () => void }[] = []
  const limits: number[] = []
  const waiting: Promise<void>[] = []
  const slow = new SlowArrivals(
    {
      enter: () => waiting.at(-1),
      leave: () => {},
      lend: () => {},
      resize: limit => void limits.push(limit)
    },
    4,
    () => now,
    (ms, next) => void timers.push({ at: now + ms, next })
  )
  const answers: Answer[] = []
  const collect = (pace: number, bytes?: number, from?: string) => {
    const answer = new Answer(slow, pace, bytes, from)
    answers.push(answer)
    return answer
  }
  /** Somebody waits for a turn. @returns what admits them */
  const wait = (from = 'somebody') => {
    let admit = () => {}
    const promise = new Promise<void>(resolve => {
      admit = resolve
    })
    waiting.push(promise)
    const turn = slow.turnsOf('a forge', from).enter('a caller')
    return async () => {
      admit()
      await turn
    }
  }
  const pass = (ms: number) => {
    for (const end = now + ms; now < end; now++) {
      for (const answer of answers) if (answer.isAwaited) answer.bytes += answer.pace
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { next } of due) next()
    }
  }
  return { slow, collect, wait, pass, limits, timers: () => timers.length }
}

t.test('an answer that arrives slowly loses its turn once somebody waits, and not before', async t => {
  const { collect, wait, pass } = setup()
  const drips = collect(1)
  pass(5_000)
  t.equal(drips.hasTurn, true)
  wait()
  pass(200)
  t.equal(drips.hasTurn, false)
})

t.test('one that arrives at its pace keeps its turn', async t => {
  const { collect, wait, pass } = setup()
  const answer = collect(4_000)
  wait()
  pass(1_000)
  t.equal(answer.hasTurn, true)
})

t.test('of the beginning of one no pace is asked', async t => {
  const { collect, wait, pass } = setup()
  wait()
  pass(20)
  const drips = collect(1)
  pass(40)
  t.equal(drips.hasTurn, true)
  pass(200)
  t.equal(drips.hasTurn, false)
})

t.test('no more lose their turns than wait', async t => {
  const { collect, wait, pass } = setup()
  const drips = [1, 2, 3].map(() => collect(1))
  const admit = wait()
  pass(101)
  await admit()
  pass(1_000)
  t.same(
    drips.map(({ hasTurn }) => hasTurn),
    [false, true, true]
  )
})

t.test('one that has another turn may lose that as well', async t => {
  const { slow, collect, wait, pass } = setup()
  const drips = collect(1)
  wait()
  pass(200)
  drips.hasTurn = true
  slow.hold(drips)
  pass(200)
  t.equal(drips.hasTurn, false)
})

t.test('the more is held without turns, the fewer there are, and two are left', async t => {
  const { collect, wait, pass, limits } = setup()
  const drips = [1, 2, 3, 4].map(() => collect(1, 7 * MIB))
  for (const _ of drips) {
    wait()
    pass(200)
  }
  t.same(limits, [3, 2, 2])
  for (const answer of drips) answer.giveUp()
  t.same(limits.slice(3), [2, 3, 4])
})

t.test('one keeps its turn where those that have lost theirs hold too much', async t => {
  const { collect, wait, pass } = setup()
  const drips = Array.from({ length: 6 }, () => collect(600, 7 * MIB))
  for (const _ of drips) wait()
  pass(5_000)
  t.same(
    drips.map(({ hasTurn }) => hasTurn),
    [false, false, false, true, true, true]
  )
})

t.test('where they do, one is given up that has hardly moved for five seconds', async t => {
  const { collect, wait, pass } = setup()
  const drips = Array.from({ length: 4 }, () => collect(1, 7 * MIB))
  for (const _ of drips) wait()
  pass(4_900)
  t.same(
    drips.map(({ hasTurn }) => hasTurn),
    [false, false, false, true]
  )
  pass(200)
  t.same(
    drips.map(({ hasTurn }) => hasTurn),
    [undefined, false, false, false]
  )
})

t.test(
  'where they do, the address that has most of several gives one up at once for one that has none',
  async t => {
    const { collect, wait, pass } = setup()
    const drips = ['a', 'a', 'b', 'b', 'c'].map((from, at) => collect(1, (at < 4 ? 5 : 8) * MIB + at, from))
    for (const from of ['a', 'b', 'c', 'a', 'b']) wait(from)
    pass(300)
    t.same(
      drips.map(({ hasTurn }) => hasTurn),
      [false, false, false, false, true],
      'those who wait have some themselves'
    )
    wait('another')
    pass(200)
    t.same(
      drips.map(({ hasTurn }) => hasTurn),
      [false, false, undefined, false, false]
    )
  }
)

t.test('addresses of one network count together there', async t => {
  const { collect, wait, pass } = setup()
  const drips = [1, 2, 3, 4].map(at => collect(1, 7 * MIB, `2001:db8:1:${at}`))
  for (const _ of drips) wait('2001:db8:1:9')
  pass(300)
  t.equal(drips.filter(({ hasTurn }) => hasTurn === undefined).length, 0)
  wait('192.0.2.1')
  pass(200)
  t.equal(drips.filter(({ hasTurn }) => hasTurn === undefined).length, 1)
})

t.test('who has one such answer keeps it', async t => {
  const { collect, wait, pass } = setup()
  const drips = ['a', 'b', 'c', 'd'].map(from => collect(1, 7 * MIB, from))
  for (const _ of drips) wait('another')
  pass(1_000)
  t.equal(drips.filter(({ hasTurn }) => hasTurn === undefined).length, 0)
})

t.test('one that waits for its turn is not slow', async t => {
  const { collect, wait, pass } = setup()
  const drips = Array.from({ length: 6 }, () => collect(1, 7 * MIB))
  for (const _ of drips) wait()
  pass(200)
  for (const answer of drips) answer.isAwaited = false
  pass(10_000)
  t.equal(drips.filter(({ hasTurn }) => hasTurn === undefined).length, 0)
})

t.test('nothing is looked for when nobody waits any more', async t => {
  const { collect, wait, pass, timers } = setup()
  collect(4_000)
  const admit = wait()
  pass(200)
  t.equal(timers(), 1)
  await admit()
  pass(200)
  t.equal(timers(), 0)
})
