import t from 'tap'
import { busy, CallerGates, Gate } from '../../src/upstream/gate.ts'

const limits = { limit: 2, queue: 2, waitMs: 50 }
const gateOf = () => new Gate(limits, busy(2, 'here'))

t.test('what fits goes in at once, without a promise', async t => {
  const gate = gateOf()
  t.equal(gate.enter(), undefined)
  t.equal(gate.enter(), undefined)
  gate.leave()
  t.equal(gate.enter(), undefined)
})

t.test('what does not fit goes in when others leave, in order', async t => {
  const gate = gateOf()
  gate.enter()
  gate.enter()
  const order: string[] = []
  const first = gate.enter()?.then(() => order.push('first'))
  const second = gate.enter()?.then(() => order.push('second'))
  t.same(order, [])
  gate.leave()
  await first
  t.same(order, ['first'])
  gate.leave()
  await second
  t.same(order, ['first', 'second'])
  gate.leave()
  gate.leave()
  t.equal(gate.isEmpty, true)
})

t.test('who finds the queue full, or waits for too long, is turned away', async t => {
  const gate = gateOf()
  gate.enter()
  gate.enter()
  const waiting = [gate.enter(), gate.enter()]
  await t.rejects(gate.enter()!, {
    name: 'ForgeError',
    fault: 'busy',
    message: /^More than 2 requests here are under way\. This request was not sent/
  })
  for (const one of waiting) await t.rejects(one!, { name: 'ForgeError', fault: 'busy' })
  gate.leave()
  gate.leave()
  t.equal(gate.isEmpty, true, 'those turned away hold nothing')
  t.equal(gate.enter(), undefined)
})

t.test('a caller that goes away does not wait on', async t => {
  const gate = gateOf()
  gate.enter()
  gate.enter()
  const controller = new AbortController()
  const waiting = gate.enter(controller.signal)!
  controller.abort()
  await t.rejects(waiting, { name: 'ForgeError', fault: 'cancelled' })
  await t.rejects(gate.enter(AbortSignal.abort())!, { name: 'ForgeError', fault: 'cancelled' })
  gate.leave()
  t.equal(gate.enter(), undefined)
})

t.test('each caller has room of its own, held only while it is used', async t => {
  const gates = new CallerGates(limits, busy(2, 'here'))
  for (const caller of ['a', 'a', 'b', 'b']) t.equal(gates.enter(caller), undefined)
  const third = gates.enter('a')
  t.ok(third)
  t.equal(gates.size, 2)
  gates.leave('a')
  await third
  for (const caller of ['a', 'a', 'b', 'b']) gates.leave(caller)
  t.equal(gates.size, 0)
})
