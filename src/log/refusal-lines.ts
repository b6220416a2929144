import { refusalSampling, SampledLines, type Write } from './sampled-lines.ts'

/** What a line tells of a request that was refused. */
export interface RefusedRequest {
  /** Undefined where no request could be read. */
  readonly requestId: string | undefined
  readonly status: number
  readonly reason: string | undefined
  /** What may be behind it. */
  readonly hint?: string | undefined
  /** Gives whose it is, where that is known by then; as of an AuditLine. */
  readonly principal?: () => string | undefined
  /** Where it came from. */
  readonly address: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly url: string | undefined
}

/** Characters of what a request brings. */
const MAX_CHARS = 200

/**
 * Lines of refused requests: all of a few, and of many the first in each window for each status and reason. A caller
 * over its limit must not use up the lines of those whose tokens are refused by the same status.
 */
export class RefusalLines {
  readonly #write: Write
  /** Reasons are few: they are words of this service. */
  readonly #lines = new Map<string | undefined, SampledLines>()

  /** @param write makes a line */
  constructor(write: Write) {
    this.#write = write
  }

  add({ host, origin, url, principal, ...request }: RefusedRequest): void {
    this.#linesOf(request.reason).add(request.status, 'request refused', () => ({
      ...request,
      principal: principal?.(),
      host: cut(host),
      origin: cut(origin),
      path: cut(url?.split('?', 1)[0])
    }))
  }

  close(): void {
    for (const lines of this.#lines.values()) lines.close()
  }

  #linesOf(reason: string | undefined): SampledLines {
    let lines = this.#lines.get(reason)
    if (lines === undefined) {
      const write: Write = (fields, message) => this.#write({ ...fields, reason }, message)
      lines = new SampledLines(write, refusalSampling, { kind: 'status', more: 'more requests refused' })
      this.#lines.set(reason, lines)
    }
    return lines
  }
}

const cut = (text: string | undefined): string | undefined => text?.slice(0, MAX_CHARS)
