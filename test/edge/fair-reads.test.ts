import t from 'tap'
import { FairReads } from '../../src/edge/fair-reads.ts'

function reads(each: number) {
  const soon: (() => void)[] = []
  const fair = new FairReads(each, next => soon.push(next))
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
  return { fair, reading, add, next }
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
