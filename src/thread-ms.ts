/** Milliseconds of this thread's processor, so that a busy machine counts for nobody; before Node 22.19 of the clock. */
export const threadMs = (): number => {
  const used = process.threadCpuUsage?.()
  return used === undefined ? performance.now() : (used.user + used.system) / 1000
}
