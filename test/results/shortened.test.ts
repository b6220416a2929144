import t from 'tap'
import { shortened, startOf, withRest } from '../../src/results/shortened.ts'

t.test('a text that fits stays as it is', async t => {
  t.equal(shortened('four', 4), 'four')
  t.equal(withRest('four', 4), 'four')
  t.equal(startOf('four', 5), 'four')
})

t.test('a longer one shows that it goes on, or how much is left out', async t => {
  t.equal(shortened('seven', 4), 'seve…')
  t.equal(withRest('seven', 4), 'seve… [1 more]')
})

t.test('no text ends with half a character', async t => {
  t.equal(shortened('abc😀d', 4), 'abc…')
  t.equal(withRest('abc😀d', 4), 'abc… [3 more]')
  t.equal(startOf('abc😀d', 5), 'abc😀')
})
