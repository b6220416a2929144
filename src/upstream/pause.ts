import type { CancelSignal } from '../cancellation.ts'
import { cancelled } from './errors.ts'

/** Waits some milliseconds, or until the caller wants no answer any more. @throws ForgeError cancelled, as a rejection */
export function pause(ms: number, signal?: CancelSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer)
      reject(cancelled())
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
  })
}
