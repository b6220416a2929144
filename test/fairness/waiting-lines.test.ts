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
