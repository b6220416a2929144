import { CancelledError, type CancelSignal, onAbort } from '../base/cancellation.ts'

interface Waiter<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
  forget: () => void
}

/**
 * A result that many callers wait for. A caller that goes meanwhile leaves nothing behind. A promise, in contrast,
 * keeps every callback that was ever attached to it, with all that it refers to, until the promise settles.
 */
export class SharedWait<T> {
  readonly #waiting = new Set<Waiter<T>>()

  /**
   * @param onEnd called when the result settles, before the waiting callers go on; after that nobody can wait for it
   */
  constructor(running: Promise<T>, onEnd: () => void) {
    const all = (settle: (waiter: Waiter<T>) => void): void => {
      onEnd()
      for (const waiter of this.#waiting) {
        waiter.forget()
        settle(waiter)
      }
      this.#waiting.clear()
    }
    running.then(
      value => all(({ resolve }) => resolve(value)),
      error => all(({ reject }) => reject(error))
    )
  }

  /**
   * @param signal ends the wait
   * @throws CancelledError when the signal aborts; also whatever the shared work throws
   */
  wait(signal: CancelSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter<T> = { resolve, reject, forget: () => {} }
      this.#waiting.add(waiter)
      waiter.forget = onAbort(signal, () => {
        this.#waiting.delete(waiter)
        reject(new CancelledError())
      })
    })
  }
}
