import t from 'tap'
import { CompletionCache } from '../../src/completions/cache.ts'
import { type CompletionSource, candidatesIn, matching } from '../../src/completions/source.ts'
import { cleanText } from '../../src/results/clean.ts'

const answer = (isWhole: boolean, ...values: string[]) => ({
  candidates: values.map(value => ({ value, title: undefined })),
  isWhole
})

t.test('a search is answered by a wider one that was whole, and by no other', async t => {
  const cache = new CompletionCache()
  cache.keep('a', 'ma', answer(true, 'main', 'map'), 'a')
  cache.keep('a', 'm', answer(false, 'main'), 'a')
  t.same(cache.find('a', 'MAI'), answer(true, 'main', 'map'))
  t.same(cache.find('a', 'm'), answer(false, 'main'))
  t.equal(cache.find('a', 'mo'), undefined)
  t.equal(cache.find('a', ''), undefined)
  t.equal(cache.find('b', 'ma'), undefined)
})

t.test('an answer holds for half a minute', async t => {
  let now = 1
  const cache = new CompletionCache(() => now)
  cache.keep('a', '', answer(true, 'x'), 'a')
  now += 29_999
  t.ok(cache.find('a', ''))
  now += 2
  t.equal(cache.find('a', ''), undefined)
})

t.test('answers do not grow without bound', async t => {
  const cache = new CompletionCache()
  const large = answer(true, ...Array.from({ length: 100 }, (_, at) => `${at}`.repeat(100)))
  for (let at = 0; at < 1_000; at++) cache.keep(`caller ${at}`, '', large, `192.0.2.${at}`)
  t.equal(cache.find('caller 0', ''), undefined)
  t.ok(cache.find('caller 999', ''))
})

t.test('candidates count for more than their characters, however short they are', async t => {
  const cache = new CompletionCache()
  const short = answer(true, ...Array.from({ length: 200 }, (_, at) => `${at}`))
  for (let at = 0; at < 50; at++) cache.keep(`caller ${at}`, '', short, '192.0.2.1')
  t.equal(cache.find('caller 0', ''), undefined)
  t.ok(cache.find('caller 49', ''))
})

t.test('who asks for very many, also as many callers, loses its own answers first', async t => {
  const cache = new CompletionCache()
  cache.keep('neighbour', '', answer(true, 'main'), '192.0.2.2')
  for (let at = 0; at < 5_000; at++) cache.keep(`caller ${at}`, '', answer(true, 'x'), '192.0.2.1')
  t.ok(cache.find('neighbour', ''))
  t.equal(cache.find('caller 0', ''), undefined)
  t.ok(cache.find('caller 4999', ''))
})

t.test('what a forge lists becomes one line each, and what would have to be changed is left out', async t => {
  const source = {
    value: ({ name }) => name,
    title: ({ title }) => title
  } as Pick<CompletionSource, 'value' | 'title'> as CompletionSource
  const list = [
    { name: 'a', title: 'First\n\u202eline' },
    { name: 'b\u200b' },
    { name: 'c\nd' },
    { name: 'x'.repeat(256) },
    { name: '' },
    {},
    null,
    7,
    { name: 8, title: 't'.repeat(100) }
  ]
  t.same(candidatesIn(list, source, cleanText), [
    { value: 'a', title: 'First line' },
    { value: '8', title: 't'.repeat(60) }
  ])
  t.same(candidatesIn({ message: 'no' }, source, cleanText), [])
})

t.test(
  'a number fits by its beginning, also as it was offered, and anything else by what it has',
  async t => {
    const login = { value: '12', title: 'Fix login' }
    const fits = (typed: string) => matching([login], typed).length === 1
    for (const typed of ['', '1', '!12', '12 Fix', '#1', 'login', 'FIX']) t.ok(fits(typed), typed)
    for (const typed of ['2', '13', 'logout']) t.notOk(fits(typed), typed)
    const branch = { value: 'release/2', title: undefined }
    t.same(matching([login, branch], '2'), [branch])
  }
)
