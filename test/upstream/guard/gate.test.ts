import { setImmediate, setTimeout } from 'node:timers/promises'
import t from 'tap'
import { CallerGates } from '../../../src/upstream/guard/caller-gates.ts'
import { busy, Gate } from '../../../src/upstream/guard/gate.ts'

const limits = { limit: 2, queue: 2, waitMs: 50 }
const gateOf = () => new Gate(limits, busy('here'))

t.test('what fits goes in at once, without a promise', async t => {
  const gate = gateOf()
  t.equal(gate.enter('a'), undefined)
  t.equal(gate.enter('a'), undefined)
  gate.leave('a')
  t.equal(gate.enter('a'), undefined)
})

t.test('what does not fit goes in when others leave, in order', async t => {
  const gate = gateOf()
  gate.enter('a')
  gate.enter('a')
  const order: string[] = []
  const first = gate.enter('a')?.then(() => order.push('first'))
  const second = gate.enter('a')?.then(() => order.push('second'))
  t.same(order, [])
  gate.leave('a')
  await first
  t.same(order, ['first'])
  gate.leave('a')
  await second
  t.same(order, ['first', 'second'])
  gate.leave('a')
  gate.leave('a')
  t.equal(gate.isEmpty, true)
})

t.test('who finds the queue full, or waits for too long, is turned away', async t => {
  const gate = gateOf()
  gate.enter('a')
  gate.enter('a')
  const waiting = [gate.enter('a'), gate.enter('a')]
  await t.rejects(gate.enter('a')!, {
    name: 'ForgeError',
    fault: 'busy',
    message: /^More than 2 requests here are under way\. This request was not sent/
  })
  for (const one of waiting) await t.rejects(one!, { name: 'ForgeError', fault: 'busy' })
  gate.leave('a')
  gate.leave('a')
  t.equal(gate.isEmpty, true, 'those turned away hold nothing')
  t.equal(gate.enter('a'), undefined)
})

t.test('who would wait in vain is told so at once, and who comes next in turn is not', async t => {
  let now = 1
  const gate = new Gate({ limit: 1, queue: 99, waitMs: 1000 }, busy('here'), () => now)
  gate.enter('many')
  const waiting = Array.from({ length: 40 }, () => gate.enter('many')!)
  for (const turn of waiting.slice(0, 30)) {
    now += 100
    gate.leave('many')
    await turn
  }
  // A turn ends each 100 ms or so: ten more of one caller take a second.
  await t.rejects(gate.enter('many')!, { name: 'ForgeError', fault: 'busy' })
  let holder = 'many'
  const is = (caller: string) => (turn: Promise<void>) => turn.then(() => (holder = caller))
  const other = is('other')(gate.enter('other')!)
  const [next, ...rest] = waiting.slice(30).map(is('many'))
  for (const turn of [next, other, ...rest]) {
    now += 100
    gate.leave(holder)
    await turn
  }
  gate.leave(holder)
  t.equal(gate.isEmpty, true)
})

t.test('where all turns end at once, the pause before the first of them turns nobody away', async t => {
  let now = 1
  const callers = Array.from({ length: 10 }, (_, at) => `caller ${at}`)
  const gate = new Gate({ limit: 50, queue: 99, waitMs: 1000 }, busy('here'), () => now)
  const under: string[] = []
  const enter = async (caller: string) => {
    await gate.enter(caller)
    under.push(caller)
  }
  // Twice as many calls as turns: each waits for 200 ms or so.
  const entered = [...callers, ...callers, ...callers, ...callers, ...callers].flatMap(one => [
    enter(one),
    enter(one)
  ])
  for (let round = 0; round < 20; round++) {
    await setImmediate()
    now += 200
    for (const caller of under.splice(0)) {
      gate.leave(caller)
      entered.push(enter(caller))
    }
  }
  while (!gate.isEmpty) {
    await setImmediate()
    for (const caller of under.splice(0)) gate.leave(caller)
  }
  await t.resolves(Promise.all(entered))
})

