import { CancelledError } from '../../../base/cancellation.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Service } from '../../exchange/service.ts'
import {
  type Answer,
  invalidRequest,
  legacyAnswer,
  legacyError,
  nothingOwed,
  withMethod
} from '../../messages/answer.ts'
import { classify, code, type Incoming } from '../../messages/jsonrpc.ts'
import { failureText } from '../../messages/refusal.ts'
import { allowsBatches } from '../../messages/versions.ts'
import { hasEnvelope } from '../modern/envelope.ts'
import { answerLegacy } from './answer.ts'

/** Most messages in a batch. */
const MAX_BATCH = 50
/**
 * Characters of answers after which no further message of a batch is started, because all answers are sent in one
 * piece.
 */
const MAX_CHARS = 1_000_000
/** Characters of answers from which assembling them takes so long that other callers get a turn in between. */
const LARGE_CHARS = 64 * 1024

/** How many requests of a batch need an answer; 0 if the batch is refused for its length. */
export const requestsIn = (batch: readonly unknown[]): number =>
  batch.length > MAX_BATCH ? 0 : batch.filter(item => classify(item).kind === 'request').length

/**
 * Answers a batch. Batches exist only in revisions up to 2025-03-26, and initialize is never part of one. A session
 * without a handshake has no batches, because they must be negotiated.
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
  // Cancelling a call ends its whole exchange, so a single message of a batch cannot be cancelled.
  const part: Exchange = { ...exchange, cancel: undefined }
  const { texts, refused } = await partsOf(incoming, part, service)
  exchange.session = part.session
  return texts.length === 0 ? nothingOwed : { ...refused, ...legacyAnswer(200, `[${texts.join(',')}]`) }
}

/**
 * Answers the messages of a batch, one after the other.
 * @returns the answers that are due, and the first of them that is a refusal
 */
async function partsOf(incoming: readonly Incoming[], part: Exchange, service: Service) {
  const texts: string[] = []
  let refused: Answer | undefined
  let chars = 0
  for (const [at, item] of incoming.entries()) {
    if (at > 0) await part.parts?.next()
    // The caller has gone: nobody receives the answers, and messages that have not begun are not wanted any more.
    if (part.signal?.aborted) return { texts: [], refused: undefined }
    const answer = chars < MAX_CHARS ? await answerPart(item, part, service) : notBegun(item)
    const { text } = answer
    if (text === undefined) continue
    if (answer.code !== undefined) refused ??= answer
    chars += text.length
    texts.push(text)
    part.parts?.made(text.length)
  }
  if (chars > LARGE_CHARS) await part.parts?.whole()
  return { texts: part.signal?.aborted ? [] : texts, refused }
}

function notBegun(item: Incoming): Answer {
  if (item.kind !== 'request') return nothingOwed
  const why = 'Not begun: the answers of this batch are too long together. Send this request again, alone.'
  const error = { code: code.refused, message: why, hint: why }
  return withMethod(legacyError(200, item.message.id, error), item.message)
}

const isAlone = (item: Incoming): boolean =>
  item.kind === 'request' && (item.message.method === 'initialize' || hasEnvelope(item.message.params))

const refuse = (why: string): Answer => invalidRequest(undefined, why)

/**
 * Answers one message of a batch. An error that would end a single request becomes the answer to this message: the
 * earlier messages are done, and their answers are due.
 */
async function answerPart(item: Incoming, part: Exchange, service: Service): Promise<Answer> {
  try {
    const answer = await answerLegacy(item, part, service)
    return item.kind === 'invalid' ? answer : withMethod(answer, item.message)
  } catch (error) {
    if (item.kind !== 'request' || error instanceof CancelledError) throw error
    service.onFailure(error, part.requestId)
    return legacyAnswer(200, failureText(error, item.message.id, part.requestId))
  }
}
