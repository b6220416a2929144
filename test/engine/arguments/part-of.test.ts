import t from 'tap'
import { partOf } from '../../../src/engine/arguments/part-of.ts'

t.test(
  'a text that begins or ends another one by whole lines is its part, with what it leaves out',
  async t => {
    const whole = '\na\nb\r\nc\n\nd\n'
    t.same(partOf('a\nb\n', whole), { is: 'beginning', lines: 3, from: 4 })
    t.same(partOf('\n\nc\n\nd', whole), { is: 'end', lines: 3, from: 1 })
  }
)

t.test('a text is no part that ends within a line, leaves out no line, or has another one', async t => {
  const whole = 'one\ntwo\nthree\n\n'
  for (const text of ['one\ntw', 'wo\nthree', 'one\ntwo\nthree', 'one\nthree', 'two', '', `${whole}four`])
    t.equal(partOf(text, whole), undefined, text)
})
