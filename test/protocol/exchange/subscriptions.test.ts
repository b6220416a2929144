import t from 'tap'
import { Cancellation } from '../../../src/base/cancellation.ts'
import { Subscriptions } from '../../../src/protocol/exchange/subscriptions.ts'
import { stayAwake } from '../../support/stay-awake.ts'

/** Holds one, and tells whether it is over. */
function hold(subscriptions: Subscriptions, caller: string, signal?: Cancellation, from = caller) {
  const state = { over: false }
  void subscriptions.hold(caller, from, signal).then(() => {
    state.over = true
  })
  return state
}
const soon = () => new Promise(resolve => setTimeout(resolve, 5))

t.test('a subscription is held until its client goes', async t => {
  const subscriptions = new Subscriptions()
  const gone = new Cancellation()
  const one = hold(subscriptions, 'ada', gone)
  await soon()
  t.same([one.over, subscriptions.size], [false, 1])
  gone.abort()
  await soon()
  t.same([one.over, subscriptions.size], [true, 0])
  const late = hold(subscriptions, 'ada', gone)
  await soon()
  t.ok(late.over, 'one whose client has gone already is over at once')
})

t.test('it ends by its age, and with the service', async t => {
  const subscriptions = new Subscriptions({ perCaller: 10, inAll: 10, ageMs: 20 })
  stayAwake(t)
  await subscriptions.hold('ada', 'ada', undefined)
  const one = hold(subscriptions, 'ada')
  subscriptions.close()
  await soon()
  t.ok(one.over)
  const late = hold(subscriptions, 'ada')
  await soon()
  t.same([late.over, subscriptions.size], [true, 0])
})

t.test('the oldest of a caller makes room, then the oldest of the address that has the most', async t => {
  const subscriptions = new Subscriptions({ perCaller: 2, inAll: 3, ageMs: 60_000 })
  t.teardown(() => subscriptions.close())
  const [grace, ...ada] = ['grace', 'ada', 'ada', 'ada'].map(caller => hold(subscriptions, caller))
  await soon()
  t.same([grace?.over, ...ada.map(({ over }) => over)], [false, true, false, false])
  hold(subscriptions, 'linus')
  await soon()
  t.same([grace?.over, ...ada.map(({ over }) => over)], [false, true, true, false])
})

t.test('an address with any number of callers makes room itself', async t => {
  const subscriptions = new Subscriptions({ perCaller: 2, inAll: 3, ageMs: 60_000 })
  t.teardown(() => subscriptions.close())
  const grace = hold(subscriptions, 'grace')
  for (const made of ['up 1', 'up 2', 'up 3', 'up 4']) hold(subscriptions, made, undefined, '192.0.2.1')
  await soon()
  t.same([grace.over, subscriptions.size], [false, 3])
})
