import { isMainThread } from 'node:worker_threads'
import { threadMs } from '../../src/load/thread-ms.ts'

/*
 * Loaded into a server under test before anything else. It writes a line each time the event loop was held for more
 * than three milliseconds of its own thread's processor time, however busy the machine is.
 */

const WORTH_A_LINE_MS = 3

let last = threadMs()
const tick = () => {
  const now = threadMs()
  if (now - last > WORTH_A_LINE_MS) process.stderr.write(`held ${(now - last).toFixed(1)}\n`)
  last = threadMs()
}
if (isMainThread) setInterval(tick, 1).unref()
