import { CallProblem } from '../results/problem.ts'
import type { ClientCapability } from '../session/client.ts'

/*
 * What a tool may ask of its client while it runs: a person for a form, a model for words, the client for its folders.
 * How a question gets there differs by era; a tool does not see it.
 */

/** A request to the client, as MCP has it. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: Readonly<Record<string, unknown>>
}

/** By names that the tool chooses. One call asks the same in the same words each time it gets there. */
export type Questions = Readonly<Record<string, Question>>

/** A result of the client. Nothing of it is trusted. */
export type Reply = Readonly<Record<string, unknown>>

/** By the names of the questions. */
export type Replies = Readonly<Record<string, Reply>>

/** What a client has to have declared to be asked that. */
export const capabilityFor: Readonly<Record<Question['method'], ClientCapability>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots'
}

/** A question to a person. @param requestedSchema one object of texts, numbers, choices and flags */
export const form = (message: string, requestedSchema: object): Question => ({
  method: 'elicitation/create',
  params: { message, requestedSchema }
})

/** The client of a call, as far as it can be asked. */
export interface AskedClient {
  /** Whether it has said that it can, and can be reached before the answer. */
  can(capability: ClientCapability): boolean
  /**
   * Asks all of the questions at once. What comes before runs again where the client comes back with its answers
   * (2026-07-28), so nothing may have been changed yet.
   * @throws Unanswered, InputRequired, and what tells that the client is not able or has gone
   */
  ask(questions: Questions): Promise<Replies>
}

/** The call ends here, and goes on when the client calls again with its answers. */
export class InputRequired extends Error {
  readonly questions: Questions
  /** What the client has to bring with its answers, which it cannot read or make. */
  readonly requestState: string
  constructor(questions: Questions, requestState: string) {
    super('The client is asked.')
    this.name = 'InputRequired'
    this.questions = questions
    this.requestState = requestState
  }
}

/** The client was asked, or was to be, and no answer came. @param message whole sentences */
export class Unanswered extends CallProblem {
  constructor(message: string) {
    super(message)
    this.name = 'Unanswered'
  }
}
