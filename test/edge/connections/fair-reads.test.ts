import t from 'tap'
import { FairReads } from '../../../src/edge/connections/fair-reads.ts'

function reads(each: number) {
  const soon: (() => void)[] = []
  const clock = { ms: 1_000 }
  let timers: { at: number; run: () => void }[] = []
  const fair = new FairReads(
    each,
    next => soon.push(next),
    () => clock.ms,
    (run, ms) => timers.push({ at: clock.ms + ms, run })
  )
  const wait = (ms: number) => {
    clock.ms += ms
    const due = timers.filter(({ at }) => at <= clock.ms)
    timers = timers.filter(({ at }) => at > clock.ms)
    for (const { run } of due) run()
  }
  const reading = new Set<string>()
  const add = (holder: string, name: string) => {
    reading.add(name)
    return fair.add(holder, { pause: () => reading.delete(name), resume: () => reading.add(name) })
  }
  /** Ends the turn. @returns false when nothing waited for that */
  const next = () => {
    const ends = soon.splice(0)
    for (const end of ends) end()
    return ends.length > 0
  }
  return { fair, reading, add, next, wait }
}

t.test('leaves a holder of whom little comes in a turn as it is', async t => {
  const { add, next, reading } = reads(3)
  const [first, second] = ['a', 'b', 'c', 'd'].map(name => add('holder', name))
  for (let turn = 0; turn < 3; turn++) {
    first!.came()
    second!.came()
    t.equal(reading.size, 4)
    t.ok(next())
  }
  t.notOk(next(), 'nothing runs when nothing has come')
})

t.test('of whom much comes in a turn, the connections wait for the next, so many in each', async t => {
  const { add, next, reading } = reads(2)
  const many = ['a', 'b', 'c', 'd', 'e'].map(name => add('holder', name))
  add('another', 'x')
  many[0]!.came()
  many[0]!.came()
  t.same([...reading], ['x'])
  next()
  t.same([...reading], ['x', 'a', 'b'])
  next()
  t.same([...reading], ['x', 'a', 'b', 'c', 'd'])
  next()
  t.equal(reading.size, 6)
  t.notOk(next())
})

t.test('who is in one IPv6 network of 48 bits is one holder', async t => {
  const { add, reading } = reads(2)
  for (const at of [1, 2, 3, 4]) add(`2001:db8:1:${at}`, `${at}`).came()
  add('2001:db8:2:1', 'another').came()
  t.same([...reading], ['another'])
})

t.test('those that are read again and say much are put behind the others', async t => {
  const { add, next, reading } = reads(2)
  const [a] = ['a', 'b', 'c', 'd'].map(name => add('holder', name))
  a!.came()
  a!.came()
  next()
  a!.came()
  a!.came()
  t.same([...reading], [])
  next()
  t.same([...reading], ['c', 'd'])
})

t.test('remembers nobody whose connections are closed', async t => {
  const { add, fair, next } = reads(1)
  const [a, b] = [add('holder', 'a'), add('holder', 'b')]
  a.came()
  a.leave()
  t.equal(fair.size, 1)
  b.leave()
  b.leave()
  t.equal(fair.size, 0)
  next()
  t.notOk(next())
})

t.test('what costs as much as many counts for as many', async t => {
  const { add, next, reading } = reads(3)
  const [first] = ['a', 'b'].map(name => add('holder', name))
  add('another', 'x')
  first!.came(5)
  t.same([...reading], ['x'])
  next()
  t.equal(reading.size, 3)
})

t.test('who reads on though it is paused waits again', async t => {
  const { add, next, reading } = reads(1)
  const [first, second] = ['a', 'b'].map(name => add('holder', name))
  first!.came()
  t.same([...reading], [])
  reading.add('b')
  second!.came()
  t.same([...reading], [])
  next()
  next()
  t.equal(reading.size, 2)
})

t.test('of whom much is read on and on rests between, and others do not', async t => {
  const { add, next, reading, wait } = reads(3)
  const [first] = ['a', 'b'].map(name => add('holder', name))
  add('another', 'x').came(1, 1_000)
  first!.came(1, 12_000)
  t.equal(reading.size, 3, 'a large body at once')
  first!.came(1, 2_000)
  t.same([...reading], ['x'])
  next()
  t.notOk(next(), 'no turn is taken up by the rest')
  add('holder', 'c')
  t.same([...reading], ['x'], 'nor does a new connection read in it')
  wait(9)
  t.notOk(next())
  wait(1)
  next()
  t.equal(reading.size, 4)
  first!.came(1, 1)
  t.same([...reading], ['x'], 'it rests again, and longer only by what it reads')
})

t.test('whoever closes its connections and opens others owes what it did', async t => {
  const { add, fair, next, reading, wait } = reads(3)
  for (let at = 0; at < 7; at++) {
    const once = add('holder', 'a')
    once.came(1, 2_000)
    once.leave()
    reading.delete('a')
    next()
  }
  add('holder', 'b').leave()
  t.equal(fair.size, 1)
  add('holder', 'c')
  t.notOk(reading.has('c'))
  wait(100)
  next()
  t.ok(reading.has('c'))
  const last = add('another', 'x')
  last.came(1, 2_000)
  last.leave()
  t.equal(fair.size, 2)
  wait(10)
  t.equal(fair.size, 1)
})
