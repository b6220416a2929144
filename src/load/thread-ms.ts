/** Processor time of this thread in milliseconds, which does not grow while other processes use the machine. */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The kernel may update the time of a thread only every 4 ms; work that took less may then count as nothing. */
const KERNEL_MS = 4

/**
 * Begins to measure a piece of work that may take a few microseconds.
 * @returns a function that returns the milliseconds since then: by the clock, but hardly more than this thread had the
 * processor
 */
export function stopwatch(): () => number {
  const cpu = threadMs()
  const began = performance.now()
  return () => {
    const ms = performance.now() - began
    return ms <= KERNEL_MS ? ms : Math.min(ms, threadMs() - cpu + KERNEL_MS)
  }
}

/**
 * Measures the work that begins here, until the returned function is called or the work has nothing more to do at once.
 * Other work that runs in between is not measured.
 * @param tell gets the milliseconds of this thread's processor time, once
 * @returns a function that ends the measurement
 */
export function timed(tell: (ms: number) => void): () => void {
  const began = threadMs()
  let isOver = false
  const end = () => {
    if (!isOver) tell(threadMs() - began)
    isOver = true
  }
  // Promise callbacks run before a tick that was requested in the meantime.
  queueMicrotask(() => process.nextTick(end))
  return end
}
