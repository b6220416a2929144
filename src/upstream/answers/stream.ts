import { pipeline, Readable } from 'node:stream'
import { Cancellation, type CancelSignal, unlessAborted } from '../../base/cancellation.ts'
import type { ReplyHeaders } from '../connections/reply-headers.ts'
import {
  type Dispatching,
  goneLimits,
  type Outgoing,
  type SentRequest,
  sendRequest
} from '../connections/sent-request.ts'
import { ForgeError } from '../errors.ts'
import type { Place } from '../place.ts'
import { damagedGzip, isGzip, tooLarge } from './body.ts'
import { MAX_ERROR_BYTES } from './said.ts'
import { gunzipInTurns, type Unpacking } from './unpack.ts'

/** A read whose answer is not a record but a log, a file or an archive. */
export interface StreamRequest extends Place {
  /** The media type wanted, as an Accept header. */
  readonly accept: string
  /** Most bytes of the body, before and after decompression. */
  readonly maxBytes: number
  /** The part wanted, as a Range header; the forge may still send all of it. */
  readonly range?: string
  /**
   * Whether a web page may be what was asked for. Then its reader has to tell it from the page of a login or of a
   * broken proxy.
   */
  readonly pageIsFine?: boolean
}

/** A reader of a stream. */
export interface StreamReader {
  /** The memory of all that it keeps at the moment, in bytes. */
  readonly heldBytes: number
}

export interface StreamAnswer {
  /** 200, or 206 if only the requested part was sent. */
  readonly status: number
  readonly headers: ReplyHeaders
  /** Whether the answer comes from another host, to which the forge redirected. */
  readonly isElsewhere: boolean
  /**
   * The decoded body, to be taken once. It fails with ForgeError if it is too large, late or damaged, or if too much
   * memory is held.
   * @param reader is asked after each piece how much it keeps; what it keeps at the end counts until the call is over
   */
  body(reader: StreamReader): AsyncGenerator<Buffer>
}

/** One HTTP answer whose body is still on its way. */
export interface OpenReply {
  readonly status: number
  readonly headers: ReplyHeaders
  /** As in SentRequest. */
  readonly source: string | undefined
  /** The bytes as they arrived, at most one chunk ahead of the reader. Destroying it ends the request. */
  readonly body: Readable
  /** As in Reply, for a refusal that was read. */
  readonly detail?: string | undefined
  readonly says?: string | undefined
  /** Resolves when the request has ended. */
  readonly ended: Promise<void>
}

/** Bytes that are buffered for a slow reader before the forge has to wait too. */
const AHEAD = 64 * 1024

/**
 * Makes one HTTP exchange whose body is handed over as it arrives, no faster than it is read. The caller must destroy
 * the body of the reply, whether it read it to the end or not.
 * @param deadlineMs milliseconds from dispatch to the last byte read
 * @param unpacking as in decodedBody: discarded data is read in these turns, too
 * @throws ForgeError unreachable, timeout, bad-answer or cancelled; the body fails with them too
 */
export function openStream(
  dispatcher: Dispatching,
  options: Outgoing,
  deadlineMs: number,
  signal: CancelSignal | undefined,
  unpacking: Unpacking
): Promise<OpenReply> {
  return new Promise((resolve, reject) => {
    let sentRequest: SentRequest | undefined
    let over = (): void => {}
    const ended = new Promise<void>(resolve => {
      over = resolve
    })
    const body = new Readable({
      highWaterMark: AHEAD,
      read: () => sentRequest?.resume(),
      destroy(error, done) {
        sentRequest?.leave(error instanceof ForgeError ? error : unwanted())
        done(error)
      }
    })
    // A failure while nobody reads is kept for the next read.
    body.on('error', () => {})
    sentRequest = sendRequest(dispatcher, options, deadlineMs, signal, {
      head: (status, headers, { source }) => resolve({ status, headers, source, body, ended }),
      data(chunk, sentRequest) {
        if (body.destroyed) {
          // A forge may send the rest of a discarded body without end.
          sentRequest.pause()
          unpacking.largeAnswers.piece(unpacking).then(() => sentRequest.resume())
        } else if (!body.push(chunk)) sentRequest.pause()
      },
      end() {
        body.push(null)
        over()
      },
      fail(error) {
        reject(error)
        body.destroy(error)
        over()
      }
    })
  })
}

