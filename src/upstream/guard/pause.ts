import type { CancelSignal } from '../../base/cancellation.ts'
import { cancelled } from '../errors.ts'

/**
 * Waits for some milliseconds, or until one of the signals aborts: mostly as the caller no longer wants an answer.
 * @throws ForgeError cancelled, as a rejection
 */
export function pause(ms: number, ...signals: readonly (CancelSignal | undefined)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      for (const signal of signals) signal?.removeEventListener('abort', cancel)
    }
    const cancel = () => {
      end()
      reject(cancelled())
    }
    const timer = setTimeout(() => {
      end()
      resolve()
    }, ms)
    if (signals.some(signal => signal?.aborted)) cancel()
    else for (const signal of signals) signal?.addEventListener('abort', cancel, { once: true })
  })
}
