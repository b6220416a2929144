import {
  InputRequired,
  type Question,
  type Questions,
  type Replies,
  type Reply
} from '../../../engine/consent/question.ts'
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
      const state = requestState === undefined ? undefined : requestStates.open(requestState, call)
      if (state === undefined && Object.keys(questions).some(key => Object.hasOwn(inputResponses, key)))
        throw new ProtocolError(code.invalidParams, withoutState)
      const replies = answered(questions, inputResponses, state)
      Object.assign(given.asked, digests(questions))
      Object.assign(given.replies, replies)
      const open = Object.entries(questions).filter(([key]) => replies[key] === undefined)
      if (open.length === 0) return replies
      const again = open.map(([key, question]) => [
        key,
        isAstray(key, questions, inputResponses, state) ? remarked(key, question) : question
      ])
      throw new InputRequired(Object.fromEntries(again), requestStates.seal(call, given.asked, given.replies))
    }
  }
}

const withoutState =
  'inputResponses come with the requestState that came with the questions: send it back as it was, or leave both out to be asked anew.'

type State = ReturnType<RequestStates['open']>

/** Whether an answer to a question seems to have come under a name that was never asked. MCP has such names ignored. */
const isAstray = (key: string, questions: Questions, responses: Reply, state: State | undefined): boolean =>
  (state === undefined || Object.hasOwn(state.asked, key)) &&
  !Object.hasOwn(responses, key) &&
  Object.keys(responses).some(
    name => !Object.hasOwn(questions, name) && !Object.hasOwn(state?.asked ?? {}, name)
  )

/** The question, with why it is asked again: a client that is not told would go on for ever. */
const remarked = (key: string, { method, params }: Question): Question => ({
  method,
  params:
    typeof params.message === 'string'
      ? {
          ...params,
          message: `${params.message}\n(Asked again: inputResponses had no answer under the name "${key}".)`
        }
      : params
})

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
