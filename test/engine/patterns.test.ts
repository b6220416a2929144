import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type MatchRequest, matchPatterns } from '../../src/engine/match-patterns.ts'
import { type MatchLine, PatternMatcher } from '../../src/engine/patterns.ts'
import type { WorkOwner } from '../../src/fairness/fair-queue.ts'
import { CallProblem } from '../../src/results/problem.ts'

const matcher = new PatternMatcher()
const ada = { caller: 'ada', signal: undefined }
t.teardown(() => matcher.close())

const slow = { patterns: ['^(a+)+$'], entries: [[`${'a'.repeat(60)}!`]] }
const quick = { patterns: ['b'], entries: [['b']] }

/** On a busy machine a worker may be let run for none of a quick call's time: then it is made again. */
const answered = (request: MatchRequest, owner: WorkOwner, of = matcher): Promise<readonly boolean[]> =>
  of.match(request, owner).catch(error => {
    if (!/took too long/.test(error.message)) throw error
    return answered(request, owner, of)
  })

t.test('an entry matches when any pattern is found in any of its paths', async t => {
  const matches = await answered(
    {
      patterns: ['^docs/', '\\.lock$'],
      entries: [['src/a.ts', 'src/a.ts'], ['docs/a.md', 'a.md'], ['x', 'yarn.lock'], []]
    },
    ada
  )
  t.same(matches, [false, true, true, false])
})

t.test('calls made at once each get their own answer', async t => {
  const asked = ['a', 'b', 'c'].map(letter => answered({ patterns: [letter], entries: [['b']] }, ada))
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
  const late = matcher.match(slow, ada).catch(error => error)
  const next = answered(quick, ada)
  t.equal(await Promise.race([late, sleep(1, 'a turn')]), 'a turn', 'the event loop goes on')
  t.match(await late, { name: 'CallProblem', message: /^excluded_file_patterns took too long to match/ })
  t.same(await next, [true])
})

t.test('what ends the worker is told as what takes too long, and the next call is served', async t => {
  const noText = { toString: 1 } as unknown as string
  await t.rejects(matcher.match({ patterns: ['a'], entries: [[noText]] }, { ...ada, caller: 'grace' }), {
    message: /^excluded_file_patterns took too long to match/
  })
  t.same(await matcher.match({ patterns: ['b'], entries: [['b']] }, ada), [true])
})

t.test('who sends slow patterns is waited for by nobody but others who do, be it by new callers', async t => {
  const own = new PatternMatcher()
  t.teardown(() => own.close())
  const gone = new AbortController()
  let over = 0
  const all = Array.from({ length: 15 }, (_, at) =>
    own.match(slow, { caller: `made up ${at}`, from: 'one', signal: gone.signal }).catch(() => over++)
  )
  await all[0]
  t.same(await answered(quick, { ...ada, from: 'another' }, own), [true])
  t.ok(over < all.length - 1, 'their line is not done by then')
  gone.abort()
  await Promise.all(all)
})

/** Lines that write down whose jobs they get, each of which takes so many milliseconds. */
function written(took: Record<string, number>) {
  const jobs: string[] = []
  const line = (name: string) =>
    ({
      run: (_job: string, _request: MatchRequest, { caller, from }: WorkOwner) => {
        jobs.push(`${name} ${caller} ${from}`)
        return Promise.resolve({ matches: [true], ms: took[caller] })
      },
      close: () => Promise.resolve()
    }) as unknown as MatchLine
  return { jobs, matcher: new PatternMatcher(line('usual'), line('apart')) }
}

t.test('whose patterns are slow but not stopped waits apart, too, with all of the address', async t => {
  const { jobs, matcher } = written({ mallory: 200, eve: 0.1, ada: 0.1 })
  const signal = undefined
  for (const owner of [
    { caller: 'mallory', from: 'one', signal },
    { caller: 'mallory', from: 'one', signal },
    { caller: 'eve', from: 'one', signal },
    { caller: 'ada', from: 'another', signal },
    { caller: 'ada', from: 'another', signal }
  ])
    await matcher.match(quick, owner)
  t.same(jobs, [
    'usual mallory one',
    'apart mallory one',
    'apart eve one',
    'usual ada another',
    'usual ada another'
  ])
})

t.test('and so do those of other addresses in the same network', async t => {
  const { jobs, matcher } = written({ mallory: 200, ada: 0.1 })
  for (const [caller, from] of [
    ['mallory', '2001:db8:1:0'],
    ['mallory', '2001:db8:1:1'],
    ['ada', '2001:db8:2:0']
  ] as const)
    await matcher.match(quick, { caller, from, signal: undefined })
  t.same(jobs, ['usual mallory 2001:db8:1:0', 'apart mallory 2001:db8:1:1', 'usual ada 2001:db8:2:0'])
})

t.test('what patterns took is told by the processor', t => {
  const nested = (letters: number) =>
    matchPatterns({ patterns: ['^(a+)+$'], entries: [[`${'a'.repeat(letters)}!`]] }) as { ms: number }
  // The first run also compiles. Each letter more doubles the time: the last takes some tens of milliseconds.
  nested(4)
  t.ok(nested(4).ms < nested(23).ms)
  t.end()
})

t.test('callers that one address makes up fill the line for themselves alone', async t => {
  const gone = new AbortController()
  const crowd = Array.from({ length: 150 }, (_, at) =>
    matcher.match(slow, { caller: `made up ${at}`, from: 'one', signal: gone.signal }).catch(error => error)
  )
  t.same(await answered(quick, { ...ada, from: 'another' }), [true])
  gone.abort()
  const refused = (await Promise.all(crowd)).filter(({ message }) => /^Too many calls/.test(message))
  t.ok(refused.length >= 49, `${refused.length} were refused`)
})

t.test('a caller has so many calls under way', async t => {
  const calls = Array.from({ length: 30 }, () => matcher.match(quick, ada).catch(({ message }) => message))
  const refused = (await Promise.all(calls)).filter(answer => String(answer).startsWith('Too many calls'))
  t.equal(refused.length, 9)
})
