import { CancelledError, type CancelSignal, onAbort } from '../base/cancellation.ts'

interface Waiter<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
  forget: () => void
}

/**
 * A result that many wait for. Who goes meanwhile leaves nothing behind: a promise keeps all who have ever waited for it,
 * with what they hold, until it settles.
 */
export class SharedWait<T> {
  readonly #waiting = new Set<Waiter<T>>()

  /** @param onEnd called when it settles, before whoever waits goes on: from then on nobody waits for it */
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

  /** @param signal ends the wait @throws CancelledError then, and what it fails with */
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
