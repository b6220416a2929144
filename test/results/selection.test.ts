import t from 'tap'
import { selection } from '../../src/results/selection.ts'

t.test('a selection keeps the named fields, in its order, and none that the record lacks', async t => {
  t.equal(JSON.stringify(selection('b a c')({ a: 1, b: 2, d: 3 })), '{"b":2,"a":1}')
})

t.test('a selection reaches into records and into lists of them', async t => {
  const show = selection('id author{username} notes{id body:3}')
  t.same(
    show({ id: 1, author: { id: 2, username: 'ada' }, notes: [{ id: 3, body: 'abcdef', x: 1 }], y: 1 }),
    { id: 1, author: { username: 'ada' }, notes: [{ id: 3, body: 'abc… [3 more]' }] }
  )
  t.same(show({ author: null }), { author: null })
})

t.test('a star keeps the rest, but what is taken out', async t => {
  t.same(selection('* -b c{d}')({ a: 1, b: 2, c: { d: 3, e: 4 } }), { a: 1, c: { d: 3 } })
})

t.test('what is no selection is refused when it is written', async t => {
  for (const source of ['a{b', 'a}', 'a:b', 'a.b']) t.throws(() => selection(source), source)
})

t.test('what is no record comes back as it is', async t => {
  t.equal(selection('a')('text'), 'text')
  t.same(selection('a')([1]), [1])
})
