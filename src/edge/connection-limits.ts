import type { UnreadLimits } from './unread-answers.ts'

/** What callers may hold by connections; `each` is of one client address, sizes are bytes. */
export const connectionLimits = {
  /** Connections. Those of proxies are not counted: they are as many as their callers need. */
  open: { all: 4096, each: 1024 },
  /** Requests of one connection that are not answered whole. MCP clients and proxies have one. */
  pipelined: 4,
  /** Requests that are not answered whole, by what their headers take. */
  heads: { all: 64 * 1024 * 1024, each: 16 * 1024 * 1024 },
  /** Requests, or as much else, that are read in one turn of the event loop. Of proxies only what comes of large bodies. */
  reads: 16,
  /** Pieces of a body, besides one for each `bytesEach` of it: chunks of a byte cost a thousand times what they hold. */
  pieces: { most: 2000, bytesEach: 32 },
  /** Requests that are begun in one turn of the event loop. */
  turns: 4,
  /** Answers that their callers have not taken yet. */
  unread: { all: 64 * 1024 * 1024, each: 16 * 1024 * 1024 },
  /** How long an answer may wait to be taken, in milliseconds. */
  unreadMs: 30_000,
  /** How long a connection may say nothing while the server leaves, in milliseconds. */
  silentMs: 250,
  /** How long a request that has begun to come may take to its last header while the server leaves, in milliseconds. */
  headersMs: 5_000
} as const

/** Why a connection was cut, for the metrics. */
export const cutReasons = ['pipelined', 'heads', 'crumbs', 'unread', 'slow', 'crowded'] as const
export type CutReason = (typeof cutReasons)[number]

export interface ConnectionLimits extends UnreadLimits {
  readonly open: { readonly all: number; readonly each: number }
  readonly pipelined: number
  readonly heads: { readonly all: number; readonly each: number }
  readonly reads: number
  readonly pieces: { readonly most: number; readonly bytesEach: number }
  readonly turns: number
  readonly silentMs: number
  readonly headersMs: number
}
