import { InputRequired, type Questions, type Replies, type Reply } from '../../../engine/consent/question.ts'
import { isRecord } from '../../../results/is-record.ts'
import { hasCapability } from '../../../session/client.ts'
import type { Service } from '../../exchange/service.ts'
import { code, type JsonRpcRequest, ProtocolError } from '../../messages/jsonrpc.ts'
import type { Asker } from '../../questions/asker.ts'
import { digestOf, type RequestStates } from '../../questions/request-states.ts'

/**
 * Asks questions in 2026-07-28: the request is answered with them, and the client repeats it with the answers and the
 * state that it got with the questions. Nothing waits, and any replica with the keys can continue.
 * @param capabilities as bits of session/client.ts
 */
export function modernAsker(
  { params }: JsonRpcRequest,
  capabilities: number,
  { requestStates }: Pick<Service, 'requestStates'>
): Asker {
  // A call may ask several times, one after the other: earlier answers are carried along with the next question.
  const given: { asked: Record<string, string>; replies: Record<string, Reply> } = { asked: {}, replies: {} }
  return {
    can: capability => hasCapability(capabilities, capability),
    getsAnyAnswer: true,
    async ask(questions, call) {
      const { requestState, inputResponses = {} } = params
      if (!isRecord(inputResponses))
        throw new ProtocolError(code.invalidParams, 'inputResponses must be an object.')
      // Answers without their state are ignored.
      const state = requestState === undefined ? undefined : requestStates.open(requestState, call)
      const replies = answered(questions, inputResponses, state)
      Object.assign(given.asked, digests(questions))
      Object.assign(given.replies, replies)
      const open = Object.entries(questions).filter(([key]) => replies[key] === undefined)
      if (open.length === 0) return replies
      throw new InputRequired(Object.fromEntries(open), requestStates.seal(call, given.asked, given.replies))
    }
  }
}

type State = ReturnType<RequestStates['open']>

/** The answers to exactly these questions. Answers to questions in other words do not count. */
function answered(questions: Questions, responses: Reply, state: State | undefined): Replies {
  if (state === undefined) return {}
  const found = Object.entries(questions)
    .filter(([key, question]) => state.asked[key] === digestOf(question))
    .map(([key]) => [key, state.replies[key] ?? responses[key]] as const)
    .filter((entry): entry is readonly [string, Reply] => isRecord(entry[1]))
  return Object.fromEntries(found)
}

const digests = (questions: Questions): Record<string, string> =>
  Object.fromEntries(Object.entries(questions).map(([key, question]) => [key, digestOf(question)]))
