import t from 'tap'
import { Lines } from '../../src/stdio/lines.ts'

const texts = (taken: (Buffer | undefined)[]) => taken.map(line => line?.toString())
const take = (lines: Lines, text: string) => texts(lines.take(Buffer.from(text)))

t.test('lines come whole, however they arrive', async t => {
  const lines = new Lines(100)
  t.same(take(lines, 'on'), [])
  t.same(take(lines, 'e\ntwo\r\n\nth'), ['one', 'two\r', ''])
  t.same(texts(lines.rest()), ['th'])
  t.same(lines.rest(), [])
})

t.test('a character that is cut in two by a chunk is one', async t => {
  const lines = new Lines(100)
  const bytes = Buffer.from('ü\n')
  t.same(lines.take(bytes.subarray(0, 1)), [])
  t.same(texts(lines.take(bytes.subarray(1))), ['ü'])
})

t.test('a line that is too long is told of when it ends, and the next one is read', async t => {
  const lines = new Lines(4)
  t.same(take(lines, '1234\n12345\n'), ['1234', undefined])
  for (let chunk = 0; chunk < 10; chunk++) t.same(take(lines, 'xxxx'), [])
  t.same(take(lines, '\nok\n'), [undefined, 'ok'])
})
