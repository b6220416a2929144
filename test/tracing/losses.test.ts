import t from 'tap'
import { Losses } from '../../src/tracing/losses.ts'

t.test('losses are told at once, then gathered for ten minutes', async t => {
  const told: [unknown, number][] = []
  let now = 5
  const losses = new Losses(
    (error, spans) => told.push([error, spans]),
    () => now
  )
  losses.add(2, 'first')
  losses.add(3, 'second')
  now += 10 * 60_000 - 1
  losses.add(4, 'third')
  t.same(told, [['first', 2]])
  now += 1
  losses.add(5, 'fourth')
  t.same(told, [
    ['first', 2],
    ['fourth', 12]
  ])
})
