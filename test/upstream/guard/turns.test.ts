import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { CallerGates } from '../../../src/upstream/guard/caller-gates.ts'
import { busy, Gate } from '../../../src/upstream/guard/gate.ts'
import { ByAddress, StrangersGate, Turns } from '../../../src/upstream/guard/turns.ts'

const limits = { queue: 1, waitMs: 50 }

/** Four turns, of which callers in `known` alone have the last. */
function reserved(known = new Set<string>()) {
  const all = new Gate({ ...limits, limit: 4 }, busy('here'))
  const strangers = new Gate({ ...limits, limit: 3 }, busy('of strangers'))
  const turns = new Turns(new StrangersGate(strangers, caller => known.has(caller)), all)
  return { turns, all, strangers, known }
}

t.test('strangers leave what is reserved to callers who are known', async t => {
  const { turns, all, strangers } = reserved(new Set(['known']))
  for (const caller of ['a', 'b', 'c']) t.equal(turns.enter(caller), undefined)
  const waits = turns.enter('d')!
  await t.rejects(turns.enter('e')!, { fault: 'busy', message: /^More than 3 requests of strangers/ })
  t.equal(turns.enter('known'), undefined)
  turns.leave('b')
  await waits
  for (const caller of ['a', 'c', 'd', 'known']) turns.leave(caller)
  t.same([all.isEmpty, strangers.isEmpty], [true, true])
})

t.test('known callers may have all, and who is new then waits its turn as they do', async t => {
  const { turns, all, strangers } = reserved(new Set(['known']))
  for (let at = 0; at < 4; at++) t.equal(turns.enter('known'), undefined)
  const waits = turns.enter('new')!
  turns.leave('known')
  await waits
  for (const caller of ['known', 'known', 'known', 'new']) turns.leave(caller)
  t.same([all.isEmpty, strangers.isEmpty], [true, true])
})

t.test('a caller that becomes known while its calls run gives back what it took, once', async t => {
  const { turns, all, strangers, known } = reserved()
  turns.enter('a')
  turns.enter('a')
  known.add('a')
  t.equal(turns.enter('a'), undefined)
  turns.leave('a')
  t.equal(strangers.isEmpty, false)
  turns.leave('a')
  t.equal(strangers.isEmpty, true)
  turns.leave('a')
  t.same([all.isEmpty, strangers.isEmpty], [true, true])
})

t.test('a stranger that is turned away at the second gate holds nothing at the first', async t => {
  const { turns, strangers } = reserved(new Set(['known']))
  for (let at = 0; at < 5; at++) turns.enter('known')?.catch(() => undefined)
  await t.rejects(turns.enter('a')!, { fault: 'busy', message: /^More than 4 requests here/ })
  t.equal(strangers.isEmpty, true)
})

t.test(
  'made-up callers of one address leave turns for strangers elsewhere, and for those who share theirs',
  async t => {
    const shared = { limit: 8, queue: 20, waitMs: 50, shared: true }
    const refusal = busy('of strangers')
    const known = new Set<string>()
    const knows = (caller: string) => known.has(caller)
    const gates = [new Gate(shared, refusal), new Gate(shared, refusal)]
    const turns = new Turns(
      new StrangersGate(gates[0]!, knows, (caller, from) => from ?? caller),
      new StrangersGate(gates[1]!, knows)
    )
    let inside = 0
    const entered: string[] = []
    for (let at = 0; at < 12; at++) {
      const turn = turns.enter(`made-up-${at}`, undefined, '192.0.2.1')
      if (turn === undefined) {
        inside++
        entered.push(`made-up-${at}`)
      } else turn.catch(() => undefined)
    }
    t.ok(inside < 6, `${inside} of 8`)
    t.equal(turns.enter('new', undefined, '192.0.2.2'), undefined)
    known.add('colleague')
    t.equal(turns.enter('colleague', undefined, '192.0.2.1'), undefined)
    turns.leave('colleague', '192.0.2.1')
    t.equal(gates[0]!.isEmpty, false, 'who is known gives back no turn of a stranger')
    turns.leave('new', '192.0.2.2')
    await new Promise(resolve => setTimeout(resolve, 100))
    for (const caller of entered) turns.leave(caller, '192.0.2.1')
    t.same(
      gates.map(gate => gate.isEmpty),
      [true, true]
    )
  }
)

/** Two turns of strangers, shared out by address, and what has entered, in order. */
function byAddress() {
  const known = new Set<string>()
  const gate = new Gate({ limit: 2, queue: 20, waitMs: 5_000 }, busy('of strangers'))
  const turns = new StrangersGate(
    gate,
    caller => known.has(caller),
    (caller, from) => from ?? caller
  )
  const entered: string[] = []
  const enter = (caller: string, from = '192.0.2.1') => {
    const turn = turns.enter(caller, undefined, from)
    if (turn === undefined) entered.push(caller)
    else turn.then(() => entered.push(caller))
  }
  return { turns, gate, known, entered, enter }
}

t.test('callers at an address take turns, however much the first of them has waiting', async t => {
  const { turns, gate, entered, enter } = byAddress()
  for (let at = 0; at < 5; at++) enter('first')
  enter('second')
  enter('third')
  for (let at = 0; at < 7; at++) {
    await setImmediate()
    turns.leave(entered[at]!, '192.0.2.1')
  }
  t.same(entered, ['first', 'first', 'first', 'second', 'third', 'first', 'first'])
  t.equal(gate.isEmpty, true)
})

t.test(
  'what waits of a caller goes on once it is known, wherever it calls from, and others take its turns',
  async t => {
    const { turns, gate, known, entered, enter } = byAddress()
    for (let at = 0; at < 4; at++) enter('known')
    enter('known', '192.0.2.2')
    for (const caller of ['a', 'b', 'c']) enter(caller)
    await setImmediate()
    t.same(entered, ['known', 'known'])
    known.add('known')
    turns.known('known')
    await setImmediate()
    t.same(entered.slice(2).sort(), ['a', 'b', 'known', 'known', 'known'])
    for (let at = 0; at < 4; at++) turns.leave('known', '192.0.2.1')
    turns.leave('known', '192.0.2.2')
    await setImmediate()
    t.equal(entered.length, 7, 'it gives back what it took, once')
    turns.leave('a', '192.0.2.1')
    await setImmediate()
    t.equal(entered.at(-1), 'c')
    for (const caller of ['b', 'c']) turns.leave(caller, '192.0.2.1')
    t.equal(gate.isEmpty, true)
  }
)

t.test('an address has so many turns, shared by its callers, and others have theirs', async t => {
  const gates = new CallerGates({ ...limits, limit: 4, shared: true }, busy('from this address'))
  const turns = new ByAddress(gates)
  const enter = (caller: string, from?: string) => turns.enter(caller, undefined, from)
  for (const caller of ['a', 'a']) t.equal(enter(caller, '192.0.2.1'), undefined)
  const third = enter('a', '192.0.2.1')!
  for (const caller of ['b', 'c']) t.equal(enter(caller, '192.0.2.1'), undefined, 'for those who have none')
  await t.rejects(enter('d', '192.0.2.1')!, { message: /^More than 4 requests from this address/ })
  await t.rejects(third, { message: /^More than 4 requests/ })
  t.equal(enter('d', '192.0.2.2'), undefined)
  for (let at = 0; at < 5; at++) t.equal(enter('over stdio'), undefined)
  for (const caller of ['a', 'a', 'b', 'c']) turns.leave(caller, '192.0.2.1')
  turns.leave('d', '192.0.2.2')
  turns.leave('over stdio')
  t.equal(gates.size, 0)
})
