import t from 'tap'
import { MAX_ERROR_BYTES, saidOf, wordsOf } from '../../../src/upstream/answers/said.ts'

t.test('of a refusal of very many values no more are read than can be told', async t => {
  let reads = 0
  const message = new Proxy(Array(200_000).fill(0), {
    get(list, name) {
      if (/^\d+$/.test(String(name))) reads++
      return Reflect.get(list, name)
    }
  })
  const words = wordsOf({ message }, 'token')
  t.match(words, /^0, 0, 0, .*…$/)
  t.ok(reads < 10_000, `${reads}`)
})

t.test('a refusal that is longer than what is read of one is told as it begins', async t => {
  const body = JSON.stringify({ message: 'no '.repeat(MAX_ERROR_BYTES) })
  t.match(saidOf({ body }, 'token'), /^\{"message":"no no no .*…$/)
})

t.test('words of any nesting are joined, and what is too deep is left out', async t => {
  const message = { base: ['is bad', 'is old'], note: { a: [[[['deep']]]] }, none: [] }
  t.equal(wordsOf({ message }, 'token'), 'base: is bad, is old; note: a: …; none:')
})
