import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { Assembly, slicesOf } from '../../src/workers/slices.ts'

/** As it arrives in another thread. @returns it, and how many slices it took */
function sent(value: unknown) {
  const assembly = new Assembly()
  let slices = 0
  for (const slice of slicesOf(value)) {
    slices++
    assembly.add(structuredClone(slice))
  }
  return { value: assembly.value, slices }
}

const records = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at, labels: ['a', `${at}`] }))

t.test('a value is the same after it came in slices', async t => {
  const values = [
    undefined,
    null,
    'text',
    [],
    {},
    records(10),
    records(30_000),
    { data: { project: { nodes: records(20_000), page: { next: null } }, empty: {}, none: [] }, after: 1 },
    [records(10), [records(9_000), 'x', records(9_000)], { deep: { deeper: [records(6_000)] } }],
    Object.fromEntries(records(20_000).map(record => [`key ${record.id}`, record]))
  ]
  // What differs in so many records would be no line to read.
  for (const [at, value] of values.entries()) t.ok(isDeepStrictEqual(sent(value).value, value), `value ${at}`)
})

t.test('a small value comes in one slice, a large one in many of a bounded size', async t => {
  t.equal(sent(records(10)).slices, 1)
  const { slices } = sent(records(30_000))
  t.ok(slices > 25 && slices < 60, `${slices} slices`)
})

t.test('long texts and names are several values, so that a slice of them takes no longer', async t => {
  const texts = Array.from({ length: 100 }, (_, at) => `${at}`.repeat(40_000))
  const names = Object.fromEntries(Array.from({ length: 16_000 }, (_, at) => [`${at}`.padEnd(600, 'k'), at]))
  for (const value of [texts, names, [names, texts]]) {
    const { slices, value: got } = sent(value)
    t.ok(slices >= 15, `${slices} slices`)
    t.ok(isDeepStrictEqual(got, value))
  }
})

t.test('names of prototypes are fields like others', async t => {
  const text = `{"list":[${'1,'.repeat(9_000)}1],"__proto__":{"admin":true},"constructor":{"a":1}}`
  const { value } = sent(JSON.parse(text))
  t.equal(JSON.stringify(value), text)
  t.equal((value as { admin?: boolean }).admin, undefined)
})

t.test(
  'names that are numbers are as many values as their arrays take, so that a slice of them takes no longer',
  async t => {
    const arrays = Array.from({ length: 80 }, () => ({ 1000: 0 }))
    const { slices, value } = sent(arrays)
    t.ok(slices >= 3, `${slices} slices`)
    t.ok(isDeepStrictEqual(value, arrays))
  }
)
