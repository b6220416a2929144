import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { type JobName, jobs } from './jobs.ts'
import { type Slice, slicesOf } from './slices.ts'

/* What runs in a worker thread: one job at a time, its result handed over slice by slice, as they are asked for. */

/** A job, or `next` for the next slice of what the last one gave. */
export type Request = { readonly name: JobName; readonly input: unknown } | 'next'

/** `last` with the last slice. */
export interface Reply {
  readonly slice: Slice
  readonly last: boolean
}

/** What may be left of jobs, in bytes, until it is collected. */
const LEFT_BYTES = 16 * 1024 * 1024

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
  const reply: Reply = { slice, last: ahead.done === true }
  parentPort!.postMessage(reply, transferable(slice.part))
  if (reply.last) tidy()
})

/** Left to itself, V8 collects when a worker has all that it may take, and so it would stay as large. */
function tidy(): void {
  slices = [][Symbol.iterator]()
  const { external_memory: external, used_heap_size: used } = getHeapStatistics()
  if (used + external > LEFT_BYTES) collect()
}

/** Bytes that are a result as a whole need no copy. */
function transferable(part: unknown): ArrayBuffer[] {
  if (!(part instanceof Uint8Array) || !(part.buffer instanceof ArrayBuffer)) return []
  return part.byteLength === part.buffer.byteLength ? [part.buffer] : []
}

parentPort!.postMessage('ready')
