import t from 'tap'
import { ANSWER_SECONDS, RequestStates } from '../../src/protocol/modern/request-states.ts'
import { testSealer } from '../support/sealing.ts'

const call = {
  caller: 'ada',
  tool: 'delete_issue',
  args: { a: 1, b: { c: 2, d: 3 } },
  forge: 'https://x/api/v4'
}

t.test('a state opens for its call, whichever order the arguments have', t => {
  const states = new RequestStates(testSealer().sealer)
  const state = states.seal(call, { a: 'digest' }, { b: { action: 'accept' } })
  const same = { ...call, args: { b: { d: 3, c: 2 }, a: 1 } }
  t.same(states.open(state, same), { asked: { a: 'digest' }, replies: { b: { action: 'accept' } } })
  for (const other of [
    { caller: 'grace' },
    { tool: 'delete_branch' },
    { forge: 'https://y/api/v4' },
    { args: { a: 1 } },
    { args: undefined }
  ])
    t.throws(() => states.open(state, { ...call, ...other }), { code: -32602 }, JSON.stringify(other))
  t.end()
})

t.test('it is good for ten minutes, and opens again within them', t => {
  let now = Date.UTC(2026, 10, 21, 12)
  const states = new RequestStates(testSealer({ now: () => now }).sealer)
  const state = states.seal(call, {}, {})
  now += ANSWER_SECONDS * 1000
  t.ok(states.open(state, call))
  t.ok(states.open(state, call), 'no replica can know that another has seen it')
  now += 1
  t.throws(() => states.open(state, call), { message: /too old/ })
  t.end()
})

t.test('answers that are too long to carry are refused', t => {
  const states = new RequestStates(testSealer().sealer)
  t.throws(() => states.seal(call, {}, { a: { text: 'x'.repeat(20_000) } }), {
    code: -32602,
    message: /too long/
  })
  t.end()
})
