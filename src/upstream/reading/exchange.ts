import { Cancellation, type CancelSignal, onAbort, unlessAborted } from '../../base/cancellation.ts'
import { isSuccess, parsedOf, type Reply } from '../answers/answer.ts'
import type { Parsed } from '../answers/answer-text.ts'
import { isGzip, tooLarge } from '../answers/body.ts'
import { MAX_ERROR_BYTES } from '../answers/said.ts'
import { unpackSmall } from '../answers/unpack.ts'
import { UnparsedAnswer } from '../answers/unparsed.ts'
import type { ReplyHeaders } from '../connections/reply-headers.ts'
import {
  type Dispatching,
  type Outgoing,
  type SentRequest,
  type Sink,
  sendRequest
} from '../connections/sent-request.ts'
import { cancelled, type ForgeError } from '../errors.ts'
import { holderOfAnswer } from '../guard/whose.ts'
import { isLargeAnswer, LARGE_ANSWER_BYTES } from './answer-cost.ts'
import type { Held } from './answer-room.ts'
import { ArrivedBytes } from './arrived-bytes.ts'
import { LargeArrival } from './large-arrival.ts'
import { LargeTurn } from './large-turn.ts'
import type { Reader } from './reader.ts'
import { unpackInTurn } from './unpack-in-turn.ts'

/** Bounds of one exchange. */
export interface ExchangeLimits {
  /** Most bytes of the body, before and after decompression. */
  readonly maxBytes: number
  /** Milliseconds from dispatch to the last byte. undici's own time-outs only bound the gaps. */
  readonly deadlineMs: number
  /**
   * Whether the body of an answer is wanted. If not, the answer ends with its head, and the connection is closed.
   * Default: it always is.
   */
  readonly wants?: (status: number, headers: ReplyHeaders) => boolean
}

/**
 * Makes one HTTP exchange through a dispatcher, and collects its answer in memory under a byte limit and a deadline.
 * Nothing is retried and no redirect is followed here.
 * @param reader makes large answers take turns; without it all are read at once
 * @param onStatus called with the status as soon as it arrives: the rest of the answer may be too large, too slow or
 * cut off
 * @throws ForgeError unreachable, timeout, too-large, bad-answer or cancelled, as a rejection
 */
export function exchange(
  dispatcher: Dispatching,
  options: Outgoing,
  limits: ExchangeLimits,
  signal?: CancelSignal,
  reader?: Reader,
  onStatus?: (status: number) => void
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const collector = new Collector(resolve, reject, limits, reader, onStatus)
    const sentRequest = sendRequest(dispatcher, options, limits.deadlineMs, signal, collector)
    collector.hold(sentRequest)
  })
}

/** Collects one answer. A small one, as nearly all are, is complete with its last byte. */
class Collector implements Sink {
  readonly #resolve: (reply: Reply | Promise<Reply>) => void
  readonly #reject: (error: unknown) => void
  readonly #maxBytes: number
  readonly #wants: ExchangeLimits['wants']
  readonly #onStatus: ((status: number) => void) | undefined
  #reader: Reader | undefined
  #status = 0
  #headers: ReplyHeaders = {}
  readonly #arrived = new ArrivedBytes()
  #size = 0
  /** Set once the answer may be a large one. */
  #turn: LargeTurn | undefined
  #arrival: LargeArrival | undefined
  #held: Held | undefined
  /** Why its memory was taken away. */
  #lost: ForgeError | undefined
  /** Drops the answer wherever it waits: when its memory is taken away, or when the reader's signal aborts. */
  readonly #dropped = new Cancellation()
  #forget = () => {}
  /** Whether the turn now belongs to an unparsed answer. */
  #isHandedOn = false
  /** The body, as received and decompressed, while it waits to be read in this thread. */
  #waiting: { readonly whole: Buffer; readonly bytes: Buffer } | undefined
  #over = false

  constructor(
    resolve: (reply: Reply | Promise<Reply>) => void,
    reject: (error: unknown) => void,
    { maxBytes, wants }: ExchangeLimits,
    reader: Reader | undefined,
    onStatus: ((status: number) => void) | undefined
  ) {
    this.#resolve = resolve
    this.#reject = reject
    this.#maxBytes = maxBytes
    this.#wants = wants
    this.#reader = reader
    this.#onStatus = onStatus
  }

