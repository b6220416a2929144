import t from 'tap'
import { stopwatch } from '../../src/load/thread-ms.ts'
import { spend } from '../support/event-loop.ts'

t.test('a stopwatch counts little of the time for which this thread had no processor', async t => {
  const taken = stopwatch()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  const ms = taken()
  // What the kernel may be behind with, and what a busy machine took for the rest.
  t.ok(ms < 100, `${ms} ms`)
})

t.test('a stopwatch counts the work of this thread', async t => {
  const taken = stopwatch()
  spend(20)
  const ms = taken()
  // Some kernels count by ticks of four milliseconds.
  t.ok(ms >= 15, `${ms} ms`)
})
