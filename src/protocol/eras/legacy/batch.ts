import { CancelledError } from '../../../base/cancellation.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Service } from '../../exchange/service.ts'
import { type Answer, legacyAnswer, legacyError, nothingOwed } from '../../messages/answer.ts'
import { classify, code, type Incoming } from '../../messages/jsonrpc.ts'
import { failureText } from '../../messages/refusal.ts'
import { allowsBatches } from '../../messages/versions.ts'
import { hasEnvelope } from '../modern/envelope.ts'
import { answerLegacy } from './answer.ts'

/** Most messages of a batch. */
const MAX_BATCH = 50
/** Characters of answers after which no further part is started: they are sent in one piece. */
const MAX_CHARS = 1_000_000
/** Characters of answers from which assembling takes so long that others get a turn in between. */
const LARGE_CHARS = 64 * 1024

/** How many requests of a batch want an answer; none if it is refused for its length. */
export const requestsIn = (batch: readonly unknown[]): number =>
  batch.length > MAX_BATCH ? 0 : batch.filter(item => classify(item).kind === 'request').length

/**
 * Batches exist only in revisions up to 2025-03-26, and initialize is never part of one. A session without a handshake
 * has no batches: they must be negotiated.
 */
export async function answerBatch(
  body: readonly unknown[],
  exchange: Exchange,
  service: Service
): Promise<Answer> {
  if (!allowsBatches(exchange.session.version))
    return refuse('batches are for sessions of 2025-03-26 and before: send one message at a time.')
  if (body.length === 0 || body.length > MAX_BATCH)
    return refuse(`a batch has 1 to ${MAX_BATCH} messages, not ${body.length}.`)
  const incoming = body.map(classify)
  if (incoming.some(isAlone))
    return refuse(
      'an initialize, or a request with a revision in _meta, cannot be part of a batch: send it alone.'
    )
  // Cancelling a call ends its whole exchange, so a single part cannot be cancelled.
  const part: Exchange = { ...exchange, cancel: undefined }
  const texts = await partsOf(incoming, part, service)
  exchange.session = part.session
  return texts.length === 0 ? nothingOwed : legacyAnswer(200, `[${texts.join(',')}]`)
}

/** The answers that are due, one part after the other. */
async function partsOf(incoming: readonly Incoming[], part: Exchange, service: Service): Promise<string[]> {
  const texts: string[] = []
  let chars = 0
  for (const [at, item] of incoming.entries()) {
    if (at > 0) await part.parts?.next()
    const { text } = chars < MAX_CHARS ? await answerPart(item, part, service) : notBegun(item)
    if (text === undefined) continue
    chars += text.length
    texts.push(text)
    part.parts?.made(text.length)
    // The caller has gone: nobody receives the answers.
    if (part.signal?.aborted) texts.length = 0
  }
  if (chars > LARGE_CHARS) await part.parts?.whole()
  return part.signal?.aborted ? [] : texts
}

function notBegun(item: Incoming): Answer {
  if (item.kind !== 'request') return nothingOwed
  const why = 'Not begun: the answers of this batch are too long together. Send this request again, alone.'
  return legacyError(200, item.message.id, code.refused, why)
}

const isAlone = (item: Incoming): boolean =>
  item.kind === 'request' && (item.message.method === 'initialize' || hasEnvelope(item.message.params))

const refuse = (why: string): Answer =>
  legacyError(400, undefined, code.invalidRequest, `Invalid request: ${why}`)

/**
 * An error that would end a single request becomes the answer of one part here: the parts before it are done, and their
 * answers are due.
 */
async function answerPart(item: Incoming, part: Exchange, service: Service): Promise<Answer> {
  try {
    return await answerLegacy(item, part, service)
  } catch (error) {
    if (item.kind !== 'request' || error instanceof CancelledError) throw error
    service.onFailure(error, part.requestId)
    return legacyAnswer(200, failureText(error, item.message.id, part.requestId))
  }
}
