import t from 'tap'
import { BusyHolders, freeMs } from '../../../src/upstream/reading/busy-holders.ts'

const clock = () => {
  let now = 1_000
  const holders = new BusyHolders(() => now)
  const pass = (ms: number) => {
    now += ms
  }
  return { holders, pass }
}

t.test('a holder is busy for ten times as long as its answer took', async t => {
  const { holders, pass } = clock()
  holders.took('a', 3)
  pass(29)
  t.ok(holders.has('a'))
  t.notOk(holders.has('b'))
  pass(1)
  t.notOk(holders.has('a'))
})

t.test('what is free for it has no consequence', async t => {
  const { holders } = clock()
  holders.took('a', 3.9, freeMs.own)
  t.notOk(holders.has('a'))
  holders.took('a', 4, freeMs.own)
  t.ok(holders.has('a'))
})

t.test('it is so for all that its answers took', async t => {
  const { holders, pass } = clock()
  holders.took('a', 3)
  holders.took('a', 2)
  pass(49)
  t.ok(holders.has('a'))
  pass(1)
  t.notOk(holders.has('a'))
})

t.test('an answer of less than a millisecond makes nobody busy', async t => {
  const { holders } = clock()
  holders.took('a', 0.9)
  t.notOk(holders.has('a'))
  t.equal(holders.size, 0)
})

t.test('who is not busy any longer is forgotten when another becomes so', async t => {
  const { holders, pass } = clock()
  holders.took('a', 3)
  holders.took('b', 1)
  holders.took('c', 100)
  pass(500)
  holders.took('d', 3)
  t.equal(holders.size, 2)
  t.ok(holders.has('c'))
})
