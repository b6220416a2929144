import type { Questions, Replies } from '../../engine/consent/question.ts'
import type { ClientCapability } from '../../session/client.ts'

/** The call that asks a question. An answer is valid only for this call. */
export interface AskingCall {
  /** A digest of the caller's token. */
  readonly caller: string
  readonly tool: string
  /** As received. */
  readonly args: unknown
  /** The forge that the call is for. */
  readonly forge: string
}

/** Asks the client of a request. How it does so depends on the era. */
export interface Asker {
  /** Whether the client has declared the capability and can be asked before the answer. */
  can(capability: ClientCapability): boolean
  /**
   * Whether any answer reaches the request that asks. If the client may send the answer to another replica, only a yes
   * is passed on, with a repetition of the call.
   */
  readonly getsAnyAnswer: boolean
  /** @throws Unanswered, InputRequired, CancelledError; ProtocolError for unusable answers */
  ask(questions: Questions, call: AskingCall): Promise<Replies>
  /** @throws ProtocolError if the request brings answers, though its call asks nothing */
  checkUnasked?(): void
}
