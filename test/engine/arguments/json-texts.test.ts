import t from 'tap'
import { JsonTexts } from '../../../src/engine/arguments/json-texts.ts'
import { cpuMsOf, yardstick } from '../../support/event-loop.ts'

const read = (text: string) => new JsonTexts().read(text)

t.test('JSON in the text of an argument is read, and what is none is not', async t => {
  t.same(read('[{"key":"A","value":"b"}]'), [{ key: 'A', value: 'b' }])
  t.same(read(`{"description":"${'x'.repeat(15_000)}"}`), { description: 'x'.repeat(15_000) })
  for (const none of ['', '{', "{'key':1}", '{"a":1}}', '{"__proto__":{}}'])
    t.equal(read(none), undefined, none)
})

t.test('no text is read that is longer, deeper or wider than any argument', async t => {
  t.equal(read(`"${'x'.repeat(20_000)}"`), undefined)
  t.equal(read(`${'['.repeat(17)}${']'.repeat(17)}`), undefined)
  t.equal(read(`[${Array(2_000).fill('{}')}]`), undefined)
  t.equal(read('{"1000":0}'), undefined, 'an array of 12 KB')
})

t.test('the texts of one call have one bound together', async t => {
  const json = new JsonTexts()
  const texts = Array.from({ length: 20 }, () => json.read(`"${'x'.repeat(10_000)}"`))
  t.equal(texts.filter(text => text !== undefined).length, 6)
  t.same(new JsonTexts().read('[1]'), [1], 'each call has its own')
})

t.test('a thousand texts of ever new names take no longer than a few', async t => {
  const texts = Array.from(
    { length: 1_000 },
    (_, at) => `[${Array.from({ length: 500 }, (_, name) => `{"n${at}_${name}":0}`)}]`
  )
  const unit = await yardstick()
  const json = new JsonTexts()
  const took = await cpuMsOf(() => {
    for (const text of texts) json.read(text)
  })
  t.ok(took < 2 * unit, `${took} ms of ${2 * unit}`)
})
