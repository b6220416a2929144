import t from 'tap'
import { WaitingLines } from '../../src/fairness/waiting-lines.ts'

/** @param holders in order of arrival, each of whom waits with what is told by its place */
function waitingOf(holders: readonly string[]): WaitingLines<number> {
  const lines = new WaitingLines<number>()
  for (const [at, holder] of holders.entries()) lines.add(holder, at)
  return lines
}

t.test('of lines that are as long the one that came last makes room, with its last one', t => {
  t.equal(waitingOf(['a', 'a', 'b', 'b', 'c']).displacedBy('d'), 3)
  t.end()
})

t.test('of holders in a line who have as much waiting the one that came last makes room', t => {
  const holders = [1, 2, 3, 4].map(at => `2001:db8:1:${at}`)
  t.equal(waitingOf(holders).displacedBy('192.0.2.1'), 3)
  t.end()
})

t.test('nobody makes room for one who would have as much waiting', t => {
  t.equal(waitingOf(['a', 'a', 'b']).displacedBy('b'), undefined)
  t.end()
})

/** What waits for each caller, in order of arrival, at one address. */
function atOneAddress(callers: readonly string[]): WaitingLines<number> {
  const lines = new WaitingLines<number>()
  for (const [at, caller] of callers.entries()) lines.add('192.0.2.1', at, caller)
  return lines
}

t.test('the parts of a holder take turns, and count as one for others', t => {
  const lines = atOneAddress(['a', 'a', 'a', 'b', 'c'])
  lines.add('192.0.2.2', 5, 'd')
  const taken = Array.from({ length: 6 }, () => lines.take(() => 0))
  t.same(taken, [0, 5, 3, 4, 1, 2])
  t.equal(lines.size, 0)
  t.end()
})

t.test('a part waits for one turn of each other, and for as many of its own as it has waiting', t => {
  const lines = atOneAddress(['a', 'a', 'a', 'b'])
  t.equal(lines.turnsBefore('192.0.2.1', 'c'), 3)
  t.equal(lines.turnsBefore('192.0.2.1', 'a'), 8)
  t.equal(lines.turnsBefore('192.0.2.2', 'a'), 2)
  t.end()
})

t.test('in the holder with the most the part with the most makes room, for another part of it too', t => {
  const lines = atOneAddress(['a', 'a', 'a', 'b'])
  t.equal(lines.displacedBy('192.0.2.2', 'c'), 2)
  t.equal(lines.displacedBy('192.0.2.1', 'b'), 2)
  t.equal(lines.displacedBy('192.0.2.1', 'a'), undefined)
  t.end()
})
