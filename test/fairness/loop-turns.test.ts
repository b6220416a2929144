import t from 'tap'
import { LoopTurns } from '../../src/fairness/loop-turns.ts'

function loop() {
  const ends: (() => void)[] = []
  const done: string[] = []
  let now = 0
  const turns = new LoopTurns(
    next => ends.push(next),
    () => now
  )
  return {
    done,
    turns,
    wait: (what: string) => turns.soon(() => done.push(what)),
    /** @param taken whether the turn takes a connection @param ms that it lasts */
    turn(taken = false, ms = 0) {
      if (taken) turns.taken()
      now += ms
      for (const end of ends.splice(0)) end()
    }
  }
}

t.test('what waits for the next turn goes on in it, all at once', async t => {
  const { done, wait, turn } = loop()
  wait('a')
  wait('b')
  turn()
  t.same(done, ['a', 'b'])
  turn()
  t.same(done, ['a', 'b'], 'and once')
})

t.test('once a turn has taken a connection, it waits for one that takes none', async t => {
  const { done, wait, turn } = loop()
  wait('a')
  turn(true)
  turn(true)
  wait('b')
  t.same(done, [])
  turn()
  t.same(done, ['a', 'b'])
})

t.test('where connections come on and on, it waits for two milliseconds', async t => {
  const { done, wait, turn } = loop()
  for (const what of ['a', 'b']) {
    wait(what)
    turn(true, 1)
    turn(true, 1)
    t.notOk(done.includes(what))
    turn(true, 1)
    t.ok(done.includes(what))
  }
})
