/** Milliseconds of this thread's processor, so that a busy machine counts for nobody. */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Times what goes on from here, and not what comes in between: until it is said to be over, or has nothing left to do
 * at once.
 * @param tell told of milliseconds of this thread's processor, once
 * @returns says that it is over
 */
export function timed(tell: (ms: number) => void): () => void {
  const began = threadMs()
  let isOver = false
  const end = () => {
    if (!isOver) tell(threadMs() - began)
    isOver = true
  }
  // What is to be done for a promise comes before a tick that was asked for meanwhile.
  queueMicrotask(() => process.nextTick(end))
  return end
}
