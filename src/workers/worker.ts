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
})
/** Bytes that are a result as a whole need no copy. */
function transferable(part: unknown): ArrayBuffer[] {
  if (!(part instanceof Uint8Array) || !(part.buffer instanceof ArrayBuffer)) return []
  return part.byteLength === part.buffer.byteLength ? [part.buffer] : []
}

parentPort!.postMessage('ready')
