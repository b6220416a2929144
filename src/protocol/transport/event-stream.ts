import { PassThrough, type Readable } from 'node:stream'

/**
 * Most bytes that are buffered for a client that reads slowly. Beyond that, messages are dropped: notifications are not
 * guaranteed.
 */
const MAX_WAITING = 64 * 1024

/**
 * Milliseconds between checks. Proxies close a connection that is silent for a minute. The stream of a client that has
 * read nothing between two checks is destroyed.
 */
const LOOK_MS = 15_000

/** Sends messages to one client as server-sent events, each of them at once. */
export class EventStream {
  readonly #stream = new PassThrough()
  #waiting = 0

  /** @param lookMs milliseconds between checks whether the stream is silent or unread */
  constructor(lookMs = LOOK_MS) {
    const timer = setInterval(() => this.#look(), lookMs).unref()
    this.#stream.once('close', () => clearInterval(timer))
  }

  static readonly headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    // Otherwise nginx would buffer messages.
    'x-accel-buffering': 'no'
  } as const

  /** The body of the answer. */
  get body(): Readable {
    return this.#stream
  }

  /** @param message JSON text */
  notify(message: string): void {
    if (this.#unread < MAX_WAITING) this.#stream.write(eventOf(message))
  }

  /**
   * @param message the answer, JSON text; undefined if none is due
   * @returns bytes that the client has not read yet
   */
  end(message: string | undefined): number {
    const waiting = this.#unread
    const event = message === undefined ? '' : eventOf(message)
    this.#stream.end(event)
    return waiting + Buffer.byteLength(event)
  }

  /** Bytes that the client has not read yet. */
  get #unread(): number {
    return this.#stream.writableLength + this.#stream.readableLength
  }

  #look(): void {
    const before = this.#waiting
    this.#waiting = this.#unread
    if (this.#waiting === 0) {
      if (!this.#stream.writableEnded) this.#stream.write(': still here\n\n')
    } else if (this.#waiting >= before && before > 0) this.#stream.destroy()
  }
}

/**
 * A message as an event. An answer without messages before it is a stream of only this event.
 * @param message JSON text
 */
export const eventOf = (message: string): string => `event: message\ndata: ${message}\n\n`
