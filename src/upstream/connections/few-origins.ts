import { Dispatcher } from 'undici'

/**
 * Most origins of one dispatcher. A forge's answers normally lead to its own origin, and to those of its logs and
 * archives.
 */
const MAX_ORIGINS = 64

/**
 * A dispatcher that is replaced once it has been used for many origins. Behind a proxy, undici's own dispatchers keep a
 * pool for each plain http origin as long as they live, and a forge can redirect to as many as it likes.
 */
export class FewOrigins extends Dispatcher {
  readonly #make: () => Dispatcher
  readonly #most: number
  readonly #origins = new Set<string>()
  /** Replaced dispatchers with requests under way, until those are over. */
  readonly #former = new Map<Dispatcher, Promise<void>>()
  #now: Dispatcher

  constructor(make: () => Dispatcher, most = MAX_ORIGINS) {
    super()
    this.#make = make
    this.#most = most
    this.#now = make()
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const origin = String(options.origin)
    if (!this.#origins.has(origin)) {
      if (this.#origins.size >= this.#most) this.#renew()
      this.#origins.add(origin)
    }
    return this.#now.dispatch(options, handler)
  }

  #renew(): void {
    const former = this.#now
    const gone = () => void this.#former.delete(former)
    this.#former.set(former, former.close().then(gone, gone))
    this.#now = this.#make()
    this.#origins.clear()
  }

  override async close(): Promise<void> {
    await Promise.all([this.#now.close(), ...this.#former.values()])
  }

  override async destroy(): Promise<void> {
    await Promise.all([this.#now, ...this.#former.keys()].map(one => one.destroy()))
  }
}
