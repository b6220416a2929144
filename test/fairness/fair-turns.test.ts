import t from 'tap'
import { Cancellation } from '../../src/base/cancellation.ts'
import { FairTurns } from '../../src/fairness/fair-turns.ts'
import { SharedWait } from '../../src/fairness/shared-wait.ts'

/** A clock by which no turn is long. */
const short = () => 0

function turns(each: number, all?: number) {
  const soon: (() => void)[] = []
  const done: string[] = []
  const fair = new FairTurns({ each, ...(all !== undefined && { all }) }, next => soon.push(next), short)
  return {
    done,
    fair,
    run: (holder: string, what = holder) => fair.run(holder, () => done.push(what)),
    /** Ends the turn. @returns false when nothing waited for that */
    next() {
      const ends = soon.splice(0)
      for (const end of ends) end()
      return ends.length > 0
    }
  }
}

t.test('begins at once what fits into the turn of its holder', async t => {
  const { done, run, next } = turns(2)
  run('a')
  run('b')
  t.same(done, ['a', 'b'])
  t.ok(next())
  t.notOk(next(), 'nothing runs when there is nothing to do')
})

t.test('leaves the rest to the next turns, in order of arrival', async t => {
  const { done, run, next } = turns(2)
  for (const at of [1, 2, 3, 4, 5]) run('a', `a${at}`)
  t.same(done, ['a1', 'a2'])
  next()
  run('a', 'a6')
  t.same(done, ['a1', 'a2', 'a3', 'a4'])
  next()
  t.same(done, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'])
})

t.test('another holder waits for no more than a turn', async t => {
  const { done, run, next } = turns(2)
  for (let at = 0; at < 1000; at++) run('flood')
  next()
  run('tenant')
  t.same(done, ['flood', 'flood', 'flood', 'flood', 'tenant'])
})

t.test('the holders in one IPv6 network of 48 bits are one, and have their pieces in turns', async t => {
  const { done, run, next } = turns(2)
  for (const holder of ['2001:db8:1:1', '2001:db8:1:1', '2001:db8:1:1', '2001:db8:1:1', '2001:db8:1:2'])
    run(holder)
  run('2001:db8:2:1')
  t.same(done, ['2001:db8:1:1', '2001:db8:1:1', '2001:db8:2:1'])
  next()
  t.same(done.slice(3), ['2001:db8:1:1', '2001:db8:1:2'])
})

t.test('with a limit for all holders, they have their pieces one after another', async t => {
  const { done, run, next } = turns(1, 1)
  for (const at of [1, 2, 3, 4]) run('flood', `f${at}`)
  run('a', 'a1')
  run('b', 'b1')
  t.same(done, ['f1'])
  for (let at = 0; at < 3; at++) next()
  t.same(done, ['f1', 'f2', 'a1', 'b1'])
  run('a', 'a2')
  while (next());
  t.same(done.slice(4), ['f3', 'a2', 'f4'])
})

t.test("what was given up while it waited takes nobody's place, and is soon gone", async t => {
  const soon: (() => void)[] = []
  const fair = new FairTurns({ each: 2 }, next => soon.push(next), short)
  const end = () => {
    for (const next of soon.splice(0)) next()
  }
  let waiting = 0
  const add = (isOver: boolean, work?: () => void) => {
    waiting++
    fair.run('a', () => {
      waiting--
      work?.()
      return !isOver
    })
  }
  add(false)
  add(false)
  let done = 0
  for (let at = 0; at < 1000; at++) add(at % 100 !== 0, () => at % 100 === 0 && done++)
  end()
  t.equal(done, 2)
  t.equal(waiting, 1000 - 101)
  for (let at = 0; at < 5; at++) end()
  t.same([done, waiting], [10, 0])
  end()
  t.same(soon, [], 'nothing runs on')
})

t.test('work that asks for more of its holder gets it in its order', async t => {
  const done: string[] = []
  const soon: (() => void)[] = []
  const fair = new FairTurns({ each: 1 }, end => soon.push(end))
  fair.run('a', () => done.push('1'))
  fair.run('a', () => {
    done.push('2')
    fair.run('a', () => done.push('3'))
  })
  while (soon.length > 0) for (const end of soon.splice(0)) end()
  t.same(done, ['1', '2', '3'])
})

t.test('after dear pieces fewer of all holders begin, down to one, and more after others', t => {
  const soon: (() => void)[] = []
  const fair = new FairTurns({ each: 1, all: 4 }, next => soon.push(next), short)
  let begun = 0
  for (let at = 0; at < 100; at++) fair.run(`${at}`, () => begun++)
  const turn = (ms: number): number => {
    fair.took(ms)
    begun = 0
    for (const end of soon.splice(0)) end()
    return begun
  }
  t.equal(begun, 4)
  t.same([turn(10), turn(10), turn(10)], [2, 1, 1])
  t.same([turn(1), turn(1), turn(1), turn(1)], [2, 3, 4, 4])
  t.end()
})

t.test('where all have no limit, dear pieces bring none', t => {
  const { done, fair, next, run } = turns(1)
  run('a')
  fair.took(10)
  next()
  for (const name of ['b', 'c', 'd']) run(name)
  t.same(done, ['a', 'b', 'c', 'd'])
  t.end()
})

t.test('after long turns each holder has fewer pieces, down to one, and more after short ones', async t => {
  const soon: (() => void)[] = []
  let now = 0
  const fair = new FairTurns(
    { each: 4 },
    next => soon.push(next),
    () => now
  )
  let begun = 0
  const turn = (pieceMs: number): number => {
    begun = 0
    ms = pieceMs
    for (const end of soon.splice(0)) end()
    return begun
  }
  let ms = 0.5
  for (let at = 0; at < 100; at++)
    fair.run('flood', () => {
      begun++
      now += ms
    })
  t.equal(begun, 4)
  t.same([turn(1.2), turn(1.2), turn(1.2)], [2, 1, 1], 'a single piece may be long by itself')
  t.same([turn(0.1), turn(0.1), turn(0.1), turn(0.1), turn(0.1)], [1, 2, 3, 4, 4])
})

t.test('who goes while its turn behind a result has not come waits no longer, and uses up none', async t => {
  const { fair, next } = turns(1)
  const result = new SharedWait(Promise.resolve('result'), () => {})
  const gone = new Cancellation()
  const waits = [
    fair.behind('a', result, undefined),
    fair.behind('a', result, gone),
    fair.behind('a', result, undefined)
  ] as const
  t.equal(await waits[0], 'result')
  gone.abort()
  await t.rejects(waits[1], { name: 'CancelledError' })
  next()
  t.equal(await waits[2], 'result')
})
