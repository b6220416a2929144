/** What a line tells of a request that was refused. */
export interface RefusedRequest {
  readonly requestId: string
  readonly status: number
  readonly reason: string | undefined
  /** Where it came from. */
  readonly address: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly url: string
}

/** A storm of refusals is told by its first lines, and by how many more there were. */
export const refusalLimits = { lines: 20, windowMs: 10_000, chars: 200 } as const

/** Lines of refused requests: all of a few, and of many the first in each window for each status. */
export class RefusalLines {
  readonly #write: (fields: object, message: string) => void
  readonly #counts = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined

  /** @param write makes a line */
  constructor(write: (fields: object, message: string) => void) {
    this.#write = write
  }

  add({ host, origin, url, ...request }: RefusedRequest): void {
    const count = (this.#counts.get(request.status) ?? 0) + 1
    this.#counts.set(request.status, count)
    this.#timer ??= setTimeout(() => this.#sumUp(), refusalLimits.windowMs).unref()
    if (count > refusalLimits.lines) return
    const named = { host: cut(host), origin: cut(origin), path: cut(url.split('?', 1)[0]) }
    this.#write({ ...request, ...named }, 'request refused')
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#sumUp()
  }

  #sumUp(): void {
    this.#timer = undefined
    for (const [status, count] of this.#counts)
      if (count > refusalLimits.lines)
        this.#write({ status, more: count - refusalLimits.lines }, 'more requests refused')
    this.#counts.clear()
  }
}

const cut = (text: string | undefined): string | undefined => text?.slice(0, refusalLimits.chars)
