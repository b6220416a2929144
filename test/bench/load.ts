import { connect, type Socket } from 'node:net'

/* A load client that costs as little as it can: prepared requests over kept connections, one at a time each. */

/** Who has a connection. */
export interface Client {
  readonly headers: Readonly<Record<string, string>>
  /** Its session, which may have another id after each answer. */
  readonly sid?: string | undefined
  /** What it sends, in turn. */
  readonly messages: readonly Sent[]
}

export interface Sent {
  readonly text: string
  /** Bytes of an answer's body below which it cannot be a good one. */
  readonly least: number
}

interface LoadOptions {
  /** http://HOST:PORT */
  readonly url: string
  /** One a connection. */
  readonly clients: readonly Client[]
  readonly seconds: number
  /** Milliseconds from one request of a connection to its next; default none but the answer. */
  readonly every?: number | undefined
}

interface LoadResult {
  /** Good answers a second, once the first have come. */
  readonly rate: number
  /** Answers that were none, and connections that broke: the beginning of what came. */
  readonly failures: readonly string[]
  /** Milliseconds of each answer, sorted. */
  readonly latencies: Float64Array
}

/** Part of the time that is not counted: all connections begin at once, and a slow forge answers none meanwhile. */
const BEGINNING = 0.25

/** Sends for a time, at least once over each connection, and waits for what is under way at its end. */
export async function load({ url, clients, seconds, every = 0 }: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(url)
  const connections = await Promise.all(
    clients.map(async client => new Connection(await opened(Number(port), hostname), client))
  )
  const started = performance.now()
  const end = started + seconds * 1000
  const begun = started + seconds * 1000 * BEGINNING
  await Promise.all(
    connections.map((connection, at) => connection.run(end, every, (every * at) / connections.length))
  )
  const answers = connections.flatMap(({ answers }) => answers)
  return {
    rate: answers.filter(({ at }) => at > begun && at <= end).length / ((end - begun) / 1000),
    failures: connections.flatMap(({ failures }) => failures),
    latencies: Float64Array.from(answers, ({ took }) => took).sort()
  }
}

/** @param sorted numbers @param share of them that are not above what is given */
export const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const opened = (port: number, host: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, host, () => resolve(socket))
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.once('error', reject)
  })

/** Longest answer that is looked through for an error: an error is told in a few words. */
const ERROR_CHARS = 2000

/** @param answer with its headers @param least characters of its body */
function isGood(answer: string, least: number): boolean {
  const body = answer.length - answer.indexOf('\r\n\r\n') - 4
  if (answer.slice(9, 12) !== '200' || body < least) return false
  return body > ERROR_CHARS || !/"isError":true|"error":\{/.test(answer)
}

const LAST_CHUNK = '\r\n0\r\n\r\n'

class Connection {
  readonly answers: { readonly at: number; readonly took: number }[] = []
  readonly failures: string[] = []
  readonly #socket: Socket
  readonly #requests: readonly (Sent & { readonly head: string; readonly tail: string })[]
  #sid: string
  #sent = 0
  #waits = false
  #count = 0

  constructor(socket: Socket, { headers, sid, messages }: Client) {
    this.#socket = socket
    this.#sid = sid ?? ''
    const { remoteAddress, remotePort } = socket
    this.#requests = messages.map(message => {
      const lines = Object.entries({
        host: `${remoteAddress}:${remotePort}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(message.text)),
        accept: 'application/json, text/event-stream',
        ...headers
      }).map(([name, value]) => `${name}: ${value}\r\n`)
      const head = `POST /mcp HTTP/1.1\r\n${lines.join('')}`
      return { ...message, head, tail: `\r\n${message.text}` }
    })
  }

  /** @param end of sending, on performance.now @param first milliseconds to wait before it begins */
  run(end: number, every: number, first: number): Promise<void> {
    return new Promise(resolve => {
      const next = () => {
        if (performance.now() >= end) this.#socket.destroy()
        else this.#send()
      }
      // Also where it was closed before it could be used.
      if (this.#socket.closed) return resolve(this.#broke('closed at once'))
      this.#socket.on('error', error => this.#broke(String(error)))
      this.#socket.on('close', () => {
        if (this.#waits) this.#broke('closed without an answer')
        resolve()
      })
      this.#onAnswers(text => {
        this.#take(text)
        if (every === 0) next()
        else setTimeout(next, Math.max(0, every - (performance.now() - this.#sent)))
      })
      if (first === 0) this.#send()
      else setTimeout(() => this.#send(), first)
    })
  }

  #send(): void {
    const { head, tail } = this.#requests[this.#count++ % this.#requests.length]!
    const session = this.#sid === '' ? '' : `mcp-session-id: ${this.#sid}\r\n`
    this.#sent = performance.now()
    this.#waits = true
    this.#socket.write(head + session + tail)
  }

  #broke(why: string): void {
    this.#waits = false
    this.failures.push(why)
  }

  #take(text: string): void {
    const now = performance.now()
    this.#waits = false
    const { least } = this.#requests[(this.#count - 1) % this.#requests.length]!
    if (!isGood(text, least)) this.failures.push(text.slice(0, 1000))
    else this.answers.push({ at: now, took: now - this.#sent })
    // Who began without a session has each request be its first.
    if (this.#sid !== '')
      this.#sid = /\r\nmcp-session-id: ([^\r]+)/i.exec(text.slice(0, 4096))?.[1] ?? this.#sid
  }

  /** Calls back once an answer is whole: by its length, or by its last chunk. */
  #onAnswers(done: (text: string) => void): void {
    let text = ''
    let end = ''
    let whole = -1
    this.#socket.on('data', (chunk: Buffer | string) => {
      text += chunk
      // Of the text itself it would be joined anew with each piece.
      end = (end + chunk).slice(-LAST_CHUNK.length)
      if (whole < 0) {
        const head = text.indexOf('\r\n\r\n')
        if (head < 0) return
        const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
        whole = length === undefined ? Number.POSITIVE_INFINITY : head + 4 + Number(length)
      }
      if (whole === Number.POSITIVE_INFINITY ? end !== LAST_CHUNK : text.length < whole) return
      const answer = text
      text = ''
      whole = -1
      done(answer)
    })
  }
}
