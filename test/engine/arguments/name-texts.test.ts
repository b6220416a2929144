import t from 'tap'
import { Type } from 'typebox'
import { NameTexts } from '../../../src/engine/arguments/name-texts.ts'
import { names } from '../../../src/engine/rows/fields.ts'
import { argumentReader } from '../../support/argument-reader.ts'

t.test('the texts of one call are divided into so many names, and no more', async t => {
  const texts = new NameTexts()
  t.equal(texts.split('a,'.repeat(999), ',').length, 1_000)
  t.equal(texts.split('a,'.repeat(998), ',').length, 999)
  t.throws(() => texts.split('a,b', ','), /and are 2000, at most\. Give them as lists/)
  t.throws(() => new NameTexts().split('x'.repeat(40_001), ','), /have 40000 characters in a call/)
  t.same(new NameTexts().split('a,b', ','), ['a', 'b'], 'each call has its own')
})

t.test('names in texts of each notation count, in each part of the arguments', async t => {
  const read = argumentReader(Type.Object({ things: Type.Array(Type.Object({ labels: names() })) }))
  const things = (text: unknown) => ({ things: Array.from({ length: 21 }, () => ({ labels: text })) })
  for (const text of [
    'a,'.repeat(100),
    `[${'a,'.repeat(100)}]`,
    `[${"'a',".repeat(100)}]`,
    ['a,'.repeat(100)]
  ])
    t.throws(() => read(things(text)), /names that are written as texts in place of lists/, String(text))
  t.equal((read(things('a, b')) as { things: unknown[] }).things.length, 21)
  t.equal((read(things(Array(100).fill('a'))) as { things: unknown[] }).things.length, 21, 'lists do not')
})
