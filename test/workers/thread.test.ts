import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

const MIB = 1024 * 1024
const run = promisify(execFile)

/** Starts a thread, and says the heap limits of the process and of its worker. */
const program = `
import { once } from 'node:events'
import { getHeapStatistics } from 'node:v8'
const { Thread } = await import(${JSON.stringify(new URL('../../src/workers/thread.ts', import.meta.url).href)})
const [[worker], thread] = await Promise.all([once(process, 'worker'), Thread.start()])
worker.ref()
const ofWorker = await worker.getHeapStatistics()
console.log(JSON.stringify([getHeapStatistics().heap_size_limit, ofWorker.heap_size_limit]))
await thread.end()
`

t.test('a worker has its own limit of memory, whatever the process is given', async t => {
  const given = 350
  const flags = [`--max-old-space-size=${given}`, '--input-type=module', '--eval', program]
  const { stdout } = await run(process.execPath, flags)
  const [ofProcess, ofWorker] = JSON.parse(stdout)
  t.ok(ofProcess >= given * MIB, `the process: ${ofProcess}`)
  t.ok(ofWorker < 150 * MIB, `the worker: ${ofWorker}`)
})
