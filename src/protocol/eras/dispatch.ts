import { CancelledError } from '../../base/cancellation.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { withoutOwnToken } from '../exchange/own-token.ts'
import type { Service } from '../exchange/service.ts'
import { type Answer, legacyError, nothingOwed, withMethod } from '../messages/answer.ts'
import { classify, code, type Incoming } from '../messages/jsonrpc.ts'
import {
  isLegacyVersion,
  isModernVersion,
  legacyVersions,
  modernVersions,
  shownVersion
} from '../messages/versions.ts'
import { tellIdless } from './idless.ts'
import { answerLegacy } from './legacy/answer.ts'
import { answerBatch } from './legacy/batch.ts'
import { initializeFault } from './legacy/methods.ts'
import { answerModern, refuseModern } from './modern/answer.ts'
import { hasEnvelope, missingEnvelope, modernCode } from './modern/envelope.ts'

/**
 * Answers one parsed body of any MCP revision.
 * @throws errors of the service itself, which the transport logs and answers
 */
export async function answer(body: unknown, exchange: Exchange, service: Service): Promise<Answer> {
  try {
    const given = withMethod(await answerBody(body, exchange, service), body)
    return given.text === undefined ? given : { ...given, text: withoutOwnToken(given.text, exchange) }
  } catch (error) {
    // A cancelled call gets no answer, but the HTTP exchange has to end.
    if (error instanceof CancelledError) return nothingOwed
    throw error
  }
}

function answerBody(body: unknown, exchange: Exchange, service: Service): Answer | Promise<Answer> {
  if (Array.isArray(body)) return answerBatch(body, exchange, service)
  const incoming = classify(body)
  const modern = incoming.kind === 'request' && hasEnvelope(incoming.message.params)
  if (modern) return answerModern(incoming.message, exchange, service)
  if (isModernVersion(exchange.headers?.version)) {
    if (incoming.kind === 'request') return refuseModern(missingEnvelope(incoming.message), incoming.message)
    if (incoming.kind === 'notification') {
      tellIdless(incoming.message, exchange, service)
      return { status: 202, era: 'modern' }
    }
  }
  return checkVersionHeader(incoming, exchange) ?? answerLegacy(incoming, exchange, service)
}

function checkVersionHeader(incoming: Incoming, { headers }: Exchange): Answer | undefined {
  const version = headers?.version
  if (version === undefined || isLegacyVersion(version)) return undefined
  // An invalid message gets the error for an invalid message: its sender may well speak the revision that it names.
  if (incoming.kind === 'invalid') return undefined
  if (incoming.kind === 'request' && incoming.message.method === 'initialize') return undefined
  const id = incoming.kind === 'request' ? incoming.message.id : undefined
  const supported = `${legacyVersions.join(', ')}; with _meta in the body also ${modernVersions.join(', ')}`
  const message = `Unsupported protocol version: ${shownVersion(version)} (supported: ${supported})`
  return { ...legacyError(400, id, { code: code.refused, message }), code: modernCode.unsupportedVersion }
}

/**
 * Whether a message without a session id starts a session: explicitly by initialize, or implicitly by any other
 * request. A batch never starts one, because a session must first negotiate batches. An initialize that is refused
 * starts none either.
 */
export function startsSession(body: unknown): 'initialize' | 'implicit' | 'refused' | undefined {
  const incoming = classify(body)
  if (incoming.kind !== 'request' || hasEnvelope(incoming.message.params)) return undefined
  const { method, params } = incoming.message
  if (method !== 'initialize') return 'implicit'
  return initializeFault(params) === undefined ? 'initialize' : 'refused'
}
