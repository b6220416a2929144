import t from 'tap'
import {
  didYouMean,
  exactly,
  perhaps,
  sameLooking,
  thereAs,
  UnseenBudget,
  unseenIn
} from '../../src/results/unseen-in-names.ts'

/* Names with characters that nobody sees: what is said of them, and how they are written. */

t.test('the characters that nobody sees are named with their places', async t => {
  t.equal(unseenIn('b\u200bx'), 'U+200B after "b"')
  t.equal(unseenIn('\ufeffbom'), 'U+FEFF at its beginning')
  t.equal(unseenIn('a\u2060b\u00ad'), 'U+2060 after "a" and U+00AD after "ab"')
  t.equal(unseenIn(`a${'\u200b'.repeat(5)}`), `${'U+200B after "a" and '.repeat(3)}2 more`)
  t.equal(unseenIn(`${'long/'.repeat(10)}\u200e`), 'U+200E after "…ong/long/long/long/long/"')
  t.equal(unseenIn('\u{1f3f4}\u{e0067}'), 'U+E0067 after "\u{1f3f4}"')
})

t.test('what others in a name need stays, and so does a blank that does not break', async t => {
  for (const name of [
    'main',
    'in\u00a0progress',
    '\u26a0\ufe0f risk',
    '\u{1f469}\u200d\u{1f4bb} dev',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    'cafe\u0301'
  ]) {
    t.equal(unseenIn(name), undefined)
    t.equal(exactly(name), JSON.stringify(name))
  }
})

t.test('what the given name has and the one there has not is said of the given one', async t => {
  const given = (what: string) => ` The name that was given has ${what}, which the one there has not.`
  t.equal(
    didYouMean(['Priorit\u00e9 : haute'], 'Priorit\u00e9\u00a0: haute'),
    `did you mean "Priorit\u00e9 : haute"?${given('a no-break space')}`
  )
  t.match(didYouMean(['API\u0647\u0627'], 'API\u200c\u0647\u0627'), given('U+200C after "API"'))
})

t.test('they are written as escapes of JSON, which give the name again', async t => {
  for (const name of ['b\u200bx', '\ufeff"b\\"', 'a\u{e0067}b', 'bell\u0007', '\ud83d', '\u200d\u200d'])
    t.equal(JSON.parse(exactly(name)), name)
  t.match(exactly('a\u{e0067}b'), /^"a\\udb40\\udc67b"$/)
  const many = `a${'\u200b'.repeat(9)}`
  t.equal(exactly(many).includes('\\u'), false, 'a text that is written in them is not told')
  t.equal(
    didYouMean([many]),
    `did you mean ${exactly(many)}? The one there has ${unseenIn(many)}, which nobody sees.`
  )
})

t.test('what is suggested never looks like what was given', async t => {
  t.equal(
    didYouMean(['b\u200bx']),
    'did you mean "b\\u200bx"? The one there has U+200B after "b", which nobody sees: name it with JSON\'s escape, \\u200b.'
  )
  t.equal(
    perhaps(['bx', 'b\u200bx']),
    'Perhaps "bx" or "b\\u200bx" is meant. "b\\u200bx" has U+200B after "b", which nobody sees: name it with JSON\'s escape, \\u200b.'
  )
  t.match(
    thereAs('b\u200bx', 'and stays', 'bx'),
    /^It is there as "b\\u200bx", and stays\. The one there has U\+200B/
  )
  t.equal(didYouMean(['bx', 'by']), 'did you mean "bx" or "by"?')
})

t.test(
  'of names that look the same it is written what makes the difference, and said what it is',
  async t => {
    const [composed, apart] = ['Ger\u00e4t', 'Gera\u0308t']
    t.equal(
      didYouMean([apart], composed),
      'did you mean "Gera\\u0308t"? The one there has letters composed otherwise, and looks the same: name it with JSON\'s escape, a\\u0308.'
    )
    t.match(didYouMean([composed], apart), /^did you mean "Ger\\u00e4t"\? .* JSON's escape, \\u00e4\.$/)
    t.equal(
      didYouMean(['Priorit\u00e9\u00a0: haute'], 'Priorit\u00e9 : haute'),
      'did you mean "Priorit\u00e9\\u00a0: haute"? The one there has a no-break space, and looks the same: name it with JSON\'s escape, \\u00a0.'
    )
    for (const [there, given] of [
      ['10\u202f000', '10 000'],
      ['\u5168\u89d2\u3000\u30b9', '\u5168\u89d2 \u30b9'],
      ['\u1112\u1161\u11ab\uae00', '\ud55c\uae00'],
      ['\ud55c\uae00', '\u1112\u1161\u11ab\u1100\u1173\u11af'],
      // The joiner is needed there, and nobody sees it.
      ['API\u200c\u0647\u0627', 'API\u0647\u0627'],
      ['\u26a0\ufe0f risk', '\u26a0 risk'],
      ['a\u00adb \u00e9\u00a0c', 'ab e\u0301 c']
    ] as const) {
      const said = exactly(there, given)
      t.match(said, /\\u[\da-f]{4}/, said)
      t.equal(JSON.parse(said), there)
      t.equal(sameLooking(given, ['other', there]), there)
    }
    t.equal(exactly('Gr\u00f6\u00dfe', 'Grosse'), '"Gr\u00f6\u00dfe"')
    t.equal(exactly('in\u00a0progress', 'in progres'), '"in\u00a0progress"')
  }
)

t.test('names look the same that differ in such characters alone', async t => {
  t.equal(sameLooking('bx', ['bxy', 'b\u200bx']), 'b\u200bx')
  t.equal(sameLooking('b\u200bx', ['bxy', 'bx']), 'bx')
  t.equal(sameLooking('b\u200bx', ['b\u00adx']), 'b\u00adx')
  t.equal(sameLooking('bx', ['bx', 'by', `b${'\u200b'.repeat(5_000)}x`]), undefined)
})

t.test('a name for which a call has too little left is used as given', async t => {
  const budget = new UnseenBudget()
  const long = `${'a\u200b'.repeat(1_999)}a`
  for (let at = 0; at < 15; at++) t.equal(budget.findsIn(long), true)
  t.equal(budget.findsIn(long), false)
})
