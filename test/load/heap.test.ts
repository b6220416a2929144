import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import t from 'tap'

const heap = fileURLToPath(new URL('../../src/load/heap.ts', import.meta.url))
/** What a process of these flags has, in MiB. */
const inProcess = (code: string, ...flags: string[]) =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        ...flags,
        '--input-type=module',
        '--eval',
        `import os from 'node:os'; import { heapLimit, heapUsed } from ${JSON.stringify(heap)}; const mib = n => Math.round(n / 2 ** 20); ${code}`
      ],
      { env: { PATH: process.env.PATH }, encoding: 'utf8' }
    )
  )

t.test('the limit of the heap is the one that a process ends at, whatever its young spaces are', async t => {
  const limit = 'console.log(mib(heapLimit()))'
  t.equal(inProcess(limit, '--max-old-space-size=100'), 100)
  t.equal(inProcess(limit, '--max-old-space-size=358'), 358)
  t.equal(inProcess(limit, '--max-old-space-size=100', '--max-semi-space-size=8'), 100)
  t.equal(inProcess(limit, '--max-old-space-size=100', '--max_old_space_size=358'), 358)
})

t.test('a share of the memory is one of what the container has', async t => {
  const memory = 'Math.min(process.constrainedMemory() || Infinity, os.totalmem())'
  const share = inProcess(`console.log(heapLimit() / ${memory})`, '--max-old-space-size-percentage=5')
  t.ok(Math.abs(share - 0.05) < 0.001, share)
})

t.test('the limit that Node takes from the memory is nearly all for what is old', async t => {
  const { heap_size_limit: all } = getHeapStatistics()
  t.ok(inProcess('console.log(heapLimit())') >= all * 0.91)
  t.ok(inProcess('console.log(mib(heapLimit()))', '--max-heap-size=100') >= 91)
})

t.test('what is kept counts as used, and comes near the limit before the process ends', async t => {
  const fill = `const kept = []
    while (heapUsed() < heapLimit() * 0.9) kept.push(...Array.from({ length: 10_000 }, (_, at) => ({ at })))
    console.log(mib(heapUsed()))`
  // Of large young spaces more than is left may grow old at once.
  t.ok(inProcess(fill, '--max-old-space-size=100', '--max-semi-space-size=1') >= 90)
})