  /** Counts the answer among all answers that are held. */
  hold(sentRequest: SentRequest): void {
    if (this.#over || this.#reader === undefined) return
    this.#held = this.#reader.room.exchange(this.#reader, error => {
      this.#lost = error
      sentRequest.stop(error)
      // The answer may be complete already, and wait to be read.
      this.#dropped.abort()
      this.#waiting = undefined
      this.#reject(error)
    })
  }

  head(status: number, headers: ReplyHeaders, sentRequest: SentRequest): void {
    this.#status = status
    this.#headers = headers
    this.#onStatus?.(status)
    if (this.#wants?.(status, headers) === false) {
      this.#resolve(this.#reply(Buffer.alloc(0)))
      sentRequest.stop(cancelled())
    } else if (Number(headers['content-length']) > this.#maxBytes) sentRequest.stop(tooLarge(this.#maxBytes))
    if (this.#over || this.#reader === undefined) return
    const holder = holderOfAnswer(this.#reader, sentRequest.source)
    if (holder === this.#reader.holder) return
    this.#reader = { ...this.#reader, holder }
    this.#held?.leave()
    this.hold(sentRequest)
  }

  data(chunk: Buffer, sentRequest: SentRequest): void {
    this.#size += chunk.length
    if (this.#size > this.#maxBytes) {
      sentRequest.stop(tooLarge(this.#maxBytes))
      return
    }
    this.#arrived.add(chunk)
    this.#held?.grow(chunk.length)
    if (this.#lost !== undefined || this.#size <= LARGE_ANSWER_BYTES) return
    const turn = this.#takeTurn()
    this.#arrival ??= turn && new LargeArrival(turn, sentRequest)
    this.#arrival?.grow(this.#size)
  }

  end(): void {
    this.#arrival?.whole()
    const whole = this.#arrived.whole()
    const bytes = this.#plain(whole)
    if (bytes === undefined || this.#turn !== undefined || this.#isBusy(bytes)) {
      this.#resolve(this.#decoded(whole))
      return
    }
    this.#waiting = { whole, bytes }
    this.#held?.grow(bytes.length - whole.length)
    // Finding out what an answer costs to read takes up to a millisecond, and hundreds of answers may end at once.
    this.#inTurn(bytes.length, () => {
      const { whole, bytes } = this.#waiting ?? {}
      this.#waiting = undefined
      if (whole === undefined || bytes === undefined) return
      if (this.#isLarge(bytes)) this.#resolve(this.#decoded(whole, bytes))
      else {
        this.#leave()
        this.#resolve(this.#reply(bytes))
      }
    })
  }

  /** The decoded body, if decoding it needs no waiting. */
  #plain(whole: Buffer): Buffer | undefined {
    const encoding = this.#headers['content-encoding']
    if (encoding === undefined) return whole
    return encoding === 'gzip' ? unpackSmall(whole, this.#maxBytes) : undefined
  }

  /** Whether the body is read off the event loop. A refusal never is, because only its beginning is read. */
  #isLarge(bytes: Buffer): boolean {
    return this.#isBusy(bytes) || (isSuccess(this.#status) && isLargeAnswer(bytes))
  }

  /** Whether the body is read off the event loop whatever it contains. */
  #isBusy({ length }: Buffer): boolean {
    if (this.#reader === undefined || !isSuccess(this.#status)) return false
    return this.#reader.largeAnswers.arrived.isBusy(this.#reader, length)
  }

  /** Continues with an answer that is read in this thread, in turn with others that arrived at the same time. */
  #inTurn(bytes: number, goOn: () => void): void {
    if (this.#reader === undefined) goOn()
    else this.#reader.largeAnswers.arrived.next(this.#reader, bytes, goOn)
  }

  fail(error: ForgeError): void {
    this.#arrival?.end()
    this.#turn?.end()
    this.#arrived.free()
    this.#leave()
    this.#reject(error)
  }

  #leave(): void {
    this.#over = true
    this.#forget()
    this.#held?.leave()
  }

  #endTurn(): void {
    if (!this.#isHandedOn) this.#turn?.end()
  }

  #takeTurn(): LargeTurn | undefined {
    if (this.#reader === undefined || this.#turn !== undefined) return this.#turn
    this.#forget = onAbort(this.#reader.signal, () => this.#dropped.abort())
    this.#turn = new LargeTurn(this.#reader.largeAnswers, this.#reader, this.#dropped)
    return this.#turn
  }

  #head(): Omit<Reply, 'body'> {
    return { status: this.#status, headers: this.#headers, holder: this.#reader?.holder }
  }

  #reply(bytes: Buffer): Reply {
    const end = isSuccess(this.#status) ? bytes.length : MAX_ERROR_BYTES
    return { ...this.#head(), body: bytes.toString('utf8', 0, end) }
  }

  async #readOff(bytes: Buffer, turn: LargeTurn): Promise<Reply> {
    if (isLargeAnswer(bytes)) await turn.begin()
    else turn.skip()
    const parsed =
      this.#unparsed(bytes, turn) ??
      parsedOf(await turn.read(bytes, more => this.#held?.grow(more)), this.#headers)
    return { ...this.#head(), body: '', parsed }
  }

  #unparsed(bytes: Buffer, turn: LargeTurn): Parsed | undefined {
    const reader = this.#reader!
    if (reader.unparsed === undefined) return undefined
    const { largeAnswers, unparsed } = reader
    const value = new UnparsedAnswer(bytes, this.#headers, largeAnswers, reader, unparsed, () => turn.end())
    return { value, size: bytes.length, weight: bytes.length }
  }

  /** @param large the decoded body, if it is known already and has to be read off the event loop */
  async #decoded(whole: Buffer, large?: Buffer): Promise<Reply> {
    const turn = this.#takeTurn()
    let bytes = large ?? whole
    let unpacked: (() => void) | undefined
    try {
      if (this.#arrival !== undefined) await turn?.begin()
      if (large === undefined && isGzip(this.#headers) && bytes.length > 0) {
        if (!turn?.begun)
          unpacked = await this.#reader?.largeAnswers.unpacking.answer(this.#reader, this.#dropped)
        const into = { held: this.#held, signal: this.#dropped }
        bytes = await unpackInTurn(whole, this.#maxBytes, this.#reader, into, turn, unpacked)
      }
      const isSmall = turn === undefined || !(large !== undefined || this.#isLarge(bytes))
      // An answer that is read off the event loop gives back the room for unpacking first. If it is small but expensive
      // to read, it has no turn yet, and may have to wait for one. If it is read there only because of others, it needs
      // none.
      if (!isSmall) unpacked?.()
      else
        await unlessAborted(
          new Promise<void>(goOn => this.#inTurn(bytes.length, goOn)),
          this.#dropped,
          cancelled
        )
      const reply = isSmall ? this.#reply(bytes) : await this.#readOff(bytes, turn)
      if (this.#lost !== undefined) throw this.#lost
      this.#isHandedOn = reply.parsed?.value instanceof UnparsedAnswer
      return reply
    } catch (error) {
      throw this.#lost ?? error
    } finally {
      unpacked?.()
      this.#arrival?.end()
      this.#endTurn()
      this.#leave()
    }
  }
}
