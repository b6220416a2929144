import t from 'tap'
import { areSameButEnds, withLineFeeds, withWindowsEnds } from '../../../src/engine/texts/line-ends.ts'

const texts: readonly (readonly [windows: string, unix: string])[] = [
  ['', ''],
  ['a', 'a'],
  ['\r\n', '\n'],
  ['a\r\n\r\nb\r\n', 'a\n\nb\n'],
  ['\ud83d\r\n\udc4d👍\u4e00\r\n', '\ud83d\n\udc4d👍\u4e00\n'],
  // Longer than what is copied at once, with each place of a line end at its border.
  ...['', 'x', 'xy'].map(start => [start + 'a\r\n'.repeat(20_000), start + 'a\n'.repeat(20_000)] as const),
  [
    `${'é\r\n'.repeat(6_000)}\u4e00${'é\r\n'.repeat(6_000)}`,
    `${'é\n'.repeat(6_000)}\u4e00${'é\n'.repeat(6_000)}`
  ]
]

t.test('a text has its line ends changed, and nothing else', async t => {
  for (const [windows, unix] of texts) {
    t.ok(withLineFeeds(windows) === unix)
    t.ok(withWindowsEnds(unix) === windows)
    t.ok(areSameButEnds(windows, unix))
  }
})

t.test('a CR that ends no line, or stands before the end of one, stays', async t => {
  t.equal(withLineFeeds('a\rb\r\r\nc\r'), 'a\rb\r\nc\r')
  t.equal(withLineFeeds('\n\r'), '\n\r')
})
