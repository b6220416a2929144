import { CallProblem } from '../../results/problem.ts'
import type { ClientCapability } from '../../session/client.ts'

/*
 * Questions of a running tool to its client: a form for a person, a text from its model, or its folders. The protocol
 * era decides how a question is sent; tools do not see that.
 */

/** A request to the client, as MCP has it. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: Readonly<Record<string, unknown>>
}

/** Questions by names that the tool chooses. If a call runs again, it asks the same questions in the same words. */
export type Questions = Readonly<Record<string, Question>>

/** A result that the client sent, which is not trusted. */
export type ClientReply = Readonly<Record<string, unknown>>

/** Answers by the names of the questions. */
export type Replies = Readonly<Record<string, ClientReply>>

/** The capability that a client must have declared for a question. */
export const capabilityFor: Readonly<Record<Question['method'], ClientCapability>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots'
}

/** A question to a person. @param requestedSchema a flat object of texts, numbers, choices and flags */
export const form = (message: string, requestedSchema: object): Question => ({
  method: 'elicitation/create',
  params: { message, requestedSchema }
})

/**
 * How a call was confirmed, or why it was not: `asked`, the question is with the client; `confirmed`, `declined`,
 * `cancelled` (closed without an answer) and `unanswered` by a person; `named`, by the argument `confirm`.
 */
export const consents = ['asked', 'confirmed', 'declined', 'cancelled', 'unanswered', 'named'] as const
export type Consent = (typeof consents)[number]

/** The client of a call, to which questions are sent. */
export interface AskedClient {
  /** Whether it has declared the capability, and can be reached during the call. */
  can(capability: ClientCapability): boolean
  /**
   * Asks all questions at once. With 2026-07-28, the client repeats the call with its answers, and all steps before the
   * questions run again: none of them may change anything.
   * @throws Unanswered, InputRequired, and errors for a client that lacks the capability or has gone
   */
  ask(questions: Questions): Promise<Replies>
  /**
   * Refuses a call that asks nothing and brings answers all the same, as after a change of policy: one may be a no.
   */
  checkUnasked(): void
}

/** Ends the call, which goes on when the client repeats it with its answers. */
export class InputRequired extends Error {
  readonly questions: Questions
  /** The sealed state that the client must send back with its answers. */
  readonly requestState: string
  constructor(questions: Questions, requestState: string) {
    super('The client is asked.')
    this.name = 'InputRequired'
    this.questions = questions
    this.requestState = requestState
  }
}

/** A question was not answered, or could not be asked. @param message whole sentences */
export class Unanswered extends CallProblem {
  constructor(message: string) {
    super(message)
    this.name = 'Unanswered'
  }
}
