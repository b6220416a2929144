import type { CancelSignal } from '../cancellation.ts'
import { bitOf, type ToolsetId } from '../catalog/toolset-id.ts'
import type { View } from '../catalog/view.ts'
import type { Output } from '../results/result.ts'
import type { Session } from '../session/store.ts'
import type { Trace } from '../tracing/context.ts'
import type { Asker } from './asker.ts'
import type { ClientLog } from './client-log.ts'
import { notificationText } from './jsonrpc.ts'
import { changedMethod } from './list-changes.ts'
import type { Progress } from './progress.ts'

/* What one HTTP request or stdio line gives the protocol, whatever it asks for. */

/** MCP-Protocol-Version, Mcp-Method, Mcp-Name and Mcp-Param-* as sent, when sent. */
export interface MessageHeaders {
  readonly version?: string | undefined
  readonly method?: string | undefined
  readonly name?: string | undefined
  /** @param name without Mcp-Param- */
  readonly param: (name: string) => string | undefined
}

/** One caller's message on its way through the protocol. Methods replace `session` to change it. */
export interface Exchange {
  session: Session
  /** Narrowing and policy of this request, without what the session activated. */
  readonly view: View
  /** How much of the forge's records this request wants, where it says so. */
  readonly output?: Output | undefined
  /** The client came with a live session id. */
  readonly resumed: boolean
  /** Undefined where the transport has none. */
  readonly headers: MessageHeaders | undefined
  /** No forge of the operator's has lately taken the caller's token: no setting that names a project is told to it. */
  readonly isStranger?: boolean
  /** The address on the network that the message came from. */
  readonly from?: string | undefined
  /** What the body that it came in takes of memory, which is kept until it is answered; 0 for a small one. */
  readonly bodyBytes?: number
  /** Aborts when the caller has gone, or has cancelled. */
  readonly signal?: CancelSignal
  /** Makes `signal` abort. */
  readonly cancel?: (() => void) | undefined
  /** Names the session while it lives; without it nothing of this exchange can be cancelled by another. */
  readonly sessionKey?: string | undefined
  /** Several clients may be behind it, whose request ids are the same at times. */
  readonly shared: boolean
  /** What was put right in the request on the way, for a person to know. */
  readonly warnings: readonly string[]
  /** Names this request in the log and in internal errors. */
  readonly requestId: string
  /** The trace that the request is part of by its headers; a message may name another. */
  readonly trace?: Trace | undefined
  /** Sends a message, JSON text, before the answer; to a client that takes nothing but the answer, none. */
  readonly notify: (message: string) => void
  /** Its client takes messages before the answer. */
  readonly streams: boolean
  /** Where others are served beside it. */
  readonly parts?: AnswerParts
}

/** What an answer of many parts is made by, so that it holds up nobody else, nor holds more than may be held. */
export interface AnswerParts {
  /** Comes back when the next part may be made. */
  next(): Promise<void>
  /** Told of each part that waits for the rest, in characters. */
  made(chars: number): void
  /** Comes back when many characters of them may be put together. */
  whole(): Promise<void>
}

/** What a call says of itself besides its arguments. */
export interface CallMeta {
  /** The operation of the caller that it is part of. */
  readonly trace: Trace | undefined
  /** Where its client is told how far it is, when it wants to know. */
  readonly progress: Progress | undefined
  /** Where its client is told what a person may want to know, when it wants to hear any of it. */
  readonly log: ClientLog | undefined
  /** The way to its client, to ask it something; without it nobody can be asked. */
  readonly asker?: Asker
}

/** Switches a toolset on for the session, and has the client told that its list changed. */
export function activate(exchange: Exchange, id: ToolsetId): void {
  exchange.session = { ...exchange.session, activated: exchange.session.activated | bitOf(id) }
  exchange.notify(notificationText(changedMethod('tools')))
}

/** What the session may see: the request's view plus the toolsets it activated. */
export const viewOf = ({ view, session }: Exchange): View =>
  session.activated === 0 ? view : { ...view, toolsets: view.toolsets | session.activated }