t.test('a caller that goes away does not wait on', async t => {
  const gate = gateOf()
  gate.enter('a')
  gate.enter('a')
  const controller = new AbortController()
  const waiting = gate.enter('a', controller.signal)!
  controller.abort()
  await t.rejects(waiting, { name: 'ForgeError', fault: 'cancelled' })
  await t.rejects(gate.enter('a', AbortSignal.abort())!, { name: 'ForgeError', fault: 'cancelled' })
  gate.leave('a')
  t.equal(gate.enter('a'), undefined)
})

t.test('a free turn goes to the waiting caller with the fewest, and among equals round robin', async t => {
  const gate = new Gate({ limit: 2, queue: 9, waitMs: 50 }, busy('here'))
  gate.enter('many')
  gate.enter('many')
  const order: string[] = []
  const waiting = ['many', 'many', 'one', 'two', 'one'].map((caller, at) =>
    gate.enter(caller)?.then(() => order.push(`${caller} ${at}`))
  )
  for (const leaving of ['many', 'one', 'many', 'two', 'one']) gate.leave(leaving)
  await Promise.all(waiting)
  t.same(order, ['one 2', 'two 3', 'many 0', 'one 4', 'many 1'])
  gate.leave('many')
  gate.leave('many')
  t.equal(gate.isEmpty, true)
})

t.test('callers whose turns never end leave one for another', async t => {
  const gate = new Gate({ limit: 256, queue: 1024, waitMs: 50, shared: true }, busy('here'))
  let held = 0
  const waiting: Promise<void>[] = []
  for (let at = 0; at < 12 * 40; at++) {
    const turn = gate.enter(`made-up ${Math.floor(at / 40)}`)
    if (turn === undefined) held++
    else waiting.push(turn)
  }
  t.ok(held > 200, `${held} of 256 are held`)
  for (let at = 0; at < 5; at++) t.equal(gate.enter(`somebody ${at}`), undefined)
  t.equal((await Promise.allSettled(waiting)).filter(({ status }) => status === 'fulfilled').length, 0)
})

t.test('one caller alone has what it may, and each turn that ends lets in those who then fit', async t => {
  const gate = new Gate({ limit: 6, queue: 9, waitMs: 50, shared: true }, busy('here'))
  const turns = Array.from({ length: 6 }, () => gate.enter('a'))
  t.same(
    turns.map(turn => turn === undefined),
    [true, true, true, false, false, false]
  )
  t.equal(gate.enter('b'), undefined)
  gate.leave('b')
  gate.leave('a')
  await turns[3]
  for (let left = 0; left < 5; left++) gate.leave('a')
  await turns[5]
  t.equal(gate.isEmpty, true)
})

t.test('a shared gate that is made narrower than what is in it lets in nobody', async t => {
  const gate = new Gate({ limit: 4, queue: 9, waitMs: 50, shared: true }, busy('here'))
  for (const caller of ['a', 'b', 'c', 'd']) gate.enter(caller)
  gate.resize(1)
  await t.rejects(gate.enter('e') ?? Promise.resolve(), { name: 'ForgeError', fault: 'busy' })
})

t.test('a turn that is lent lets the next in, and does not count as one that ends', async t => {
  let now = 1
  const gate = new Gate({ limit: 1, queue: 9, waitMs: 50 }, busy('here'), () => now)
  gate.enter('a')
  const turns = ['b', 'c'].map(caller => gate.enter(caller))
  gate.lend('a')
  await turns[0]
  now += 10_000
  gate.lend('b')
  await turns[1]
  const next = gate.enter('d')
  gate.leave('c')
  await t.resolves(next ?? Promise.reject(new Error('it does not wait')))
})

t.test('a queue full of one caller’s calls has room for another’s', async t => {
  const gate = gateOf()
  gate.enter('many')
  gate.enter('many')
  const first = gate.enter('many')
  const last = gate.enter('many')!
  const other = gate.enter('other')
  await t.rejects(last, { name: 'ForgeError', fault: 'busy' })
  await t.rejects(gate.enter('third')!, { name: 'ForgeError', fault: 'busy' }, 'each has one by now')
  gate.leave('many')
  await other
  gate.leave('many')
  await first
})

/** One call from each of so many IPv6 networks of 64 bits in one of 48. @returns how many have been turned away */
const fromNetwork = (gate: Gate, calls: number) => {
  const count = { refused: 0 }
  for (let at = 0; at < calls; at++) gate.enter(`2001:db8:1:${at.toString(16)}`)?.catch(() => count.refused++)
  return count
}

