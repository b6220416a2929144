import t from 'tap'
import { partOf } from '../../../src/engine/texts/part-of.ts'
import { mayBeWindow } from '../../../src/engine/texts/window-of.ts'

/** Results are so short that each text is long. */
const SHORT = 2
/** And so long that none is. */
const LONG = 200_000

t.test(
  'a long text that begins or ends another one by whole lines is its part, with the lines that it is',
  async t => {
    const whole = '\na\nb\r\nc\n\nd\n'
    t.same(partOf('a\nb\n', whole, SHORT), { first: 1, last: 3, of: 6, isSame: true })
    t.same(partOf('\n\nc\n\nd', whole, SHORT), { first: 4, last: 6, of: 6, isSame: true })
  }
)

t.test('a text is no part that ends within a line, leaves out no line, or has another one', async t => {
  const whole = 'one\ntwo\nthree\n\n'
  for (const text of ['one\ntw', 'wo\nthree', 'one\ntwo\nthree', 'one\nthree', 'two', '', `${whole}four`])
    t.equal(partOf(text, whole, SHORT), undefined, text)
})

/** A text of different lines of about thirty characters, with headings and what stands more than once. */
const lines = Array.from({ length: 120 }, (_, at) =>
  at % 10 === 0
    ? `## Part ${at / 10}`
    : at % 10 === 9
      ? ''
      : at % 10 === 5
        ? '}'
        : `${at}: turn the valve by ${at * 7}`
)
const whole = `${lines.join('\n')}\n`
const some = (first: number, last: number) => lines.slice(first - 1, last)
const changed = (first: number, last: number, at: number) =>
  some(first, last).map((line, index) => (index === at ? 'Another line' : line))

t.test('a window of lines is a part, also with changes in it', async t => {
  const windows: [string, readonly string[], number, number][] = [
    ['as it is, without the blank lines at its ends', some(40, 50), 41, 49],
    ['with a word changed', changed(42, 52, 4), 42, 52],
    ['with its first line changed', changed(42, 52, 0), 42, 52],
    ['with its last line changed', changed(42, 53, 11), 42, 53],
    ['with a line more', [...some(42, 47), 'A new line', ...some(48, 54)], 42, 54],
    ['with a line less', [...some(42, 46), ...some(48, 54)], 42, 54],
    ['of three lines, one of them changed', changed(62, 64, 1), 62, 64],
    ['of less than half of it', some(42, 96), 42, 96],
    ['of other line ends', [some(42, 52).join('\r\n')], 42, 52]
  ]
  for (const [name, window, first, last] of windows)
    t.same(partOf(window.join('\n'), whole, LONG), { first, last, of: 119, isSame: false }, name)
})

t.test('what leaves out a part of a text, or is another one, is no window of it', async t => {
  const honest: [string, readonly string[]][] = [
    ['without a part of the middle', [...some(1, 20), ...some(90, 120)]],
    ['without its middle, all but the ends', [...some(1, 3), ...some(117, 119)]],
    ['without a licence at its head', some(21, 120)],
    ['without a licence, and with a change', changed(21, 120, 30)],
    ['without its last part', some(1, 90)],
    ['without most of its end, as a changelog is cut', some(1, 30)],
    ['without its last part, and with a change', changed(1, 90, 30)],
    ['without a licence and a footer', some(11, 112)],
    ['without old and far rows, of which less than half go', some(22, 94)],
    ['shortened at both ends, with a change', changed(32, 96, 9)],
    ['of a few headings alone', lines.filter(line => line.startsWith('##'))],
    ['two parts of the middle', [...some(22, 30), ...some(72, 80)]],
    ['two parts in another order', [...some(72, 80), ...some(22, 30)]],
    [
      'written anew under two of its headings',
      ['## Part 4', 'All is new here,', 'and here', 'too', '## Part 5']
    ],
    ['written anew between two of its lines', [lines[41]!, ...Array(9).fill('All is new here'), lines[51]!]],
    ['one line of it', ['41: turn the valve by 287']],
    ['nothing but signs that stand anywhere', ['}', '', '}']],
    ['longer than what is stored', [...lines, 'more']],
    ['another text', ['Closed as the valve is gone.', 'See the new manual.']]
  ]
  for (const [name, text] of honest) t.equal(partOf(text.join('\n'), whole, LONG), undefined, name)
})

t.test('the beginning of a long text is its part where a result is cut, whatever changed in it', async t => {
  const text = changed(1, 80, 30).join('\n')
  t.match(partOf(text, whole, some(1, 80).join('\n').length + 10), { last: 79, of: 119, isSame: false })
  t.match(partOf(text, whole, JSON.stringify(some(1, 80).join('\n')).length + 10), { last: 79 }, 'in JSON')
  t.equal(partOf(text, whole, 1_500), undefined, 'a result has room for less')
  t.equal(partOf(text, whole, 3_000), undefined, 'a result has room for more')
})

t.test('a text may be a window if two of its lines say where they are', async t => {
  t.ok(mayBeWindow('Turn it\n\nLight it\n'))
  for (const text of ['', 'Turn it\n', 'Turn it\n}\n', '\n\n']) t.notOk(mayBeWindow(text), text)
})
