import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a condition holds. A test that waits in vain ends by its time limit. */
export async function until(isSo: () => unknown): Promise<void> {
  while (!(await isSo())) await sleep(5)
}
