import type { CancelSignal } from '../base/cancellation.ts'
import { isSuccess, refusePage, statusError } from './answers/answer.ts'
import { plainLength } from './answers/body.ts'
import { nothingSent, ofRefusal, partOfWhole } from './answers/from-forge.ts'
import { type Hop, isRedirect, nextHop, refusePages } from './answers/redirect.ts'
import {
  decodedBody,
  type OpenReply,
  openStream,
  passOver,
  readRefusal,
  type StreamAnswer,
  type StreamReader,
  type StreamRequest
} from './answers/stream.ts'
import type { Unpacking } from './answers/unpack.ts'
import type { ForgeDispatch } from './connections/traced.ts'
import { ForgeError } from './errors.ts'
import { orUnanswered } from './guard/trouble.ts'
import { holderOfAnswer } from './guard/whose.ts'
import { refuseLongPath } from './place.ts'
import { plainHeaders } from './plain-headers.ts'
import type { Held } from './reading/answer-room.ts'
import type { Requester } from './requester.ts'

/** The call that a read belongs to. */
interface StreamCall {
  /** Ends the read. */
  readonly stop: CancelSignal
  /** Aborts when what the call keeps must be dropped. */
  readonly lost: CancelSignal
  /** Called for the answer of each hop. @param holder the holder for which kept data of the answer counts */
  onAnswer(status: number, holder: string): void
  /** Called once the answer is what was requested. */
  onServed(): void
  /** Called with the memory that the reader still keeps, in bytes. @throws ForgeError if there is no room for it */
  onKept(bytes: number): void
}

/**
 * Reads an answer that is not a record but a log, a file or an archive. A redirect to another origin is followed
 * without the credential, as forges keep these in object storage. However the read ends, its caller goes on in the turn
 * of a piece, because many reads may end at once.
 * @param read takes the answer as it arrives; the connection is released when it ends
 * @throws ForgeError, ForgeStatusError, and what `read` throws
 */
export async function readStream<T>(
  requester: Requester,
  request: StreamRequest,
  read: (answer: StreamAnswer) => Promise<T>,
  call: StreamCall
): Promise<T> {
  const { caller, from, upstream } = requester
  const turn = upstream.guard.enter(caller, call.stop, from, requester)
  if (turn !== undefined) await turn
  let { holder } = requester
  try {
    return await inTurn(requester, request, read, {
      ...call,
      onAnswer(status, answering) {
        holder = answering
        call.onAnswer(status, answering)
      }
    })
  } finally {
    upstream.guard.leave(caller, from)
    // The call keeps what it has read while it waits here.
    await upstream.reading.largeAnswers.stretch({ caller, from, holder }, () => {}, call.lost)
  }
}

async function inTurn<T>(
  requester: Requester,
  request: StreamRequest,
  read: (answer: StreamAnswer) => Promise<T>,
  call: StreamCall
): Promise<T> {
  const { upstream } = requester
  const { base, hosts, streamMs } = upstream
  const end = requester.now() + streamMs
  let hop: Hop = { origin: base.origin, path: `${base.path}${request.path}` }
  let atHome = true
  let { holder } = requester
  for (let hops = 0; ; hops++) {
    // Another host must not be able to send the credential anywhere, not even back to the forge.
    atHome &&= hop.origin === base.origin
    const started = requester.now()
    const reply = await open(requester, hop, atHome, request, end, call.stop, ({ status, source }) => {
      // Only the first hop counts: a forge may redirect to any other host, whose own callers must not lose room because
      // of it.
      if (hops === 0) holder = holderOfAnswer(requester, source)
      call.onAnswer(status, holder)
      return holder
    })
    const { held } = reply
    try {
      if (!isRedirect(reply.status)) {
        const unpacking = unpackingFor(requester, holder)
        const { result, kept } = await readCounted(reply, read, counted =>
          answerOf(unpacking, reply, !atHome, request, counted, call)
        )
        if (atHome) upstream.guard.hear(reply)
        held?.leave()
        call.onKept(kept)
        return result
      }
      hop = nextHop(hop, reply.headers, hops, hosts)
      if (atHome && hop.origin === base.origin) refusePages(reply.status, hop, base.path)
      // A redirect that is not read to its end would cost its connection, which others use as well.
      await passOver(reply)
    } catch (thrown) {
      // Answers of an object store say nothing about the forge.
      throw atHome ? unread(requester, thrown, request, { started, reply }) : thrown
    } finally {
      reply.body.destroy()
      // Waits within its turn: callers who abandon answers hundreds of times a second must not have more of them at
      // once.
      await reply.ended
      held?.leave()
    }
  }
}

/**
 * Reads an answer, and counts what its reader keeps. If that fails, nothing refers to the reader any more: a forge may
 * take a long time to end a request that was given up, whose memory is no longer counted.
 */
