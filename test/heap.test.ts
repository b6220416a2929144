import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const heap = fileURLToPath(new URL('../src/heap.ts', import.meta.url))
/** What a process of these flags has, in MiB. */
const inProcess = (code: string, ...flags: string[]) =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        ...flags,
        '--input-type=module',
        '--eval',
        `import { heapLimit, heapUsed } from ${JSON.stringify(heap)}; const mib = n => Math.round(n / 2 ** 20); ${code}`
      ],
      { env: { PATH: process.env.PATH }, encoding: 'utf8' }
    )
  )

t.test('the limit of the heap is the one that a process ends at, whatever its young spaces are', async t => {
  const limit = 'console.log(mib(heapLimit()))'
  t.equal(inProcess(limit, '--max-old-space-size=100'), 100)
  t.equal(inProcess(limit, '--max-old-space-size=358'), 358)
  t.equal(inProcess(limit, '--max-old-space-size=100', '--max-semi-space-size=8'), 100)
})

t.test('what is kept counts as used, and comes near the limit before the process ends', async t => {
  const fill = `const kept = []
    while (heapUsed() < heapLimit() * 0.95) kept.push(...Array.from({ length: 10_000 }, (_, at) => ({ at })))
    console.log(mib(heapUsed()))`
  t.ok(inProcess(fill, '--max-old-space-size=100') >= 95)
})
