/** The part of AbortSignal that this service uses; every AbortSignal fits. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Tells the code that works for a caller that the answer is no longer wanted. It does the same as an AbortController,
 * at a tenth of the cost: each call has one, and hardly any is ever used.
 */
export class Cancellation implements CancelSignal {
  #aborted = false
  #listeners: (() => void)[] = []

  get aborted(): boolean {
    return this.#aborted
  }

  /** Calls every listener once. Listeners belong to this service, and must not throw. */
  abort(): void {
    if (this.#aborted) return
    this.#aborted = true
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }
}

/**
 * Calls a listener once: when the signal aborts, or at once if it already has.
 * @returns a function that removes the listener
 */
export function onAbort(signal: CancelSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener()
  else signal?.addEventListener('abort', listener, { once: true })
  return () => signal?.removeEventListener('abort', listener)
}

/**
 * Waits for a promise, but no longer than until a signal aborts. So a caller that waits for a turn, which cannot be
 * given back, keeps nothing in memory for it after it has gone.
 * @param aborted returns the error to reject with when the signal aborts
 * @throws also whatever `waited` rejects with
 */
export function unlessAborted<T>(
  waited: Promise<T>,
  signal: CancelSignal | undefined,
  aborted: () => unknown
): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(aborted()))
    const settled =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        forget()
        settle(value)
      }
    waited.then(settled(resolve), settled(reject))
  })
}

/** The error for work whose caller no longer wants an answer. */
export class CancelledError extends Error {
  constructor() {
    super('The call was cancelled.')
    this.name = 'CancelledError'
  }
}