async function readCounted<T>(
  { held }: HeldReply,
  read: (answer: StreamAnswer) => Promise<T>,
  answer: (counted: CountedReader) => StreamAnswer
): Promise<{ readonly result: T; readonly kept: number }> {
  const counted = new CountedReader(held)
  const result = await read(answer(counted))
  return { result, kept: counted.bytes }
}

/**
 * Reports why an answer was not read to its end, because the exchange has reported only the head. An error that is not
 * a ForgeError is no failure of the forge: its reader has refused what has arrived.
 * @returns the error of the call
 */
function unread(
  requester: Requester,
  thrown: unknown,
  { template }: StreamRequest,
  { started, reply }: { readonly started: number; readonly reply: OpenReply }
): unknown {
  const { guard } = requester.upstream
  const error = orUnanswered(thrown)
  if (error instanceof ForgeError) guard.missed(error, requester.asked(template), started)
  else guard.hear(reply)
  return error
}

/** A reply and the memory that it takes, from its head on. If there is too little memory, the reply ends. */
interface HeldReply extends OpenReply {
  readonly held: Held | undefined
}

/** The turns in which a compressed answer is decompressed. */
const unpackingFor = ({ caller, from, upstream }: Requester, holder: string): Unpacking => ({
  largeAnswers: upstream.reading.largeAnswers,
  holder,
  caller,
  from
})

function answerOf(
  unpacking: Unpacking,
  reply: OpenReply,
  isElsewhere: boolean,
  { maxBytes, pageIsFine, range }: StreamRequest,
  counted: CountedReader,
  { onServed }: StreamCall
): StreamAnswer {
  const { status, headers } = reply
  if (!isSuccess(status)) throw statusError(reply, Date.now())
  onServed()
  if (!pageIsFine) refusePage(headers)
  if (status === 206 && range === undefined) throw partOfWhole()
  if (status === 204 || status === 205) throw nothingSent()
  const body = (reader: StreamReader) => counted.read(decodedBody(reply, maxBytes, unpacking), reader)
  return { status, headers, isElsewhere, body }
}

/** Counts what the reader of one stream keeps. */
class CountedReader {
  readonly #held: Held | undefined
  #reader: StreamReader | undefined

  constructor(held: Held | undefined) {
    this.#held = held
  }

  get bytes(): number {
    return this.#reader?.heldBytes ?? 0
  }

  async *read(body: AsyncIterable<Buffer>, reader: StreamReader): AsyncGenerator<Buffer> {
    this.#reader = reader
    let counted = 0
    for await (const chunk of body) {
      yield chunk
      const bytes = reader.heldBytes
      this.#held?.grow(bytes - counted)
      counted = bytes
    }
  }
}

function open(
  requester: Requester,
  { origin, path }: Hop,
  atHome: boolean,
  { template, accept, range }: StreamRequest,
  end: number,
  stop: CancelSignal,
  onAnswer: (reply: OpenReply) => string
): Promise<HeldReply> {
  refuseLongPath(path)
  const { caller, from, upstream } = requester
  const { guard, reading, userAgent } = upstream
  const headers = { ...(atHome ? requester.headers : plainHeaders(userAgent)), accept }
  // A part of a compressed body could not be decoded.
  if (range !== undefined) Object.assign(headers, { range, 'accept-encoding': 'identity' })
  const keep = requester.takeRoom(path)
  const give = keep?.()
  const { sender } = requester
  const options: ForgeDispatch = { origin, path, method: 'GET', headers, template, holder: sender, keep }
  const attempt = async (deadlineMs: number) => {
    requester.requests++
    const unpacking = unpackingFor(requester, requester.holder)
    const opened = await openStream(requester.dispatcher, options, deadlineMs, stop, unpacking)
    const holder = onAnswer(opened)
    const held = reading.room.stream({ caller, from, holder }, plainLength(opened.headers), error =>
      opened.body.destroy(error)
    )
    const reply = { ...opened, held }
    return isSuccess(reply.status) || isRedirect(reply.status) ? reply : withRefusal(reply, requester, holder)
  }
  // Answers of an object store say nothing about the forge.
  const reply = atHome
    ? guard.call(requester.call(true, end, stop, template), attempt, ({ body, held }) => {
        body.destroy()
        held?.leave()
      })
    : attempt(Math.max(1, end - requester.now()))
  return give === undefined ? reply : reply.finally(give)
}

/** Reads the text of a refusal: only that shows whether it is the forge's own. */
async function withRefusal(reply: HeldReply, requester: Requester, holder: string): Promise<HeldReply> {
  try {
    const read = (body: string) => ({ ...reply, ...ofRefusal({ ...reply, body }, requester.token) })
    return await readRefusal(reply, read, unpackingFor(requester, holder))
  } catch (error) {
    reply.body.destroy()
    await reply.ended
    reply.held?.leave()
    throw error
  }
}
