import t from 'tap'
import { InFlight } from '../../src/protocol/in-flight.ts'
import { collect, collectYoung } from '../support/collect.ts'

/** What is kept of requests that are over, in bytes of each, as long as nobody looks through the old space. */
function keptOfEach(inFlight: InFlight, atOnce: number, rounds: number): number {
  const leaves: (() => void)[] = []
  collect()
  collect()
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < atOnce * rounds; at++) {
    const request = new Array(1000).fill(at)
    leaves.push(inFlight.enter(`session ${at}`, 1, () => void request.pop(), false))
    if (leaves.length > atOnce) leaves.shift()!()
    if (at % (atOnce * 25) === 0) collectYoung()
  }
  for (const leave of leaves) leave()
  collectYoung()
  return (process.memoryUsage().heapUsed - before) / (atOnce * rounds)
}

t.test('a request that is over is not kept until the old space is looked through', async t => {
  const bytes = keptOfEach(new InFlight(), 32, 100)
  t.ok(bytes < 2000, `${Math.round(bytes)} of 8,000 bytes of each`)
})
