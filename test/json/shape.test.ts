import t from 'tap'
import { shapeOf, weightOf } from '../../src/json/shape.ts'

const MAX_DEPTH = 64
const MAX_LISTS = 3
const MAX_VALUES = 20_000
const MAX_ARRAYS = 1024 * 1024
const shapeFault = (text: string, lists = MAX_DEPTH) =>
  shapeOf(text, { depth: MAX_DEPTH, lists, values: MAX_VALUES, arrays: MAX_ARRAYS }).fault

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const many = (count: number, value = '1') => `[${Array(count).fill(value).join(',')}]`

t.test('a text may be nested so deep and no deeper', async t => {
  t.equal(shapeFault(nested(MAX_DEPTH)), undefined)
  t.equal(shapeFault(nested(MAX_DEPTH + 1)), 'deep')
  t.equal(shapeFault(`[${nested(MAX_DEPTH - 1)},${nested(MAX_DEPTH - 1)}]`), undefined, 'one beside another')
})

t.test('so many lists may stand directly in each other and no more, however many are in records', async t => {
  const faultIn = (text: string) => shapeFault(text.padEnd(2 * MAX_DEPTH), MAX_LISTS)
  t.equal(faultIn(nested(MAX_LISTS)), undefined)
  t.equal(faultIn(nested(MAX_LISTS + 1)), 'deep')
  t.equal(faultIn(`{"a":[1,["b",{"c":2},[3,[4]]]]}`), 'deep', 'behind others')
  t.equal(faultIn(`[${nested(MAX_LISTS - 1)},${nested(MAX_LISTS - 1)}]`), undefined, 'one beside another')
  t.equal(faultIn('[{"a":'.repeat(20) + nested(MAX_LISTS) + '}]'.repeat(20)), undefined, 'in records')
})

t.test('a text may have so many values and no more, of whatever kind', async t => {
  // The array itself is one too.
  t.equal(shapeFault(many(MAX_VALUES - 1)), undefined)
  t.equal(shapeFault(many(MAX_VALUES)), 'wide')
  for (const value of ['[]', '{}', '""', 'null', '[[[]]]', '{"a":1}'])
    t.equal(shapeFault(many(MAX_VALUES, value)), 'wide', value)
  const members = Array.from({ length: MAX_VALUES }, (_, at) => `"k${at}":1`)
  t.equal(shapeFault(`{${members}}`), 'wide')
})

t.test('what stands in strings is text, however much of it there is', async t => {
  const odd = 'A "quoted" \\ line of [brackets], {braces}, commas\n'
  for (const value of [
    odd.repeat(60_000),
    '['.repeat(1e6),
    '",'.repeat(1e6),
    '\\'.repeat(1e6),
    '\\"[,'.repeat(1e5)
  ])
    t.equal(shapeFault(JSON.stringify({ value, after: '\\' })), undefined, value.slice(0, 10))
  t.equal(shapeFault(`"${'[,'.repeat(1e5)}`), undefined, 'even of one without an end')
  t.equal(shapeFault(`["\\\\",${nested(100)}]`), 'deep', 'an escaped backslash ends no escape')
})

t.test('names that are numbers count as the arrays that they make, however they are written', async t => {
  for (const name of ['1000', '\\u0031000', '\\u0031\\u0030\\u0030\\u0030', '100\\u0030']) {
    const one = `{"${name}" :0}`
    t.ok(weightOf(one) > 12_000, one)
    t.equal(shapeFault(many(50, one)), undefined, `a few of ${name}`)
    t.equal(shapeFault(many(100, one)), 'wide', name)
  }
  for (const one of ['{"01000":0}', '{"10000":0}', '["1000"]', '{"a":"1000"}', '{"1000a":0}', '{"-1":0}']) {
    t.ok(weightOf(one) < 300, one)
    t.equal(shapeFault(many(1000, one)), undefined, one)
  }
})

t.test('so many names may be too long for a hash, and texts of that length any number', async t => {
  const long = (count: number, then: string) =>
    Array.from({ length: count }, (_, at) => `"${`${at}`.padStart(16_384, 'a')}"${then}`).join(',')
  t.equal(shapeFault(`{${long(16, ': 1')}}`), undefined)
  t.equal(shapeFault(`{${long(17, ': 1')}}`), 'wide')
  t.equal(shapeFault(`[${long(100, '')}]`), undefined)
})

t.test('a string with a character beyond Latin-1 weighs two bytes for each of its characters', async t => {
  const plain = 'é'.repeat(10_000)
  const wide = `日${plain}`
  const near = (value: unknown, bytes: number) => {
    const weight = weightOf(JSON.stringify(value))
    t.ok(weight >= bytes && weight < bytes + 500, `${weight} for ${bytes} bytes`)
  }
  near([plain, plain], 20_000)
  near([wide, plain], 30_000)
  near([plain, wide, '日', plain], 40_000)
})

t.test('an escape makes a string as wide as the character that it stands for', async t => {
  const plain = 'x'.repeat(10_000)
  const weightWith = (escapes: string) => weightOf(`["${escapes}${plain}"]`)
  t.ok(weightWith('\\u65e5') > 20_000)
  t.ok(weightWith('\\u003c\\u00e9\\u65e5') > 20_000)
  t.ok(weightWith('\\u003c\\u00e9') < 10_500)
})

t.test('what is beyond Latin-1 is looked for once, in whichever mix it comes', async t => {
  const most = 250_000
  for (const parts of [
    ['"€"', '"\\u20ac"'],
    ['"\\u20ac"', '"€"'],
    ['"€"'],
    ['"\\u20ac"'],
    ['"\\u00e9"', '"€"']
  ]) {
    const strings = Array.from({ length: most / 10 }, (_, at) => parts[at % parts.length])
    // One kind first and last, the other all along: each search that is repeated goes through all of it.
    for (const text of [`["€",${strings}]`, `[${strings},"\\u20ac"]`, `["\\u20ac",${strings},"€"]`]) {
      const began = process.cpuUsage()
      weightOf(text)
      const { user } = process.cpuUsage(began)
      t.ok(user < 200_000, `${user} µs for ${text.length} characters, ${parts}`)
    }
  }
})
