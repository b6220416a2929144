import t from 'tap'
import { RequestBudget } from '../../src/session/request-budget.ts'

t.test('so many requests fit a window, which begins with the first of them', async t => {
  let now = 1000
  const budget = new RequestBudget(2, 60_000, 10, () => now)
  t.same(budget.take('a'), { fits: true, remaining: 1, resetSeconds: 60 })
  now += 30_500
  t.same(budget.take('a'), { fits: true, remaining: 0, resetSeconds: 30 })
  t.same(budget.take('a'), { fits: false, remaining: 0, resetSeconds: 30 })
  t.same(budget.take('b'), { fits: true, remaining: 1, resetSeconds: 60 }, 'another has its own')
  now += 29_500
  t.same(budget.take('a'), { fits: true, remaining: 1, resetSeconds: 60 })
})

t.test('several at once are counted all or not at all', async t => {
  const budget = new RequestBudget(10, 60_000, 10, () => 0)
  t.match(budget.take('a', 4), { fits: true, remaining: 6 })
  t.match(budget.take('a', 7), { fits: false, remaining: 6 })
  t.match(budget.take('a', 6), { fits: true, remaining: 0 })
  t.match(budget.take('a'), { fits: false, remaining: 0 })
})

t.test('the longest unused holder is forgotten where there is no room', async t => {
  const budget = new RequestBudget(1, 60_000, 2, () => 0)
  for (const holder of ['a', 'b', 'c']) budget.take(holder)
  t.equal(budget.take('c').fits, false)
  t.equal(budget.take('a').fits, true)
})
