import { Duplex } from 'node:stream'

/** Of what the other side sends before a connection is secure: certificates of forges are 3 to 8 KiB. */
const MOST_BYTES = 16 * 1024

/** It sent more. The code is one of those of TLS (connect-failure.ts). */
class LongHandshake extends Error {
  readonly code = 'ERR_TLS_LONG_HANDSHAKE'
  constructor() {
    super(`more than ${MOST_BYTES} bytes before the connection is secure`)
    this.name = 'LongHandshake'
  }
}

/** Runs what may take long, at once or later. */
export type Turn = (work: () => void) => void

/** A connection over which TLS is spoken: bounded until it is secure, and then just what it was. */
export class HandshakeSocket extends Duplex {
  readonly #raw: Duplex
  readonly #turn: Turn
  #received = 0
  #isSecure = false

  /** @param raw nobody else's from now on */
  constructor(raw: Duplex, turn: Turn) {
    super()
    this.#raw = raw
    this.#turn = turn
    raw.on('data', chunk => this.#take(chunk))
    raw.once('end', () => this.#afterWhatCame(() => this.#hand(null)))
    raw.once('error', error => this.destroy(error))
    raw.once('close', () => this.#afterWhatCame(() => this.destroy()))
  }

  /** From now on whatever comes is data. */
  secured(): void {
    this.#isSecure = true
  }

  /** An alert that waits for its turn says why the other side has hung up. */
  #afterWhatCame(work: () => void): void {
    if (this.#isSecure) work()
    else this.#turn(work)
  }

  #take(chunk: Buffer): void {
    if (this.#isSecure) {
      this.#hand(chunk)
      return
    }
    this.#received += chunk.length
    if (this.#received > MOST_BYTES) {
      this.destroy(new LongHandshake())
      return
    }
    this.#raw.pause()
    this.#turn(() => {
      this.#raw.resume()
      this.#hand(chunk)
    })
  }

  /** @param chunk null for the end */
  #hand(chunk: Buffer | null): void {
    if (!this.destroyed && !this.push(chunk)) this.#raw.pause()
  }

  override _read(): void {
    this.#raw.resume()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#raw.write(chunk, encoding, done)
  }

  override _final(done: () => void): void {
    this.#raw.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#raw.destroy()
    done(error)
  }
}
