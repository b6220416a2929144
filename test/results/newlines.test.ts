import t from 'tap'
import { afterNewlines, newlinesIn } from '../../src/results/newlines.ts'

t.test('the line ends of a text are counted, also of a part of it', async t => {
  t.equal(newlinesIn(''), 0)
  t.equal(newlinesIn('a\r\nb\n\nc'), 3)
  t.equal(newlinesIn('a\nb\nc\n', 1, 4), 2)
  t.equal(newlinesIn('a\nb\nc\n', 2, 3), 0)
})

t.test('the lines behind some line ends are found', async t => {
  const text = 'a\n\nbc\nd'
  t.equal(text.slice(afterNewlines(text, 0)), text)
  t.equal(text.slice(afterNewlines(text, 2)), 'bc\nd')
  t.equal(text.slice(afterNewlines(text, 1, 3)), 'd')
  t.equal(afterNewlines(text, 9), text.length)
})
