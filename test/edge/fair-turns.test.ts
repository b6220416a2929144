import t from 'tap'
import { FairTurns } from '../../src/edge/fair-turns.ts'

function turns(each: number) {
  const soon: (() => void)[] = []
  const done: string[] = []
  const fair = new FairTurns(each, next => soon.push(next))
  return {
    done,
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
