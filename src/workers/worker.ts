import { getPriority, setPriority } from 'node:os'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { MIB } from '../base/units.ts'
import { type JobName, jobs } from './jobs.ts'
import { type Slice, slicesOf } from './slices.ts'

/* The code of a worker thread. It runs one job at a time, and sends the result in slices as they are requested. */

/** A job, or `next` for the next slice of the last result. */
type Request = { readonly name: JobName; readonly input: unknown } | 'next'

/** A slice; `last` marks the final one. */
export interface WorkerReply {
  readonly slice: Slice
  readonly last: boolean
}

/** Most bytes that jobs may leave behind before garbage is collected. */
const LEFT_BYTES = 16 * MIB

/**
 * Niceness of the thread (setpriority(2)): where they share a core, the event loop gets ten times as much time as the
 * thread.
 */
const NICENESS = 10

// Only on Linux does this set the priority of the calling thread; elsewhere it would set that of the whole process. A
// process that was started with a lower priority must not raise it.
if (process.platform === 'linux') setPriority(Math.max(NICENESS, getPriority()))

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let slices: Iterator<Slice, undefined>
let ahead: IteratorResult<Slice, undefined>

parentPort!.on('message', (request: Request) => {
  if (request !== 'next') {
    slices = slicesOf((jobs[request.name] as (input: unknown) => unknown)(request.input)) as typeof slices
    ahead = slices.next()
  }
  const slice = ahead.value!
  ahead = slices.next()
  const reply: WorkerReply = { slice, last: ahead.done === true }
  parentPort!.postMessage(reply, transferable(slice.part))
  if (reply.last) tidy()
})

/**
 * Collects garbage. V8 alone would do so only when a worker has reached its limit, and the worker would stay that
 * large.
 */
function tidy(): void {
  slices = [][Symbol.iterator]()
  const { external_memory: external, used_heap_size: used } = getHeapStatistics()
  if (used + external > LEFT_BYTES) collect()
}

/** The buffers to transfer: a result that consists only of bytes need not be copied. */
function transferable(part: unknown): ArrayBuffer[] {
  if (!(part instanceof Uint8Array) || !(part.buffer instanceof ArrayBuffer)) return []
  return part.byteLength === part.buffer.byteLength ? [part.buffer] : []
}

parentPort!.postMessage('ready')
