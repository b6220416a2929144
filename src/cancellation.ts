/** What this service uses of an AbortSignal; every AbortSignal is one. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Tells whoever works for a caller that the answer is not wanted any more. It does what an AbortController does,
 * for a tenth of the price: each call has one, and hardly any is ever used.
 */
export class Cancellation implements CancelSignal {
  #aborted = false
  #listeners: (() => void)[] = []

  get aborted(): boolean {
    return this.#aborted
  }

  /** Calls every listener, once. They are this service's own, and throw nothing. */
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

/** Has a listener called, once: when the signal aborts, or at once where it has. @returns takes it back */
export function onAbort(signal: CancelSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener()
  else signal?.addEventListener('abort', listener, { once: true })
  return () => signal?.removeEventListener('abort', listener)
}

/** The caller wants no answer any more. */
export class CancelledError extends Error {
  constructor() {
    super('The call was cancelled.')
    this.name = 'CancelledError'
  }
}
