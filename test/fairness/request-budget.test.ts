import t from 'tap'
import { RequestBudget } from '../../src/fairness/request-budget.ts'

t.test('so many requests fit a window, which begins with the first of them', async t => {
  let now = 1000
  const budget = new RequestBudget(2, 60_000, 10, () => now)
  t.equal(budget.take('a'), undefined)
  now += 30_500
  t.equal(budget.take('a'), undefined)
  t.same(budget.take('a'), { remaining: 0, resetSeconds: 30 })
  t.equal(budget.take('b'), undefined, 'another has its own')
  now += 29_500
  t.equal(budget.take('a'), undefined)
})

t.test('several at once are counted all or not at all', async t => {
  const budget = new RequestBudget(10, 60_000, 10, () => 0)
  t.equal(budget.take('a', 4), undefined)
  t.match(budget.take('a', 7), { remaining: 6 })
  t.equal(budget.take('a', 6), undefined)
  t.match(budget.take('a'), { remaining: 0 })
})

t.test('so many more fit or do not, and what is given back fits again', async t => {
  let now = 0
  const budget = new RequestBudget(3, 60_000, 10, () => now)
  budget.giveBack('a')
  budget.take('a', 2)
  t.equal(budget.shortage('a'), undefined)
  t.same(budget.shortage('a', 2), { remaining: 1, resetSeconds: 60 })
  budget.giveBack('a')
  t.equal(budget.take('a', 2), undefined)
  t.match(budget.take('a'), { remaining: 0 })
  now += 60_000
  budget.giveBack('a')
  t.equal(budget.take('a', 3), undefined, 'what comes back late is of a window that is over')
  t.match(budget.take('a'), { remaining: 0 })
})

t.test('the oldest holder is forgotten where there is no room', async t => {
  const budget = new RequestBudget(1, 60_000, 2, () => 0)
  for (const holder of ['a', 'b', 'c']) budget.take(holder)
  t.match(budget.take('c'), { remaining: 0 })
  t.equal(budget.take('a'), undefined)
})

t.test('who has very many holders pushes out its own, and nobody else’s', async t => {
  const budget = new RequestBudget(1, 60_000, 10, () => 0)
  budget.take('of another', 1, 'other')
  for (let at = 0; at < 100; at++) budget.take(`made up ${at}`, 1, 'one')
  t.match(budget.take('of another', 1, 'other'), { remaining: 0 })
  t.match(budget.take('made up 99', 1, 'one'), { remaining: 0 })
  t.equal(budget.take('made up 0', 1, 'one'), undefined)
})

t.test('what is given back beyond what was counted makes no more room', async t => {
  const budget = new RequestBudget(2, 60_000, 10, () => 0)
  budget.take('a')
  for (let at = 0; at < 3; at++) budget.giveBack('a')
  t.match(budget.left('a'), { remaining: 2 })
  t.match(budget.take('a', 3), { remaining: 2 })
})
