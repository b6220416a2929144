import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import { sampleArguments } from '../../support/sample-arguments.ts'
import { allRows, callAt } from '../../support/things-by-web-url.ts'

/* What a call has begun when it is refused must not fail with nobody to handle that: it would end the process. */

const patterns = new PatternMatcher()
t.teardown(() => patterns.close())

const TURNS = 10
/** What paths refuse, each in another way, and some only once they are put together. */
const refused = ['..', 'abc', '\ud800', 'x'.repeat(5000)]
/** Arguments with which a tool does more than it needs to. */
const more = [[], ['path', 'line'], ['comments'], ['body', 'path', 'line', 'note']]

t.test('no tool leaves a promise that nobody handles, whichever part of a path is refused', async t => {
  t.ok(allRows.length > 200)
  let calls = 0
  for (const row of allRows) {
    const unhandled: unknown[] = []
    const hear = (error: unknown) => void unhandled.push(error)
    process.prependListener('unhandledRejection', hear)
    for (const names of more) {
      const args = sampleArguments(row.input, names)
      for (const name of Object.keys(args).filter(name => /_id$|iid$|sha$|slug$|^(?:path|ref)$/.test(name)))
        for (const value of refused) {
          calls++
          await callAt(row, { ...args, [name]: value }, patterns)
        }
    }
    // What one has begun fails some turns after its refusal.
    for (let at = 0; at < TURNS; at++) await turn()
    process.off('unhandledRejection', hear)
    t.same(unhandled, [], row.name)
  }
  t.ok(calls > 2_000, `${calls} calls`)
})
