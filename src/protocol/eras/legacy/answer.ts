import type { Exchange } from '../../exchange/exchange.ts'
import { cancelledBy } from '../../exchange/in-flight.ts'
import type { Service } from '../../exchange/service.ts'
import { type Answer, invalidRequest, legacyAnswer, legacyError, nothingOwed } from '../../messages/answer.ts'
import {
  code,
  type Incoming,
  type JsonRpcRequest,
  ProtocolError,
  successText
} from '../../messages/jsonrpc.ts'
import { modernVersions } from '../../messages/versions.ts'
import { methodOf } from '../../methods/offers.ts'
import { tellIdless } from '../idless.ts'
import { modernMethods } from '../modern/methods.ts'
import { unknownMethod } from '../unknown-method.ts'
import { takeResponse } from './asker.ts'
import { legacyMethods } from './methods.ts'

/**
 * Answers one message of the initialize era.
 * @throws CancelledError, Refusal, and errors of this service
 */
export function answerLegacy(
  incoming: Incoming,
  exchange: Exchange,
  service: Service
): Answer | Promise<Answer> {
  switch (incoming.kind) {
    case 'request':
      return answerRequest(incoming.message, exchange, service)
    case 'notification':
      cancelledBy(incoming.message, exchange.sessionKey, service.inFlight)
      tellIdless(incoming.message, exchange, service)
      return nothingOwed
    case 'response':
      // Over stdio there are no headers, and the process stands for the session. In stateless mode the credential does.
      if (exchange.headers !== undefined && !exchange.resumed && !service.isStateless)
        return invalidRequest(undefined, answersNobody)
      // Over stdio the refusal would be an answer to an answer. Without a session, the answer may be for a question of
      // another replica.
      if (
        !takeResponse(incoming.message, exchange, service) &&
        exchange.headers !== undefined &&
        exchange.resumed
      )
        return invalidRequest(undefined, answersNone)
      return nothingOwed
    case 'invalid':
      return invalidRequest(incoming.id, incoming.why)
  }
}

const answersNobody =
  'an answer belongs to the session whose call asked. Send it again with the Mcp-Session-Id of that call.'

const answersNone =
  'no question has this id. An answer bears the id of the request that asks (such as elicitation/create), as it came: not that of the call.'

async function answerRequest(request: JsonRpcRequest, exchange: Exchange, service: Service): Promise<Answer> {
  const { id, method } = request
  const serve = methodOf(legacyMethods, method, service)
  if (serve === undefined) {
    const said = unknownMethod(method, legacyMethods, [modernMethods, modernVersions], service)
    return legacyError(200, id, { code: code.methodNotFound, ...said })
  }
  try {
    return legacyAnswer(200, successText(id, await serve(request, exchange, service)))
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    // An invalid request that is detected here gets the same status as an invalid message.
    const status = error.code === code.invalidRequest ? 400 : 200
    return legacyError(status, id, error)
  }
}
