/** Measures pieces of work by a clock of a test: begins with one, and returns what gives the milliseconds since. */
export const stopwatchOf = (now: () => number) => () => {
  const began = now()
  return () => now() - began
}
