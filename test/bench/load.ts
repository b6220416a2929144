import { connect, type Socket } from 'node:net'

/* A load client that costs as little as it can: prepared requests over kept connections, one at a time each. */

export interface LoadOptions {
  /** http://HOST:PORT */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  readonly calls: number
  /** Answers whose status was not 200, and connections that broke. */
  readonly failures: number
  readonly seconds: number
  /** Milliseconds of each call. */
  readonly latencies: Float64Array
}

/** Calls as fast as answers come back. */
export async function load({ url, headers, body, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(url)
  const request = requestOf(`${hostname}:${port}`, headers, body)
  const latencies: number[] = []
  let failures = 0
  const started = performance.now()
  const end = started + seconds * 1000
  const one = () =>
    new Promise<void>(resolve => {
      const socket = connect(Number(port), hostname)
      socket.setNoDelay(true)
      let sent = 0
      const next = () => {
        sent = performance.now()
        if (sent >= end) {
          socket.destroy()
          resolve()
        } else socket.write(request)
      }
      socket.on('connect', next)
      socket.on('error', () => failures++)
      socket.on('close', resolve)
      onAnswers(socket, status => {
        if (status !== '200') failures++
        latencies.push(performance.now() - sent)
        next()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  const took = (performance.now() - started) / 1000
  return { calls: latencies.length, failures, seconds: took, latencies: Float64Array.from(latencies).sort() }
}

export const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

function requestOf(host: string, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers
  }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(['POST /mcp HTTP/1.1', ...lines, '', body].join('\r\n'))
}

/** Calls back once an answer is whole; answers must have a Content-Length. */
function onAnswers(socket: Socket, done: (status: string) => void): void {
  let text = ''
  let missing = -1
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    if (missing < 0) {
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      missing = head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
    }
    if (text.length < missing) return
    const status = text.slice(9, 12)
    text = text.slice(missing)
    missing = -1
    done(status)
  })
}
