import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { timed } from '../../../src/load/thread-ms.ts'
import { type PieceHolder, PieceTurns } from '../../../src/upstream/reading/piece-turns.ts'
import { cpuMsOf } from '../../support/event-loop.ts'

/** An address that reads from one forge of its own. */
const alone = (from: string): PieceHolder => ({ pool: 'foreign', from, holder: from, share: from })

/** Streams without end whose pieces take so long, on a clock that only they and rests move. */
function setup() {
  let now = 0
  let isOver = false
  let timers: { at: number; next: () => void }[] = []
  const turns = new PieceTurns(
    () => now,
    (ms, next) => void timers.push({ at: now + ms, next })
  )
  const took: Record<string, number> = {}
  const pieces: Record<string, number> = {}
  const stream = async (holder: string, ms: number, whose: Partial<PieceHolder> = {}) => {
    const of = { ...alone(holder), holder, ...whose }
    while (!isOver) {
      await turns.next(of)
      now += ms
      took[holder] = (took[holder] ?? 0) + ms
      pieces[holder] = (pieces[holder] ?? 0) + 1
      turns.took(of, ms)
    }
  }
  const until = async (end: number) => {
    while (now < end) {
      const before = now
      await setImmediate()
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { next } of due) next()
      // Nobody has anything to do.
      if (now === before && due.length === 0) now = Math.min(...timers.map(({ at }) => at))
    }
    isOver = true
  }
  return { stream, until, took, pieces }
}

t.test('dear pieces of one holder take half of the time, however many its streams are', async t => {
  const { stream, until, took } = setup()
  for (let at = 0; at < 20; at++) void stream('a', 8)
  await until(1600)
  t.ok(took.a! >= 792 && took.a! <= 816, `${took.a}`)
})

t.test('those of several holders do so together, one after another', async t => {
  const { stream, until, pieces, took } = setup()
  for (const holder of ['a', 'b', 'c']) for (let at = 0; at < 5; at++) void stream(holder, 8)
  await until(4800)
  const all = took.a! + took.b! + took.c!
  t.ok(all >= 2376 && all <= 2448, `${all}`)
  t.ok(Math.max(...Object.values(pieces)) - Math.min(...Object.values(pieces)) <= 1, JSON.stringify(pieces))
})

t.test(
  'an address that reads from many forges has no more of the time than one that reads from one',
  async t => {
    const { stream, until, took } = setup()
    for (let at = 0; at < 30; at++) void stream(`a at ${at}`, 8, { from: 'a' })
    void stream('b', 8)
    await until(4800)
    t.ok(took.b! >= 1100, `${took.b}`)
  }
)

t.test(
  'at the operator’s forge dear pieces of an address rest together, and its callers have theirs in turns',
  async t => {
    const { stream, until, took, pieces } = setup()
    const at = { pool: 'own', from: 'a', share: 'a' } as const
    for (let many = 0; many < 30; many++) void stream('greedy', 8, at)
    void stream('other', 8, at)
    await until(3200)
    t.ok(Math.abs(pieces.greedy! - pieces.other!) <= 1, JSON.stringify(pieces))
    const all = took.greedy! + took.other!
    t.ok(all >= 1584 && all <= 1632, `${all}`)
  }
)

t.test('cheap pieces of many forges leave every second turn to another address', async t => {
  const { stream, until, pieces } = setup()
  for (let at = 0; at < 30; at++) void stream(`a at ${at}`, 0.5, { from: 'a' })
  void stream('b', 0.5)
  await until(300)
  t.ok(pieces.b! >= 250, `${pieces.b}`)
  t.ok(pieces['a at 29']! >= 9, `each forge of an address has its turn: ${pieces['a at 29']}`)
})

t.test('callers’ forges of many addresses leave half of that time to the operator’s', async t => {
  const { stream, until, took } = setup()
  for (let at = 0; at < 30; at++) void stream(`${at}`, 8)
  void stream('own', 8, { pool: 'own' })
  await until(4800)
  const all = Object.values(took).reduce((sum, ms) => sum + ms)
  t.ok(took.own! >= 1100, `${took.own}`)
  // The first piece of each is charged before it is known how many there are.
  t.ok(all <= 2400 + 31 * 8, `${all} in all`)
})

t.test('small parts of many pieces in one turn of the event loop are paid for together', async t => {
  const turns = new PieceTurns(
    () => 0,
    () => {}
  )
  for (let at = 0; at < 3; at++) {
    turns.took(alone('apart'), 0.6)
    await setImmediate()
  }
  t.notOk(turns.isResting(alone('apart')))
  for (let at = 0; at < 3; at++) turns.took(alone('at once'), 0.4)
  t.ok(turns.isResting(alone('at once')))
})

t.test('cheap ones rest for none, and go on while dear ones rest', async t => {
  const { stream, until, took } = setup()
  void stream('dear', 8)
  void stream('cheap', 0.5)
  await until(1600)
  t.ok(took.dear! <= 816, `${took.dear}`)
  t.ok(took.cheap! >= 1600 - 816 - 16, `${took.cheap}`)
})

t.test(
  'what goes on at once is timed, with what is done for its promises, and not what comes later',
  async t => {
    const busy = (ms: number) =>
      cpuMsOf(() => {
        const end = performance.now() + ms
        while (performance.now() < end);
      })
    const told: number[] = []
    await setImmediate()
    timed(ms => told.push(ms))
    let own = await busy(20)
    await null
    own += await busy(20)
    await setImmediate()
    await busy(200)
    t.equal(told.length, 1)
    t.ok(told[0]! >= own && told[0]! < own + 100, `${told} of ${own}`)
    const isOver = timed(ms => told.push(ms))
    isOver()
    isOver()
    await setImmediate()
    t.equal(told.length, 2)
  }
)