const unwanted = () => new ForgeError('cancelled', 'The answer was not wanted to its end.')

/**
 * The body of a reply, decompressed, its size checked after decompression.
 * @param unpacking whose answer it is. For each 64 KiB it waits for a turn, because data of fast forges alone would
 * keep the event loop busy, and the time that the reader takes is charged to the holder
 * @throws ForgeError too-large beyond `maxBytes`, bad-answer for damaged data, and what the transport fails with
 */
export async function* decodedBody(
  { headers, body }: OpenReply,
  maxBytes: number,
  unpacking: Unpacking
): AsyncGenerator<Buffer> {
  const gunzip = isGzip(headers) ? gunzipInTurns(unpacking) : undefined
  let isEmpty = true
  // Not by zlib's count: it counts what is unpacked, and that is nothing for a short body that is cut off, either.
  if (gunzip !== undefined) body.once('data', () => (isEmpty = false))
  const source = gunzip === undefined ? body : pipeline(body, gunzip, () => {})
  // What the reader keeps must not be held for a turn that comes after the answer has failed.
  const failed = new Cancellation()
  body.once('error', () => failed.abort())
  let size = 0
  let left = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      // Data that arrives in small pieces must not be slower because of that, unless the pieces are expensive.
      if (left <= 0 || unpacking.largeAnswers.isResting(unpacking)) {
        await unlessAborted(unpacking.largeAnswers.piece(unpacking), failed, () => body.errored)
        left = AHEAD
      }
      left -= chunk.length
      const isOver = unpacking.largeAnswers.timed(unpacking)
      yield chunk
      isOver()
      hastenCollection(chunk)
    }
  } catch (error) {
    if (error instanceof ForgeError) throw error
    // An empty body is not valid gzip, but a forge may announce one as gzip.
    if (!isEmpty || (error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR') throw damagedGzip(error)
  }
}

/**
 * V8 frees network buffers when it collects its young heap, but they do not count towards filling it. Without this, 64
 * MB of them would pile up first, and those collections take longer. Short-lived text of the same size makes V8 collect
 * in time. Measured on a 200 MB log: more of it saves no memory and costs as much as the reading itself.
 */
function hastenCollection(chunk: Buffer): void {
  chunk.toString('latin1')
}

/** Most bytes of a refusal that are received. A refusal that is not read to its end costs its connection. */
const MAX_OF_REFUSAL = 64 * 1024

/**
 * Reads the beginning of an error body, which holds its message, in the turn of a piece: hundreds may end at once.
 * @param read takes the text, which is empty if the body cannot be read
 * @throws what `read` throws, and ForgeError cancelled
 */
export async function readRefusal<T>(
  reply: OpenReply,
  read: (refusal: string) => T,
  unpacking: Unpacking
): Promise<T> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of decodedBody(reply, MAX_OF_REFUSAL, unpacking)) chunks.push(chunk)
  } catch (error) {
    if (isCancelled(error)) throw error
  }
  const work = () => read(Buffer.concat(chunks).toString('utf8', 0, MAX_ERROR_BYTES))
  return unpacking.largeAnswers.stretch(unpacking, work)
}

/**
 * Reads an unwanted body to its end, within the same limits as for a caller who has gone, so that its connection need
 * not be closed. It is not decompressed, because its sender decides how large it would become.
 * @throws ForgeError cancelled
 */
export async function passOver({ body }: OpenReply): Promise<void> {
  let left: number = goneLimits.bytes
  const timer = setTimeout(() => body.destroy(), goneLimits.ms)
  try {
    for await (const chunk of body) {
      left -= (chunk as Buffer).length
      if (left < 0) return
    }
  } catch (error) {
    if (isCancelled(error)) throw error
  } finally {
    clearTimeout(timer)
  }
}

const isCancelled = (error: unknown): boolean => error instanceof ForgeError && error.fault === 'cancelled'
