import t from 'tap'
import { form } from '../../../src/engine/consent/question.ts'
import { ANSWER_SECONDS, RequestStates } from '../../../src/protocol/questions/request-states.ts'
import { testSealer } from '../../support/sealing.ts'

const call = {
  caller: 'ada',
  tool: 'delete_issue',
  args: { a: 1, b: { c: 2, d: 3 } },
  forge: 'https://x/api/v4'
}

t.test('a state opens for its call, whichever order the arguments have', t => {
  const states = new RequestStates(testSealer().sealer, Date.now)
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
  const states = new RequestStates(testSealer({ now: () => now }).sealer, () => now)
  const state = states.seal(call, {}, {})
  now += ANSWER_SECONDS * 1000
  t.ok(states.open(state, call))
  t.ok(states.open(state, call), 'no replica can know that another has seen it')
  now += 1
  t.throws(() => states.open(state, call), { message: /too old/ })
  t.end()
})

t.test('a question stays answered, however many another address answers', t => {
  const states = new RequestStates(testSealer().sealer, Date.now)
  t.equal(states.spend('a', '192.0.2.1'), true)
  for (let at = 0; at < 10_001; at++) states.spend(at, '192.0.2.2')
  t.equal(states.spend('a', '192.0.2.1'), false)
  t.end()
})

t.test('answers that are too long to carry are refused', t => {
  const states = new RequestStates(testSealer().sealer, Date.now)
  t.throws(() => states.seal(call, {}, { a: { text: 'x'.repeat(20_000) } }), {
    code: -32602,
    message: /too long/
  })
  t.end()
})

t.test('nobody is asked about arguments that take long to digest', t => {
  const states = new RequestStates(testSealer().sealer, Date.now)
  const long = (chars: number) => ({ ...call, args: { content: 'x'.repeat(chars) } })
  const tooLong = long(2_000_000)
  t.ok(states.seal(long(1_000_000), {}, {}))
  const refusal = { code: -32602, message: /several calls/ }
  t.throws(() => states.seal(tooLong, {}, {}), refusal)
  t.throws(() => states.open(states.seal(call, {}, {}), tooLong), refusal)
  t.end()
})

t.test('what is agreed to is one question of one call, until ten minutes after it was asked', t => {
  let now = Date.UTC(2026, 10, 21, 12)
  const states = new RequestStates(testSealer({ now: () => now }).sealer, () => now)
  const question = form('Really?', {})
  const id = states.sealOne(call, 'confirm', question, 'session')
  const agreed = states.agreement(id, 'confirm', 'session')!
  const use = (asking = call, asked = question) => states.use(agreed, asking, asked, '192.0.2.1')
  t.notOk(use({ ...call, caller: 'grace' }))
  t.notOk(use({ ...call, forge: 'https://y/api/v4' }))
  t.notOk(use(call, form('Another?', {})))
  for (const wrong of [`${id}x`, 'made-up', 7, undefined])
    t.equal(states.agreement(wrong, 'confirm', 'session'), undefined)
  t.equal(states.agreement(id, 'other', 'session'), undefined)
  for (const session of ['another', undefined])
    t.equal(states.agreement(id, 'confirm', session), undefined, 'of the session that was asked')
  now += ANSWER_SECONDS * 1000 + 1
  t.notOk(use())
  t.equal(states.agreement(id, 'confirm', 'session'), undefined)
  t.end()
})

t.test('an agreement is used once, and the same question asked again at the same moment is another', t => {
  const now = Date.UTC(2026, 10, 21, 12)
  const states = new RequestStates(testSealer({ now: () => now }).sealer, () => now)
  const question = form('Really?', {})
  const agree = () =>
    states.agreement(states.sealOne(call, 'confirm', question, 'session'), 'confirm', 'session')!
  const [one, other] = [agree(), agree()]
  const use = (agreed: typeof one, asked = question) => states.use(agreed, call, asked, '192.0.2.1')
  t.notOk(use(one, form('Another?', {})), 'which does not use it up')
  t.same([use(one), use(one), use({ ...one })], [true, false, false])
  t.same([use(other), use(other)], [true, false])
  t.end()
})
