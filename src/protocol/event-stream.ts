import { PassThrough, type Readable } from 'node:stream'

/** Bytes that may wait for a client that reads slowly. What comes on top is dropped: no notification is owed. */
const MAX_WAITING = 64 * 1024

/**
 * Proxies end a connection on which nothing comes for a minute. A client that has taken nothing from one look to the
 * next is given up.
 */
const LOOK_MS = 15_000

/** Messages on their way to one client as server-sent events, each sent as it comes. */
export class EventStream {
  readonly #stream = new PassThrough()
  #waiting = 0

  /** @param lookMs how often it is looked whether the stream is quiet, or not taken */
  constructor(lookMs = LOOK_MS) {
    const timer = setInterval(() => this.#look(), lookMs).unref()
    this.#stream.once('close', () => clearInterval(timer))
  }

  static readonly headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    // nginx would keep messages back until there are enough of them.
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
   * @param message the answer, JSON text; none when none is owed
   * @returns bytes that are still to be taken
   */
  end(message: string | undefined): number {
    const waiting = this.#unread
    const event = message === undefined ? '' : eventOf(message)
    this.#stream.end(event)
    return waiting + Buffer.byteLength(event)
  }

  /** Bytes that its reader has not taken. */
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

/** A message as an event; an answer that nothing came before is a stream of this alone. @param message JSON text */
export const eventOf = (message: string): string => `event: message\ndata: ${message}\n\n`
