/** Milliseconds of this thread's processor, so that a busy machine counts for nobody. */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
