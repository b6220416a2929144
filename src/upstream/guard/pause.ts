import { type CancelSignal, onAbort } from '../../base/cancellation.ts'
import { cancelled } from '../errors.ts'

/**
 * Waits for some milliseconds, or until the caller no longer wants an answer.
 * @throws ForgeError cancelled, as a rejection
 */
export function pause(ms: number, signal?: CancelSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      forget()
      resolve()
    }, ms)
    const forget = onAbort(signal, () => {
      clearTimeout(timer)
      reject(cancelled())
    })
  })
}
