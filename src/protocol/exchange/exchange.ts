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

/* The input of the protocol layer, made from one HTTP request or stdio line, whatever its method. */

/** MCP-Protocol-Version, Mcp-Method, Mcp-Name and Mcp-Param-* as they were sent; undefined if they were not. */
export interface MessageHeaders {
  readonly version?: string | undefined
  readonly method?: string | undefined
  readonly name?: string | undefined
  /** @param name without the prefix Mcp-Param- */
  readonly param: (name: string) => string | undefined
}

/** One caller's message, with its context. Methods change the session by replacing `session`. */
export interface Exchange {
  session: Session
  /**
   * The view of this request: the policy, and how the request narrows it. Toolsets that the session activated are not
   * included.
   */
  readonly view: View
  /** How much of the forge's records the answer to this request shows, if the request says so. */
  readonly output?: Output | undefined
  /** Whether the client sent the id of a live session. */
  readonly resumed: boolean
  /** Undefined if the transport has no headers. */
  readonly headers: MessageHeaders | undefined
  /**
   * Whether the session uses the operator's forge and that forge has not recently accepted the caller's token. If so,
   * no setting that names a project is disclosed.
   */
  readonly isStranger?: () => boolean
  /** The address on the network that the message came from. */
  readonly from?: string | undefined
  /** The holder that the message counts for, by that address (holderOf). */
  readonly holder: string
  /** Memory of the message's body, in bytes, which is kept until the message is answered; 0 for a small body. */
  readonly bodyBytes?: number
  /** Aborts when the caller has gone, or has cancelled. */
  readonly signal?: CancelSignal
  /** Makes `signal` abort. */
  readonly cancel?: (() => void) | undefined
  /** The key under which the session is stored. */
  readonly storedAs?: string | undefined
  /**
   * Identifies the client of the session while the session lives. If undefined, no other message can cancel anything of
   * this exchange.
   */
  readonly sessionKey?: string | undefined
  /** Whether several clients may use the session, so that their request ids may collide. */
  readonly shared: boolean
  /** Corrections that were made to the request, for a person to know. */
  readonly warnings: readonly string[]
  /** Identifies this request in the log and in internal errors. */
  readonly requestId: string
  /** The trace that the request belongs to according to its headers; a message may name another. */
  readonly trace?: Trace | undefined
  /** Sends a message, as JSON text, before the answer. Does nothing if the client accepts only the answer. */
  readonly notify: (message: string) => void
  /** Whether the client accepts messages before the answer. */
  readonly streams: boolean
  /** Set if other callers are served at the same time. */
  readonly parts?: AnswerParts
}

/**
 * Paces an answer of many parts, and the messages before it, so that they neither delay others nor hold more memory
 * than allowed.
 */
export interface AnswerParts {
  /** Resolves when the next part or message may be produced. */
  next(): Promise<void>
  /** To be called for each part that waits for the rest, with its number of characters. */
  made(chars: number): void
  /** Resolves when a large answer may be assembled from its parts. */
  whole(): Promise<void>
}

/** The metadata of a call, beside its arguments. */
export interface CallMeta {
  /** The caller's trace that the call belongs to. */
  readonly trace: Trace | undefined
  /** Reports progress to the client, if it wants that. */
  readonly progress: Progress | undefined
  /** Sends log messages to the client, if it wants any. */
  readonly log: ClientLog | undefined
  /** Asks the client; undefined if nobody can be asked. */
  readonly asker?: Asker
}

/**
 * Activates a toolset for the session, and notifies the client that its tool list has changed. In 2026-07-28 there is
 * no session, and no list may depend on earlier calls: there, discover_tools only returns its answer.
 */
export function activate(exchange: Exchange, id: ToolsetId): void {
  if (isModernVersion(exchange.session.version)) return
  exchange.session = { ...exchange.session, activated: exchange.session.activated | bitOf(id) }
  exchange.notify(notificationText(changedMethod('tools')))
}

/** The view of the session: the request's view plus the toolsets that the session activated. */
export const viewOf = ({ view, session }: Exchange): View =>
  session.activated === 0 ? view : { ...view, toolsets: view.toolsets | session.activated }
