import type { RefusalReason } from '../metrics/metrics.ts'
import { refusalSampling, SampledLines, type Write } from './sampled-lines.ts'

/** The logged facts of an MCP message that was refused. */
export interface RefusedMessage {
  /** The JSON-RPC error code. */
  readonly code?: number | undefined
  /** As it was sent. */
  readonly method?: string | undefined
}

/** The logged facts of a request that was refused. */
export interface RefusedRequest extends RefusedMessage {
  /** Undefined if no request could be read. */
  readonly requestId: string | undefined
  readonly status: number
  readonly reason: RefusalReason | undefined
  /** The probable cause. */
  readonly hint?: string | undefined
  /** Returns the principal of the request's caller, if it is already known; as in an AuditLine. */
  readonly principal?: () => string | undefined
  /** The address that the request came from; undefined over stdio. */
  readonly address?: string
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly url?: string | undefined
}

/** Most characters of a text from the request. */
const MAX_CHARS = 200

/**
 * Logs refused requests: all if they are few, otherwise the first ones in each window for each status and reason. A
 * caller over its limit must not use up the lines of callers whose tokens are refused with the same status.
 */
export class RefusalLines {
  readonly #write: Write
  readonly #lines = new Map<RefusalReason | undefined, SampledLines>()

  /** @param write writes a line */
  constructor(write: Write) {
    this.#write = write
  }

  add({ host, origin, url, method, principal, ...request }: RefusedRequest): void {
    this.#linesOf(request.reason).add(request.status, 'request refused', () => ({
      ...request,
      method: cut(method),
      principal: principal?.(),
      host: cut(host),
      origin: cut(origin),
      path: cut(url?.split('?', 1)[0])
    }))
  }

  close(): void {
    for (const lines of this.#lines.values()) lines.close()
  }

  #linesOf(reason: RefusalReason | undefined): SampledLines {
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
