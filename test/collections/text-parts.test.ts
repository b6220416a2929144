import t from 'tap'
import { TextParts } from '../../src/collections/text-parts.ts'

t.test('each part of a text is told from what is none', async t => {
  const text = 'to be, or not to be: 👍 that\u0000is'
  const parts = new TextParts(text)
  for (let start = 0; start < text.length; start++)
    for (let end = start + 1; end <= text.length; end++)
      if (!parts.mayHave(text.slice(start, end))) t.fail(`${start} to ${end} is in it`)
  const others = ['x', 'eb', 'to bee', 'ot  ', 'bo', `${text}.`, text.toUpperCase()]
  t.same(
    others.filter(other => parts.mayHave(other)),
    []
  )
})

t.test('a text without characters has no parts', async t => {
  t.notOk(new TextParts('').mayHave('a'))
})
