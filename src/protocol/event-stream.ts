import { PassThrough, type Readable } from 'node:stream'

/** Characters that may wait for a client that reads slowly. What comes on top is dropped: no notification is owed. */
const MAX_WAITING = 64 * 1024

/** Proxies end a connection on which nothing comes for a minute. */
const KEEP_ALIVE_MS = 15_000

/** Messages on their way to one client as server-sent events, each sent as it comes. */
export class EventStream {
  readonly #stream = new PassThrough()
  readonly #keepAlive: NodeJS.Timeout

  constructor() {
    this.#keepAlive = setInterval(() => {
      if (this.#stream.writableLength === 0) this.#stream.write(': still here\n\n')
    }, KEEP_ALIVE_MS).unref()
    this.#stream.once('close', () => clearInterval(this.#keepAlive))
  }

  static readonly headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    // nginx would keep messages back until there are enough of them.
    'x-accel-buffering': 'no'
  } as const

  /** The body of the answer. */
  get body(): Readable {
    return this.#stream
  }

  /** @param message JSON text */
  notify(message: string): void {
    if (this.#stream.writableLength + this.#stream.readableLength < MAX_WAITING) this.#write(message)
  }

  /** @param message the answer, JSON text; none when none is owed */
  end(message: string | undefined): void {
    if (message !== undefined) this.#write(message)
    this.#stream.end()
  }

  #write(message: string): void {
    this.#stream.write(`event: message\ndata: ${message}\n\n`)
  }
}
