import { pipeline, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { CancelSignal } from '../../cancellation.ts'
import { ForgeError } from '../errors.ts'
import type { Place } from '../place.ts'
import { MAX_ERROR_BYTES } from './answer.ts'
import { damagedGzip, isGzip, tooLarge } from './body.ts'
import {
  type Dispatching,
  type Flight,
  goneLimits,
  launch,
  type Outgoing,
  type ReplyHeaders
} from './flight.ts'
import { gunzipInTurns, type Unpacking } from './unpack.ts'

/** A read whose answer is no record: a log, a file, an archive. */
export interface StreamRequest extends Place {
  /** The media type wanted, as an Accept header. */
  readonly accept: string
  /** Most bytes of body, counted after decompression too. */
  readonly maxBytes: number
  /** The part wanted, as a Range header; the forge may send all of it none the less. */
  readonly range?: string
  /** A web page may be what was asked for, and is no sign of a login page or a broken proxy. */
  readonly pageIsFine?: boolean
}

export interface StreamAnswer {
  /** 200, or 206 when only the part asked for was sent. */
  readonly status: number
  readonly headers: ReplyHeaders
  /** Decoded; fails with ForgeError when it is too large, late or damaged, or where too much is held. */
  readonly body: AsyncIterable<Buffer>
  /** To be told by whoever keeps more of it than a few pieces: so many bytes more. */
  hold(bytes: number): void
}

/** One HTTP answer whose body is still on its way. */
export interface OpenReply {
  readonly status: number
  readonly headers: ReplyHeaders
  /** As of Flight. */
  readonly source: string | undefined
  /** The bytes as they came, at most one chunk ahead of the reader. Destroying it has the request end. */
  readonly body: Readable
  /** As much of a refusal as its message can come from, where that has been read. */
  readonly refusal?: string
  /** Once the request has ended. */
  readonly ended: Promise<void>
}

/** How much waits for a slow reader before the forge is made to wait too. */
const AHEAD = 64 * 1024

/**
 * One HTTP exchange whose body is handed over as it arrives, no faster than it is read. Whoever gets the
 * reply destroys its body, read to the end or not.
 * @param deadlineMs milliseconds from dispatch to the last byte read
 * @param unpacking as of decodedBody: what nobody wants is read in their turns, too
 * @throws ForgeError unreachable, timeout, bad-answer or cancelled; the body fails with them too
 */
export function openStream(
  dispatcher: Dispatching,
  options: Outgoing,
  deadlineMs: number,
  signal?: CancelSignal,
  unpacking?: Unpacking
): Promise<OpenReply> {
  return new Promise((resolve, reject) => {
    let flight: Flight | undefined
    let over = (): void => {}
    const ended = new Promise<void>(resolve => {
      over = resolve
    })
    const body = new Readable({
      highWaterMark: AHEAD,
      read: () => flight?.resume(),
      destroy(error, done) {
        flight?.leave(error instanceof ForgeError ? error : unread())
        done(error)
      }
    })
    // A failure that comes while nobody reads is kept for the next read.
    body.on('error', () => {})
    flight = launch(dispatcher, options, deadlineMs, signal, {
      head: (status, headers, { source }) => resolve({ status, headers, source, body, ended }),
      data(chunk, flight) {
        if (body.destroyed) {
          // Of one that nobody wants the rest is dropped, and a forge may send it without end.
          flight.pause()
          turnOf(unpacking).then(() => flight.resume())
        } else if (!body.push(chunk)) flight.pause()
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

const unread = () => new ForgeError('cancelled', 'The answer was not wanted to its end.')

/**
 * The body of a reply, decompressed, and counted after that.
 * @param unpacking whose it is; for each 64 KiB their next turn is waited for, as data of fast forges alone would keep
 *   the event loop, and paid for what the reader makes of them
 * @throws ForgeError too-large beyond `maxBytes`, bad-answer for damaged data, and what the transport fails with
 */
export async function* decodedBody(
  { headers, body }: OpenReply,
  maxBytes: number,
  unpacking?: Unpacking
): AsyncGenerator<Buffer> {
  const gunzip = isGzip(headers) ? gunzipInTurns(unpacking) : undefined
  const source = gunzip === undefined ? body : pipeline(body, gunzip, () => {})
  let size = 0
  let left = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      // What the network brings in small pieces is not to be slower for it.
      if (left <= 0) {
        await turnOf(unpacking)
        left = AHEAD
      }
      left -= chunk.length
      const isOver = unpacking?.heavy.timed(unpacking)
      yield chunk
      isOver?.()
      hastenCollection(chunk)
    }
  } catch (error) {
    if (error instanceof ForgeError) throw error
    // Nothing at all is no gzip either, but a forge may announce it so.
    const empty = gunzip?.bytesWritten === 0 && (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR'
    if (!empty) throw damagedGzip(error)
  }
}

const turnOf = (unpacking: Unpacking | undefined): Promise<void> =>
  unpacking === undefined ? setImmediate() : unpacking.heavy.piece(unpacking)

/**
 * V8 frees the network's buffers when it collects its young heap, and they do not count as filling it: left
 * alone, 64 MB of them gather first, and collections for what they are take longer. Short-lived text of their size
 * makes it collect in time; measured on a 200 MB log, more of it saves no memory and costs as much as reading does.
 */
function hastenCollection(chunk: Buffer): void {
  chunk.toString('latin1')
}

/** As much of an error's body as its message can come from; what cannot be read says no more than the status. */
export async function beginningOf(reply: OpenReply, unpacking?: Unpacking): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of decodedBody(reply, MAX_ERROR_BYTES, unpacking)) chunks.push(chunk)
  } catch (error) {
    if (isCancelled(error)) throw error
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Lets a body that nobody wants come to its end, where that takes as little as of a caller who has gone: its connection is
 * not ended for it then. It stays packed, for what it would be is its sender's to say.
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
