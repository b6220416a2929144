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

t.test('where connections come on and on, it waits for as long as the last work took', async t => {
  const { done, wait, turn } = loop()
  wait('first')
  turn()
  for (const [what, worked, left] of [
    ['short', 1, 1],
    ['long', 9, 2]
  ] as const) {
    wait(what)
    turn(true, worked)
    for (let at = 0; at < left; at++) {
      t.notOk(done.includes(what))
      turn(true, 1)
    }
    t.ok(done.includes(what), what)
  }
})
