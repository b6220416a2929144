import { PassThrough, type Readable } from 'node:stream'

/** Characters that may wait for a client that reads slowly. What comes on top is dropped: no notification is owed. */
const MAX_WAITING = 64 * 1024

/** Messages on their way to one client as server-sent events, each sent as it comes. */
export class EventStream {
  readonly #stream = new PassThrough()

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
