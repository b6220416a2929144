import { isAgreed, QUESTION, yes } from '../../../engine/consent/consent-question.ts'
import type { Questions } from '../../../engine/consent/question.ts'
import { isRecord } from '../../../results/is-record.ts'
import { hasCapability } from '../../../session/client.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Service } from '../../exchange/service.ts'
import type { IncomingResponse } from '../../messages/jsonrpc.ts'
import type { Asker, AskingCall } from '../../questions/asker.ts'

/** The first revision with elicitation, by which a client can be asked to show a form. */
const asksFrom = '2025-06-18'

/**
 * Asks questions in the initialize era: as requests on the stream of the call, which waits. No batch gets here, because
 * batches belong to older revisions.
 */
export function legacyAsker(exchange: Exchange, { questions, requestStates, isStateless }: Service): Asker {
  const { holder, notify, session, sessionKey, signal, streams } = exchange
  const isReached = streams && sessionKey !== undefined && session.version >= asksFrom
  return {
    can: capability => isReached && hasCapability(session.capabilities, capability),
    getsAnyAnswer: !isStateless,
    async ask(asked, call) {
      if (hasAgreed(asked, call, exchange, requestStates)) return { [QUESTION]: yes }
      return questions.put(asked, {
        caller: call.caller,
        from: holder,
        sessionKey: sessionKey!,
        idOf: (name, question) => requestStates.sealOne(call, name, question, sessionKey!),
        notify,
        signal
      })
    }
  }
}

/** Whether the session holds a person's yes to exactly this question. This uses the yes up. */
function hasAgreed(
  asked: Questions,
  call: AskingCall,
  exchange: Exchange,
  states: Service['requestStates']
): boolean {
  const { agreed } = exchange.session
  const question = asked[QUESTION]
  if (agreed === undefined || question === undefined) return false
  if (!states.use(agreed, call, question, exchange.holder)) return false
  exchange.session = { ...exchange.session, agreed: undefined }
  return true
}

/**
 * Passes an answer to the call that waits for it. If no call waits, because it has ended or runs on another replica, a
 * yes is kept in the session for a repetition of the call; with sealed ids that works on any replica. Only the first
 * answer to a question counts. A yes that is sent again, as after a broken connection, is not valid for a second call,
 * and a yes after a no is ignored. An answer of another session does not count, and uses up nothing.
 * @returns whether the id may be that of a question, even of one that is over
 */
export function takeResponse(
  response: IncomingResponse,
  exchange: Exchange,
  { questions, requestStates, onUnmatched }: Service
): boolean {
  const spend = () => requestStates.spend(response.id, exchange.holder)
  if (questions.take(exchange.sessionKey, response)) {
    spend()
    return true
  }
  onUnmatched(exchange)
  if (!requestStates.isOfQuestion(response.id)) {
    questions.strayed(exchange.sessionKey)
    return false
  }
  const agreed = requestStates.agreement(response.id, QUESTION, exchange.sessionKey)
  if (agreed === undefined || !spend()) return true
  if (isRecord(response.result) && isAgreed(response.result))
    exchange.session = { ...exchange.session, agreed }
  return true
}
