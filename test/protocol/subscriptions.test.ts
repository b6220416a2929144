import t from 'tap'
import { Cancellation } from '../../src/cancellation.ts'
import { Subscriptions } from '../../src/protocol/modern/subscriptions.ts'

/** Holds one, and tells whether it is over. */
function hold(subscriptions: Subscriptions, caller: string, signal?: Cancellation) {
  const state = { over: false }
  void subscriptions.hold(caller, signal).then(() => {
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
  // Its timer keeps no process, so that something else has to.
  const alive = setInterval(() => {}, 5)
  t.teardown(() => clearInterval(alive))
  await subscriptions.hold('ada', undefined)
  const one = hold(subscriptions, 'ada')
  subscriptions.close()
  await soon()
  t.ok(one.over)
  const late = hold(subscriptions, 'ada')
  await soon()
  t.same([late.over, subscriptions.size], [true, 0])
})

t.test('the oldest of a caller makes room, then the oldest of all', async t => {
  const subscriptions = new Subscriptions({ perCaller: 2, inAll: 3, ageMs: 60_000 })
  t.teardown(() => subscriptions.close())
  const [grace, ...ada] = ['grace', 'ada', 'ada', 'ada'].map(caller => hold(subscriptions, caller))
  await soon()
  t.same([grace?.over, ...ada.map(({ over }) => over)], [false, true, false, false])
  hold(subscriptions, 'linus')
  await soon()
  t.same([grace?.over, subscriptions.size], [true, 3])
})
