/** Processor time of this thread in milliseconds, so that a busy machine does not count. */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The kernel may count the time of a thread only as often as it looks: each 4 ms, for all that took less nothing. */
const KERNEL_MS = 4

/**
 * Begins to measure a piece of work that may take a few microseconds.
 * @returns what gives the milliseconds since: by the clock, but hardly more than this thread had the processor
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
 * Measures the work that begins here, but not what runs in between: until it is said to be over, or has nothing more to
 * do at once.
 * @param tell gets the milliseconds of this thread's processor time, once
 * @returns a function that says that it is over
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
