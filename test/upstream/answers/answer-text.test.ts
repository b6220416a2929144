import t from 'tap'
import { parseBody } from '../../../src/upstream/answers/answer.ts'
import { readAnswerText } from '../../../src/upstream/answers/answer-text.ts'
import { LARGE_ANSWER_BYTES } from '../../../src/upstream/reading/answer-cost.ts'

const read = (value: unknown, bytes = LARGE_ANSWER_BYTES + 1) =>
  readAnswerText(new TextEncoder().encode(JSON.stringify(value).padEnd(bytes)))
const fields = (count: number, prefix = 'field') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]))

t.test('an answer of more different names than any forge has is not looked through', async t => {
  t.match(read(fields(5000)), { fault: undefined })
  t.same(read(fields(5001)), { fault: 'wide' })
  const records = Array.from({ length: 100 }, (_, at) => ({ data: [fields(51, `of${at}_`)] }))
  t.same(read(records), { fault: 'wide' }, 'they count in all records together')
})

t.test('so is one that is small enough to be read on the event loop', async t => {
  const parse = (value: unknown) => parseBody({ status: 200, headers: {}, body: JSON.stringify(value) })
  t.same(parse(fields(5000)), fields(5000))
  t.throws(() => parse(fields(5001)), { fault: 'too-large', message: /has too many values/ })
})

t.test('names that come again and again count once', async t => {
  t.match(read(Array.from({ length: 4000 }, () => fields(20))), { fault: undefined })
})

t.test(
  'an answer of more levels than any forge sends is not looked through, however small it is',
  async t => {
    const nested = (levels: number) => `${'[{"b":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`
    const parse = (body: string) => parseBody({ status: 200, headers: {}, body, holder: undefined })
    t.same(parse(`{"a":${nested(62)}}`), JSON.parse(`{"a":${nested(62)}}`))
    t.throws(() => parse(`{"a":"]","b":${nested(64)}}`), {
      fault: 'too-large',
      message: /is nested too deeply/
    })
    t.throws(() => parse(`<p>${nested(64)}`), { fault: 'bad-answer', message: /a web page/ })
  }
)

t.test('a table is read, and lists deeper in each other than its cells are not', async t => {
  const table = [[['a', 'b'], ['c']]]
  t.match(read({ table }), { value: { table }, fault: undefined })
  t.same(read({ table: [table] }), { fault: 'deep' })
})
