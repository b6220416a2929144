import { MAX_BATCH } from './batch.ts'
import { CancelledError } from './in-flight.ts'
import {
  classify,
  code,
  errorText,
  type Incoming,
  internalErrorText,
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  ProtocolError,
  successText
} from './jsonrpc.ts'
import { legacyMethods } from './legacy.ts'
import { EnvelopeError, hasEnvelope, missingEnvelope, serveModern } from './modern.ts'
import { Refusal } from './refusal.ts'
import type { Exchange, Service } from './service.ts'
import { allowsBatches, isLegacyVersion, isModernVersion, legacyVersions } from './versions.ts'

/** What goes back for one POST body. */
export interface Answer {
  /** HTTP status; 200 also carries JSON-RPC errors of the initialize era. */
  readonly status: number
  /** JSON text; undefined when nothing is owed (202). */
  readonly text?: string
  /** Whether the session id belongs on the answer: never on modern ones. */
  readonly era: 'legacy' | 'modern'
}

/**
 * Answers one parsed body, of whichever MCP revision it is. Faults of the service itself are thrown on, for
 * the transport to log and answer.
 */
export async function answer(body: unknown, exchange: Exchange, service: Service): Promise<Answer> {
  try {
    return await answerBody(body, exchange, service)
  } catch (error) {
    // No answer is due to a cancelled call, but the HTTP exchange has to end.
    if (error instanceof CancelledError) return nothingOwed
    throw error
  }
}

type MaybeLater<T> = T | Promise<T>

function answerBody(body: unknown, exchange: Exchange, service: Service): MaybeLater<Answer> {
  if (Array.isArray(body)) return answerBatch(body, exchange, service)
  const incoming = classify(body)
  const modern = incoming.kind === 'request' && hasEnvelope(incoming.message.params)
  if (modern) return answerModern(incoming.message, exchange, service)
  if (isModernVersion(exchange.headers.version)) {
    if (incoming.kind === 'request') return envelopeFault(missingEnvelope(incoming.message), incoming.message)
    if (incoming.kind === 'notification') return { status: 202, era: 'modern' }
  }
  return checkVersionHeader(incoming, exchange) ?? answerLegacy(incoming, exchange, service)
}

const nothingOwed: Answer = { status: 202, era: 'legacy' }

function answerLegacy(incoming: Incoming, exchange: Exchange, service: Service): MaybeLater<Answer> {
  switch (incoming.kind) {
    case 'request':
      return answerRequest(incoming.message, exchange, service)
    case 'notification':
      cancelledBy(incoming.message, exchange, service)
      return nothingOwed
    case 'response':
      return nothingOwed
    case 'invalid':
      return legacy(400, errorText(incoming.id, code.invalidRequest, `Invalid request: ${incoming.why}`))
  }
}

async function answerRequest(request: JsonRpcRequest, exchange: Exchange, service: Service): Promise<Answer> {
  const { id, method } = request
  const serve = legacyMethods.get(method)
  if (serve === undefined)
    return legacy(200, errorText(id, code.methodNotFound, `Unknown method: ${method.slice(0, 100)}`))
  try {
    return legacy(200, successText(id, await serve(request, exchange, service)))
  } catch (error) {
    if (error instanceof ProtocolError) return legacy(200, errorText(id, error.code, error.message))
    throw error
  }
}

/** Stops the call that `notifications/cancelled` names. */
function cancelledBy(
  { method, params }: JsonRpcNotification,
  { sessionKey }: Exchange,
  { inFlight }: Service
) {
  if (method === 'notifications/cancelled' && sessionKey !== undefined && isRequestId(params.requestId))
    inFlight.cancel(sessionKey, params.requestId)
}

async function answerModern(message: JsonRpcRequest, exchange: Exchange, service: Service): Promise<Answer> {
  try {
    return {
      status: 200,
      text: successText(message.id, await serveModern(message, exchange, service)),
      era: 'modern'
    }
  } catch (error) {
    if (error instanceof EnvelopeError) return envelopeFault(error, message)
    if (error instanceof ProtocolError)
      return { status: 200, text: errorText(message.id, error.code, error.message), era: 'modern' }
    throw error
  }
}

const envelopeFault = (error: EnvelopeError, message: JsonRpcRequest): Answer => ({
  status: error.status,
  text: errorText(message.id, error.code, error.message, error.data),
  era: 'modern'
})

/**
 * Batches exist only in revisions up to 2025-03-26, and initialize is never part of one. A session without a
 * handshake has none: only who negotiated them gets them.
 */
async function answerBatch(body: readonly unknown[], exchange: Exchange, service: Service): Promise<Answer> {
  const refuse = (why: string) =>
    legacy(400, errorText(undefined, code.invalidRequest, `Invalid request: ${why}`))
  if (!allowsBatches(exchange.session.version))
    return refuse('batches are not part of this protocol revision.')
  if (body.length === 0 || body.length > MAX_BATCH) return refuse(`a batch has 1 to ${MAX_BATCH} messages.`)
  const incoming = body.map(classify)
  if (
    incoming.some(
      item =>
        item.kind === 'request' && (item.message.method === 'initialize' || hasEnvelope(item.message.params))
    )
  )
    return refuse('this request cannot be part of a batch.')
  // To cancel a call ends the exchange it came with, so a part of one cannot be cancelled.
  const part: Exchange = { ...exchange, cancel: undefined }
  const texts: string[] = []
  for (const item of incoming) {
    const { text } = await answerPart(item, part, service)
    if (text !== undefined) texts.push(text)
  }
  exchange.session = part.session
  return texts.length === 0 ? nothingOwed : legacy(200, `[${texts.join(',')}]`)
}

/** What ends a request alone is the answer of one part here: those before it are done, and their answers are due. */
async function answerPart(item: Incoming, part: Exchange, service: Service): Promise<Answer> {
  try {
    return await answerLegacy(item, part, service)
  } catch (error) {
    if (item.kind !== 'request' || error instanceof CancelledError) throw error
    const { id } = item.message
    service.onPartFailed(error, part.requestId)
    return legacy(
      200,
      error instanceof Refusal
        ? errorText(id, error.code, error.message)
        : internalErrorText(id, part.requestId)
    )
  }
}

function checkVersionHeader(incoming: Incoming, { headers }: Exchange): Answer | undefined {
  const { version } = headers
  if (version === undefined || isLegacyVersion(version)) return undefined
  if (incoming.kind === 'request' && incoming.message.method === 'initialize') return undefined
  const id = incoming.kind === 'request' ? incoming.message.id : undefined
  const supported = legacyVersions.join(', ')
  return legacy(
    400,
    errorText(
      id,
      code.refused,
      `Unsupported protocol version: ${version.slice(0, 40)} (supported: ${supported})`
    )
  )
}

const legacy = (status: number, text: string): Answer => ({ status, text, era: 'legacy' })

/**
 * Whether a first message without a session id starts one: by initialize, or implied by any other request. A
 * batch never does, as it needs a session that negotiated it.
 */
export function startsSession(body: unknown): 'initialize' | 'implicit' | undefined {
  const incoming = classify(body)
  if (incoming.kind !== 'request' || hasEnvelope(incoming.message.params)) return undefined
  return incoming.message.method === 'initialize' ? 'initialize' : 'implicit'
}
