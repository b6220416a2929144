import { InputRequired } from '../../../engine/consent/question.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Service } from '../../exchange/service.ts'
import { type Answer, modernAnswer, modernError } from '../../messages/answer.ts'
import {
  CapabilityError,
  code,
  type JsonRpcRequest,
  ProtocolError,
  successText
} from '../../messages/jsonrpc.ts'
import { legacyVersions } from '../../messages/versions.ts'
import { methodOf } from '../../methods/offers.ts'
import { legacyMethods } from '../legacy/methods.ts'
import { unknownMethod } from '../unknown-method.ts'
import { checkVersion, EnvelopeError, metaKey, missingCapability, readEnvelope } from './envelope.ts'
import { checkHeaders, checkVersionHeader } from './headers.ts'
import { modernMethods } from './methods.ts'

/**
 * Answers one request of 2026-07-28.
 * @throws CancelledError, Refusal, and errors of this service
 */
export async function answerModern(
  message: JsonRpcRequest,
  exchange: Exchange,
  service: Service
): Promise<Answer> {
  try {
    return modernAnswer(200, successText(message.id, await serve(message, exchange, service)))
  } catch (error) {
    if (error instanceof EnvelopeError) return refuseModern(error, message)
    if (error instanceof CapabilityError) return refuseModern(missingCapability(error), message)
    if (error instanceof ProtocolError) return modernError(200, message.id, error)
    throw error
  }
}

export const refuseModern = (error: EnvelopeError, { id }: JsonRpcRequest): Answer =>
  modernError(error.status, id, error)

/**
 * @returns the result as JSON
 * @throws ProtocolError; an EnvelopeError if the error has an HTTP status
 */
async function serve(message: JsonRpcRequest, exchange: Exchange, service: Service): Promise<string> {
  const { headers } = exchange
  const envelope = readEnvelope(message)
  if (headers !== undefined) checkVersionHeader(headers, envelope)
  checkVersion(envelope)
  if (headers !== undefined) checkHeaders(headers, message, envelope.version)
  const method = methodOf(modernMethods, message.method, service)
  if (method === undefined) {
    const { message: says, hint } = unknownMethod(
      message.method,
      modernMethods,
      [legacyMethods, legacyVersions],
      service
    )
    throw new EnvelopeError(404, code.methodNotFound, says, { hint })
  }
  const serverInfo = { [metaKey.serverInfo]: service.info }
  const given = await orAsked(() => method(message, exchange, service, envelope))
  if (given instanceof InputRequired) return inputRequired(given, serverInfo)
  return typeof given === 'string'
    ? `{"resultType":"complete","_meta":${JSON.stringify(serverInfo)},${given}}`
    : JSON.stringify({ resultType: 'complete', _meta: { ...serverInfo, ...given } })
}

/** The result of a method, or the questions that its client must answer first. */
async function orAsked<T>(serve: () => T | Promise<T>): Promise<T | InputRequired> {
  try {
    return await serve()
  } catch (error) {
    if (error instanceof InputRequired) return error
    throw error
  }
}

/** The result of a request that needs answers first; it continues when the client repeats it with them. */
const inputRequired = ({ questions, requestState }: InputRequired, meta: object): string =>
  JSON.stringify({
    resultType: 'input_required',
    _meta: meta,
    inputRequests: questions,
    requestState
  })
