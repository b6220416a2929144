import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into a server under test before anything else: writes a line for each time that its event loop was held for
 * some milliseconds of its own thread's processor time, however busy the machine is.
 */

const WORTH_A_LINE_MS = 3

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let last = cpuMs()
const tick = () => {
  const now = cpuMs()
  if (now - last > WORTH_A_LINE_MS) process.stderr.write(`held ${(now - last).toFixed(1)}\n`)
  last = cpuMs()
}
if (isMainThread) setInterval(tick, 1).unref()