t.test('a queue full of one call each of many addresses in a network has room for another’s', async t => {
  const gate = new Gate({ limit: 2, queue: 10, waitMs: 50 }, busy('here'))
  const count = fromNetwork(gate, 12)
  const other = gate.enter('192.0.2.1')
  await setImmediate()
  t.equal(count.refused, 1)
  gate.leave('2001:db8:1:0')
  t.equal(await other, undefined, 'whose turn is next')
})

t.test('addresses in a network wait for each other before others do', async t => {
  let now = 1
  const gate = new Gate({ limit: 1, queue: 99, waitMs: 1000 }, busy('here'), () => now)
  fromNetwork(gate, 31)
  for (let at = 0; at < 20; at++) {
    now += 100
    gate.leave(`2001:db8:1:${at.toString(16)}`)
    await setImmediate()
  }
  // Ten more of the network take a second.
  await t.rejects(gate.enter('2001:db8:1:99')!, { name: 'ForgeError', fault: 'busy' })
  const other = gate.enter('192.0.2.1')
  gate.leave('2001:db8:1:14')
  t.equal(await other, undefined)
})

t.test('the addresses in a network have the share of one of a gate that is shared', async t => {
  const gate = new Gate({ limit: 10, queue: 99, waitMs: 50, shared: true }, busy('here'))
  const count = fromNetwork(gate, 10)
  for (let at = 0; at < 2; at++)
    t.equal(gate.enter('192.0.2.1'), undefined, 'another finds turns that are free')
  gate.leave('192.0.2.1')
  await setTimeout(60)
  t.equal(count.refused, 6, 'as of one address')
})

t.test('each caller has room of its own, held only while it is used', async t => {
  const gates = new CallerGates(limits, busy('here'))
  for (const caller of ['a', 'a', 'b', 'b']) t.equal(gates.enter(caller), undefined)
  const third = gates.enter('a')
  t.ok(third)
  t.equal(gates.size, 2)
  gates.leave('a')
  await third
  for (const caller of ['a', 'a', 'b', 'b']) gates.leave(caller)
  t.equal(gates.size, 0)
})

t.test('who is turned away is told the limit that there is by now', async t => {
  const gates = new CallerGates({ limit: 4, queue: 0, waitMs: 50 }, busy('of this caller'))
  gates.heed('a', true, 2, 1000)
  for (const _ of [1, 2]) t.equal(gates.enter('a'), undefined)
  await t.rejects(gates.enter('a')!, { message: /^More than 2 requests of this caller are under way\./ })
})

t.test(
  'a caller whom the forge finds too fast has half the turns, and more again as it is answered',
  async t => {
    const gates = new CallerGates({ limit: 4, queue: 9, waitMs: 50 }, busy('here'))
    /** How many turns it has at once. */
    const turnsOf = (caller: string) => {
      const turns = Array.from({ length: 6 }, () => gates.enter(caller))
      const held = turns.filter(turn => turn === undefined).length
      for (let at = 0; at < held; at++) gates.leave(caller)
      return { held, rest: turns.slice(held) }
    }
    const settle = async (caller: string, { held, rest }: ReturnType<typeof turnsOf>) => {
      for (const turn of rest) await turn!.then(() => gates.leave(caller))
      return held
    }
    t.equal(await settle('a', turnsOf('a')), 4)
    gates.heed('a', true, 2, 1000)
    t.equal(await settle('a', turnsOf('a')), 2)
    t.equal(await settle('b', turnsOf('b')), 4, 'nobody else is slowed down')
    gates.heed('a', true, undefined, 1000)
    gates.heed('a', true, undefined, 1000)
    t.equal(await settle('a', turnsOf('a')), 1, 'one is left')
    gates.heed('a', false, undefined, 1999)
    t.equal(await settle('a', turnsOf('a')), 1, 'not before the time that was named')
    for (const held of [2, 3, 4, 4]) {
      gates.heed('a', false, undefined, 2000)
      t.equal(await settle('a', turnsOf('a')), held)
    }
  }
)
