import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { parseBody } from './answer.ts'
import { damagedGzip, isGzip, tooLarge } from './body.ts'
import { ForgeError } from './errors.ts'
import { launch, type ReplyHeaders } from './flight.ts'
import { HEAVY_BYTES, type HeavyAnswers, HeavyTurn } from './heavy.ts'

export type { ReplyHeaders } from './flight.ts'

const expand = promisify(gunzip)

/** One HTTP answer, its body whole and decoded. */
export interface Reply {
  readonly status: number
  readonly headers: ReplyHeaders
  readonly body: string
  /** Its JSON, when that was read already because the body is a large one. */
  readonly parsed?: { readonly value: unknown; readonly size: number }
}

/** Whose answer it is, and how large ones take turns. */
export interface Reader {
  readonly heavy: HeavyAnswers
  readonly caller: string
}

export interface ExchangeLimits {
  /** Most bytes of body, counted after decompression too. */
  readonly maxBytes: number
  /** Milliseconds from dispatch to the last byte. undici's own time-outs only bound the gaps. */
  readonly deadlineMs: number
}

/**
 * One HTTP exchange through a dispatcher, its answer collected in memory under a byte cap and a deadline.
 * Nothing is retried and no redirect is followed here.
 * @param reader makes large answers take turns; without it all are read at once
 * @throws ForgeError unreachable, timeout, too-large, bad-answer or cancelled
 */
export async function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
  signal?: AbortSignal,
  reader?: Reader
): Promise<Reply> {
  const turn = reader === undefined ? undefined : new HeavyTurn(reader.heavy, reader.caller, signal)
  try {
    const { status, headers, chunks } = await collect(dispatcher, options, limits, signal, turn)
    let bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    if (isGzip(headers) && bytes.length > 0) bytes = await decompress(bytes, limits.maxBytes, turn)
    if (turn === undefined || bytes.length <= HEAVY_BYTES || status < 200 || status > 299)
      return { status, headers, body: bytes.toString('utf8') }
    return await turn.work(() => {
      const reply = { status, headers, body: bytes.toString('utf8') }
      return { ...reply, body: '', parsed: { value: parseBody(reply), size: reply.body.length } }
    })
  } finally {
    turn?.end()
  }
}

interface Collected {
  status: number
  headers: ReplyHeaders
  chunks: Buffer[]
}

function collect(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { maxBytes, deadlineMs }: ExchangeLimits,
  signal?: AbortSignal,
  turn?: HeavyTurn
): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const reply: Collected = { status: 0, headers: {}, chunks: [] }
    let size = 0
    launch(dispatcher, options, deadlineMs, signal, {
      head(status, headers) {
        reply.status = status
        reply.headers = headers
      },
      data(chunk, flight) {
        size += chunk.length
        if (size > maxBytes) return flight.stop(tooLarge(maxBytes))
        reply.chunks.push(chunk)
        if (turn === undefined || size <= HEAVY_BYTES) return
        const admitted = turn.begin()
        if (admitted === undefined) return
        // The forge waits too: what is not read takes no memory here.
        flight.pause()
        admitted.then(() => flight.resume(), flight.stop)
      },
      end: () => resolve(reply),
      fail: reject
    })
  })
}

async function decompress(bytes: Buffer, maxBytes: number, turn: HeavyTurn | undefined): Promise<Buffer> {
  if (turn === undefined || turn.begun) return expandTo(bytes, maxBytes)
  try {
    return await expandTo(bytes, Math.min(maxBytes, HEAVY_BYTES))
  } catch (error) {
    if (maxBytes <= HEAVY_BYTES || !(error instanceof ForgeError) || error.fault !== 'too-large') throw error
  }
  await turn.begin()
  return expandTo(bytes, maxBytes)
}

async function expandTo(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await expand(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw damagedGzip(error)
  }
}
