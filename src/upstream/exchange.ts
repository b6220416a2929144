import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { damagedGzip, isGzip, tooLarge } from './body.ts'
import { launch, type ReplyHeaders } from './flight.ts'

export type { ReplyHeaders } from './flight.ts'

const expand = promisify(gunzip)

/** One HTTP answer, its body whole and decoded. */
export interface Reply {
  readonly status: number
  readonly headers: ReplyHeaders
  readonly body: string
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
 * @throws ForgeError unreachable, timeout, too-large, bad-answer or cancelled
 */
export async function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
  signal?: AbortSignal
): Promise<Reply> {
  const { status, headers, chunks } = await collect(dispatcher, options, limits, signal)
  let bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  if (isGzip(headers) && bytes.length > 0) bytes = await decompress(bytes, limits.maxBytes)
  return { status, headers, body: bytes.toString('utf8') }
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
  signal?: AbortSignal
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
        if (size > maxBytes) flight.stop(tooLarge(maxBytes))
        else reply.chunks.push(chunk)
      },
      end: () => resolve(reply),
      fail: reject
    })
  })
}

async function decompress(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await expand(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw damagedGzip(error)
  }
}
