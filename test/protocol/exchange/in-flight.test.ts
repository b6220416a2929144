import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const inFlight = fileURLToPath(new URL('../../../src/protocol/exchange/in-flight.ts', import.meta.url))

/** Prints what is kept of each request that is over, in bytes, while nobody looks through the old space. */
const program = `
  import { InFlight } from ${JSON.stringify(inFlight)}
  const calls = new InFlight()
  // A queue would keep them by itself, in what it leaves behind as it grows.
  const leaves = new Array(32)
  const young = () => gc({ type: 'minor' })
  const enter = at => {
    const request = new Array(1000).fill(at)
    return calls.enter('session ' + at, 1, () => request.pop(), false)
  }
  gc()
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < 3200; at++) {
    leaves[at % 32]?.()
    leaves[at % 32] = enter(at)
    if (at % 800 === 0) young()
  }
  for (const leave of leaves) leave()
  leaves.fill(undefined)
  young()
  young()
  console.log((process.memoryUsage().heapUsed - before) / 3200)
`

t.test('a request that is over is not kept until the old space is looked through', async t => {
  // Young enough for all of them, so that none grows old but by what is asked for here.
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']
  const bytes = Number(
    execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', program], { encoding: 'utf8' })
  )
  t.ok(bytes < 1000, `${Math.round(bytes)} of 8,000 bytes of each`)
})
