/** A stopwatch on a test's clock: calling it starts a measurement, and what it returns gives the milliseconds since. */
export const stopwatchOf = (now: () => number) => () => {
  const began = now()
  return () => now() - began
}
