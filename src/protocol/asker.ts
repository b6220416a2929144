import type { Questions, Replies } from '../engine/question.ts'
import type { ClientCapability } from '../session/client.ts'

/** The call that asks: what an answer is good for. */
export interface AskingCall {
  /** A digest of the caller's token. */
  readonly caller: string
  readonly tool: string
  /** As they came. */
  readonly args: unknown
  /** The forge that the call is for. */
  readonly forge: string
}

/** The way to the client of a request, which differs by era. */
export interface Asker {
  /** Whether the client has declared it and can be reached before the answer. */
  can(capability: ClientCapability): boolean
  /** @throws Unanswered, InputRequired, CancelledError, ProtocolError for answers that are of no use */
  ask(questions: Questions, call: AskingCall): Promise<Replies>
}
