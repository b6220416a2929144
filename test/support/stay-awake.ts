import type { Test } from 'tap'

/**
 * Keeps the process until a test has ended: timers of the service keep none, as its sockets do, and where a test waits for
 * one of them alone Node would end before it.
 */
export function stayAwake(t: Test): void {
  const awake = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(awake))
}
