import type { CancelSignal } from '../../base/cancellation.ts'
import type { View } from '../../catalog/policy/view.ts'
import { bitOf, type ToolsetId } from '../../engine/rows/toolset-id.ts'
import type { Output } from '../../results/result.ts'
import type { Session } from '../../session/store.ts'
import type { Trace } from '../../tracing/context.ts'
import { notificationText } from '../messages/jsonrpc.ts'
import { isModernVersion } from '../messages/versions.ts'
import type { Asker } from '../questions/asker.ts'
import type { ClientLog } from './client-log.ts'
import { changedMethod } from './list-changes.ts'
import type { Progress } from './progress.ts'

/* What the protocol layer gets from one HTTP request or stdio line, whatever its method. */

/** MCP-Protocol-Version, Mcp-Method, Mcp-Name and Mcp-Param-* as sent, when sent. */
export interface MessageHeaders {
  readonly version?: string | undefined
  readonly method?: string | undefined
  readonly name?: string | undefined
  /** @param name without Mcp-Param- */
  readonly param: (name: string) => string | undefined
}

/** One caller's message, with its context. Methods change the session by replacing `session`. */
export interface Exchange {
  session: Session
  /** Narrowing and policy of this request, without what the session activated. */
  readonly view: View
  /** How much of the forge's records this request wants, if it says so. */
  readonly output?: Output | undefined
  /** Whether the client sent the id of a live session. */
  readonly resumed: boolean
  /** Undefined where the transport has none. */
  readonly headers: MessageHeaders | undefined
  /**
   * Whether the session's forge, if it is of the operator, has not recently accepted the caller's token: then no
   * setting that names a project is disclosed.
   */
  readonly isStranger?: () => boolean
  /** The address on the network that the message came from. */
  readonly from?: string | undefined
  /** Whom it is counted for, by that address (holderOf). */
  readonly holder: string
  /** Memory of the body that it came in, which is kept until it is answered; 0 for a small one. */
  readonly bodyBytes?: number
  /** Aborts when the caller has gone, or has cancelled. */
  readonly signal?: CancelSignal
  /** Makes `signal` abort. */
  readonly cancel?: (() => void) | undefined
  /** The key that the session is stored under. */
  readonly storedAs?: string | undefined
  /**
   * Identifies the client of the session while it lives; without it, nothing of this exchange can be cancelled by
   * another.
   */
  readonly sessionKey?: string | undefined
  /** Whether several clients may use the session, whose request ids may collide. */
  readonly shared: boolean
  /** What was corrected in the request, for a person to know. */
  readonly warnings: readonly string[]
  /** Identifies this request in the log and in internal errors. */
  readonly requestId: string
  /** The trace that the request is part of by its headers; a message may name another. */
  readonly trace?: Trace | undefined
  /** Sends a message, JSON text, before the answer; does nothing if the client accepts only the answer. */
  readonly notify: (message: string) => void
  /** Whether its client accepts messages before the answer. */
  readonly streams: boolean
  /** Set if other callers are served at the same time. */
  readonly parts?: AnswerParts
}

/**
 * Paces an answer of many parts, and messages before it, so that they neither delay others nor hold more memory than
 * allowed.
 */
export interface AnswerParts {
  /** Resolves when the next part or message may be produced. */
  next(): Promise<void>
  /** To be called for each part that waits for the rest, with its characters. */
  made(chars: number): void
  /** Resolves when a large answer may be assembled from them. */
  whole(): Promise<void>
}

/** The metadata of a call, besides its arguments. */
export interface CallMeta {
  /** The trace of the caller that it is part of. */
  readonly trace: Trace | undefined
  /** Reports progress to its client, if it wants that. */
  readonly progress: Progress | undefined
  /** Sends log messages to its client, if it wants any. */
  readonly log: ClientLog | undefined
  /** Asks its client something; undefined if nobody can be asked. */
  readonly asker?: Asker
}

/**
 * Activates a toolset for the session, and notifies the client that its tool list changed. In 2026-07-28 there is no
 * session, and no list may depend on earlier calls: what discover_tools answers is all that there is to it.
 */
export function activate(exchange: Exchange, id: ToolsetId): void {
  if (isModernVersion(exchange.session.version)) return
  exchange.session = { ...exchange.session, activated: exchange.session.activated | bitOf(id) }
  exchange.notify(notificationText(changedMethod('tools')))
}

/** What the session may see: the request's view plus the toolsets it activated. */
export const viewOf = ({ view, session }: Exchange): View =>
  session.activated === 0 ? view : { ...view, toolsets: view.toolsets | session.activated }
