import t from 'tap'
import { PatternMatcher } from '../../src/engine/patterns.ts'
import { CallProblem } from '../../src/engine/problem.ts'

const matcher = new PatternMatcher()
const ada = { caller: 'ada', signal: undefined }
t.teardown(() => matcher.close())

t.test('an entry matches when any pattern is found in any of its paths', async t => {
  const matches = await matcher.match(
    {
      patterns: ['^docs/', '\\.lock$'],
      entries: [['src/a.ts', 'src/a.ts'], ['docs/a.md', 'a.md'], ['x', 'yarn.lock'], []]
    },
    ada
  )
  t.same(matches, [false, true, true, false])
})

t.test('calls made at once each get their own answer', async t => {
  const asked = ['a', 'b', 'c'].map(letter => matcher.match({ patterns: [letter], entries: [['b']] }, ada))
  t.same(await Promise.all(asked), [[false], [true], [false]])
})

t.test('a pattern that is none is quoted, with the reason', async t => {
  await t.rejects(
    matcher.match({ patterns: ['ok', '[b'], entries: [] }, ada),
    new CallProblem(
      'excluded_file_patterns: "[b" is not a regular expression (/[b/: Unterminated character class), such as \\.lock$ or ^docs/.'
    )
  )
})

t.test('a pattern that takes too long is refused, holds nobody up, and the next call is served', async t => {
  const slow = matcher.match({ patterns: ['^(a+)+$'], entries: [[`${'a'.repeat(60)}!`]] }, ada)
  const next = matcher.match({ patterns: ['b'], entries: [['b']] }, ada)
  let ticks = 0
  const ticking = setInterval(() => ticks++, 5)
  await t.rejects(slow, { message: /^excluded_file_patterns took too long to match/ })
  clearInterval(ticking)
  t.ok(ticks > 3, 'the event loop went on')
  t.same(await next, [true])
})

t.test('who sends slow patterns is waited for by nobody but others who do, be it by new callers', async t => {
  const own = new PatternMatcher()
  t.teardown(() => own.close())
  const slow = { patterns: ['^(a+)+$'], entries: [[`${'a'.repeat(60)}!`]] }
  const match = (at: number) => own.match(slow, { caller: `made up ${at}`, from: 'one', signal: undefined })
  let over = 0
  const all = [0, 1, 2, 3, 4].map(at =>
    match(at).catch(() => {
      over++
    })
  )
  await all[0]
  t.same(await own.match({ patterns: ['b'], entries: [['b']] }, { ...ada, from: 'another' }), [true])
  t.ok(over < 4, 'their line is not done by then')
  await Promise.all(all)
})

t.test('callers that one address makes up fill the line for themselves alone', async t => {
  const slow = { patterns: ['^(a+)+$'], entries: [[`${'a'.repeat(60)}!`]] }
  const gone = new AbortController()
  const crowd = Array.from({ length: 150 }, (_, at) =>
    matcher.match(slow, { caller: `made up ${at}`, from: 'one', signal: gone.signal }).catch(error => error)
  )
  t.same(await matcher.match({ patterns: ['b'], entries: [['b']] }, { ...ada, from: 'another' }), [true])
  gone.abort()
  const refused = (await Promise.all(crowd)).filter(({ message }) => /^Too many calls/.test(message))
  t.ok(refused.length >= 49, `${refused.length} were refused`)
})

t.test('a caller has so many calls under way', async t => {
  const calls = Array.from({ length: 30 }, () =>
    matcher.match({ patterns: ['b'], entries: [['b']] }, ada).catch(({ message }) => message)
  )
  const refused = (await Promise.all(calls)).filter(answer => String(answer).startsWith('Too many calls'))
  t.equal(refused.length, 9)
})
