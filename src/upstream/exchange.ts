import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { ForgeError } from './errors.ts'

const expand = promisify(gunzip)

export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>

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
 * Nothing is retried and no redirect is followed here. It talks to undici's dispatch interface because the
 * answer is always read whole: a body stream per call would only cost time.
 * @throws ForgeError unreachable, timeout, too-large, bad-answer or cancelled
 */
export async function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
  signal?: AbortSignal
): Promise<Reply> {
  const { status, headers, chunks } = await collect(dispatcher, options, limits, signal)
  const encoding = headers['content-encoding']
  let bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  if (encoding === 'gzip' && bytes.length > 0) bytes = await decompress(bytes, limits.maxBytes)
  else if (encoding !== undefined && encoding !== 'gzip' && encoding !== 'identity')
    throw new ForgeError(
      'bad-answer',
      `The forge used the content encoding ${String(encoding)}, which was not asked for.`
    )
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
    let stopped: ForgeError | undefined
    let running: Dispatcher.DispatchController | undefined

    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
    // Rejects at once even while the request still waits for a connection; undici then drops it on start.
    const stop = (error: ForgeError) => {
      stopped ??= error
      settle()
      running?.abort(stopped)
      reject(stopped)
    }
    const cancel = () => stop(new ForgeError('cancelled', 'The call was cancelled.'))
    const timer = setTimeout(
      () =>
        stop(
          new ForgeError('timeout', `The forge did not answer in full within ${deadlineMs / 1000} seconds.`)
        ),
      deadlineMs
    )
    if (signal?.aborted) return cancel()
    signal?.addEventListener('abort', cancel, { once: true })

    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        running = controller
        if (stopped !== undefined) controller.abort(stopped)
      },
      onResponseStart(_controller, status, headers) {
        reply.status = status
        reply.headers = headers
      },
      onResponseData(_controller, chunk) {
        size += chunk.length
        if (size > maxBytes) stop(tooLarge(maxBytes))
        else reply.chunks.push(chunk)
      },
      onResponseEnd() {
        settle()
        resolve(reply)
      },
      onResponseError(_controller, error) {
        settle()
        reject(stopped ?? transportFault(error))
      }
    })
  })
}

async function decompress(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await expand(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw new ForgeError('bad-answer', 'The forge sent a damaged gzip body.', { cause: error })
  }
}

const tooLarge = (maxBytes: number) =>
  new ForgeError('too-large', `The forge's answer is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB.`)

const timeouts = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT'
])

/** Maps a transport failure to what a caller may know of it; addresses stay in `cause`, for the log. */
export function transportFault(error: Error): ForgeError {
  const code = (error as NodeJS.ErrnoException).code ?? error.name
  if (timeouts.has(code))
    return new ForgeError('timeout', 'The forge did not answer in time.', { cause: error })
  if (
    code.startsWith('HPE_') ||
    code === 'UND_ERR_HEADERS_OVERFLOW' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  )
    return new ForgeError('bad-answer', `The forge's answer is not valid HTTP (${code}).`, { cause: error })
  return new ForgeError('unreachable', `The forge could not be reached (${code}).`, { cause: error })
}
