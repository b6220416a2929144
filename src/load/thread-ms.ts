/** Processor time of this thread in milliseconds, so that a busy machine does not count. */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
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
