import {
  type ClientReply,
  InputRequired,
  type Question,
  type Questions,
  type Replies
} from '../../../engine/consent/question.ts'
import { isRecord } from '../../../results/is-record.ts'
import { hasCapability } from '../../../session/client.ts'
import type { Service } from '../../exchange/service.ts'
import { code, type JsonRpcRequest, plainError } from '../../messages/jsonrpc.ts'
import type { Asker } from '../../questions/asker.ts'
import { digestOf, type RequestState } from '../../questions/request-states.ts'

/**
 * Asks questions in 2026-07-28: they are the answer to the request. The client repeats the request with its answers,
 * and with the state that it got along with the questions. Nothing waits, and any replica that has the keys can
 * continue.
 * @param capabilities as bits defined in session/client.ts
 */
export function modernAsker(
  { params }: JsonRpcRequest,
  capabilities: number,
  { requestStates }: Pick<Service, 'requestStates'>
): Asker {
  // A call may ask several times, one after the other. Earlier answers are carried along with the next question.
  const given: { asked: Record<string, string>; replies: Record<string, ClientReply> } = {
    asked: {},
    replies: {}
  }
  return {
    can: capability => hasCapability(capabilities, capability),
    getsAnyAnswer: true,
    checkUnasked() {
      if (params.requestState !== undefined) throw plainError(code.invalidParams, unasked)
    },
    async ask(questions, call) {
      const { requestState, inputResponses = {} } = params
      if (!isRecord(inputResponses)) throw plainError(code.invalidParams, 'inputResponses must be an object.')
      const state = requestState === undefined ? undefined : requestStates.open(requestState, call)
      if (state === undefined && Object.keys(questions).some(key => Object.hasOwn(inputResponses, key)))
        throw plainError(code.invalidParams, withoutState)
      const replies = answered(questions, inputResponses, state)
      Object.assign(given.asked, digests(questions))
      Object.assign(given.replies, replies)
      const open = Object.entries(questions).filter(([key]) => replies[key] === undefined)
      if (open.length === 0) return replies
      const again = open.map(([key, question]) => {
        const remark = remarkOn(key, questions, inputResponses, state)
        return [key, remark === undefined ? question : remarked(question, remark)]
      })
      throw new InputRequired(Object.fromEntries(again), requestStates.seal(call, given.asked, given.replies))
    }
  }
}

const unasked =
  'Nothing is asked about this call now, and nothing was done. If the person agreed, repeat it without requestState and inputResponses.'

const withoutState =
  'inputResponses come with the requestState that came with the questions: send it back as it was, or leave both out to be asked anew.'

/**
 * Says why a question has no usable answer, if the client seems to have made a mistake. MCP requires that names which
 * were never asked for are ignored.
 */
function remarkOn(
  key: string,
  questions: Questions,
  responses: ClientReply,
  state: RequestState | undefined
): string | undefined {
  if (state !== undefined && !Object.hasOwn(state.asked, key)) return undefined
  if (Object.hasOwn(responses, key))
    return isRecord(responses[key])
      ? undefined
      : `what inputResponses had under the name "${key}" was no object, as the result of ${questions[key]!.method} is`
  const isAstray = Object.keys(responses).some(
    name => !Object.hasOwn(questions, name) && !Object.hasOwn(state?.asked ?? {}, name)
  )
  return isAstray ? `inputResponses had no answer under the name "${key}"` : undefined
}

/**
 * The question, with the reason why it is asked again: without the reason, a client would repeat its mistake for ever.
 */
const remarked = ({ method, params }: Question, remark: string): Question => ({
  method,
  params:
    typeof params.message === 'string'
      ? { ...params, message: `${params.message}\n(Asked again: ${remark}.)` }
      : params
})

/** The answers to exactly these questions. Answers to questions with another wording do not count. */
function answered(questions: Questions, responses: ClientReply, state: RequestState | undefined): Replies {
  if (state === undefined) return {}
  const found = Object.entries(questions)
    .filter(([key, question]) => state.asked[key] === digestOf(question))
    .map(([key]) => [key, state.replies[key] ?? responses[key]] as const)
    .filter((entry): entry is readonly [string, ClientReply] => isRecord(entry[1]))
  return Object.fromEntries(found)
}

const digests = (questions: Questions): Record<string, string> =>
  Object.fromEntries(Object.entries(questions).map(([key, question]) => [key, digestOf(question)]))
