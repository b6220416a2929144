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

t.test(
  'a text of lines ends with a whole one, unless that is less than half of what there is room for',
  async t => {
    t.equal(withRest('first line\nsecond line', 15), 'first line\n… [11 more]')
    t.equal(withRest('one\nsecond line', 10), 'one\nsecond… [5 more]')
  }
)

t.test('no text ends with half a character', async t => {
  t.equal(shortened('abc😀d', 4), 'abc…')
  t.equal(withRest('abc😀d', 4), 'abc… [3 more]')
  t.equal(startOf('abc😀d', 5), 'abc😀')
})

t.test('no text ends within credentials in a URL, wherever it is cut', async t => {
  const urls = ['oauth2:s3cret@', ':s3c@ret@', 'glpat-s3cret-s3cret-s3cret@'].map(
    given => `https://${given}a.example/x`
  )
  for (const url of urls) {
    const text = `see ${url} and on`
    const [start, end] = [text.indexOf('://') + 3, text.lastIndexOf('@') + 1]
    const faults = Array.from({ length: text.length }, (_, at) => at).filter(
      at => startOf(text, at) !== text.slice(0, at > start && at < end ? start : at)
    )
    t.same(faults, [], url)
  }
  t.equal(startOf('https://a.example:80/b c@d', 15), 'https://a.examp', 'any other URL is cut where it is')
})
