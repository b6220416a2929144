import type { Test } from 'tap'

/**
 * Keeps the process alive until a test has ended. The service's sockets keep it alive, but its timers do not. If a test
 * waited only for such a timer, Node would end first.
 */
export function stayAwake(t: Test): void {
  const awake = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(awake))
}
