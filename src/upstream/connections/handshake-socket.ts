import { Duplex } from 'node:stream'
import { layered } from './layers.ts'
import type { Counted } from './open-connections.ts'

/** Most bytes from the other side before a connection is secure: certificates of forges are 3 to 8 KiB. */
const MOST_BYTES = 16 * 1024

/** Bytes passed on at a time once it is secure. */
const PIECE_BYTES = 1024
/**
 * The most that such a piece can take, as with new keys, in milliseconds. Longer times have another cause, such as
 * garbage collection.
 */
const PIECE_MS = 3

/** The other side sent more than that. The code is one of those of TLS (connect-failure.ts). */
class LongHandshake extends Error {
  readonly code = 'ERR_TLS_LONG_HANDSHAKE'
  constructor() {
    super(`more than ${MOST_BYTES} bytes before the connection is secure`)
    this.name = 'LongHandshake'
  }
}

/** The other side sent more than a whole connection may deliver. */
class LongConnection extends Error {
  readonly code = 'LONG_CONNECTION'
  constructor(bytes: number) {
    super(`more than ${bytes} bytes over one connection`)
    this.name = 'LongConnection'
  }
}

/** Run work that may take long, now or later. */
export interface Turns {
  /** Before the connection is secure. */
  handshake(work: () => void): void
  /** From then on. @param mostMs the most that it takes in milliseconds */
  data(work: () => void, mostMs: number): void
}

/** The connection under TLS: it passes on few bytes until it is secure, and then small pieces, each in a turn. */
export class HandshakeSocket extends Duplex {
  readonly #raw: Counted
  readonly #turns: Turns
  readonly #mostBytes: number
  #received = 0
  #isSecure = false
  /** What has arrived and is not passed on yet, and what to do after that. */
  #rest: Buffer | undefined
  readonly #last: (() => void)[] = []
  #waits = false

  /**
   * @param raw the raw connection, which nobody else may use from now on
   * @param mostBytes most bytes of the connection, data or not; default unlimited
   */
  constructor(raw: Counted, turns: Turns, mostBytes = Number.POSITIVE_INFINITY) {
    super()
    this.#raw = raw
    this.#turns = turns
    this.#mostBytes = mostBytes
    // It is read on demand: a flowing stream that was paused again and again was seen to stop with data left.
    raw.on('readable', () => this.#next())
    // The end has to wait too: an alert that still waits for its turn tells why the other side closed the connection.
    raw.once('end', () => this.#finally(() => this.push(null)))
    raw.once('error', error => this.destroy(error))
    // Data before its end may still wait to be read, and would be lost: in that case whoever reads it closes this, too.
    raw.once('close', () => raw.readableEnded || this.#finally(() => this.destroy()))
  }

  /**
   * Tells that the connection is secure: from now on only data, new keys or tickets arrive.
   * @param over the TLS socket: whether it has a request is passed on to the raw connection
   */
  secured(over: Counted): void {
    this.#isSecure = true
    layered(over, this.#raw)
    over.ref = () => this.#raw.ref?.()
    over.unref = () => this.#raw.unref?.()
  }

  #finally(work: () => void): void {
    this.#last.push(work)
    this.#next()
  }

  /** Takes nothing more until all that has arrived is passed on. */
  #next(): void {
    this.#rest ??= this.#take()
    if (this.#waits || (this.#rest === undefined && this.#last.length === 0)) return
    this.#waits = true
    const work = () => {
      this.#waits = false
      if (this.destroyed) return
      if (this.#rest === undefined) this.#last.shift()?.()
      else if (!this.#handPiece(this.#rest)) return
      this.#next()
    }
    if (this.#isSecure) this.#turns.data(work, PIECE_MS)
    else this.#turns.handshake(work)
  }

  #take(): Buffer | undefined {
    const chunk: Buffer | null = this.#raw.read()
    this.#received += chunk?.length ?? 0
    const over = this.#received - (this.#isSecure ? this.#mostBytes : MOST_BYTES)
    if (over <= 0) return chunk ?? undefined
    // Passes on what fits: the reader may find that it is too long, and has a better message.
    if (this.#isSecure && chunk !== null && over < chunk.length) return chunk.subarray(0, -over)
    this.destroy(this.#isSecure ? new LongConnection(this.#mostBytes) : new LongHandshake())
    return undefined
  }

  /** @returns whether more is wanted */
  #handPiece(chunk: Buffer): boolean {
    const bytes = this.#isSecure ? PIECE_BYTES : MOST_BYTES
    this.#rest = chunk.length > bytes ? chunk.subarray(bytes) : undefined
    return this.push(chunk.subarray(0, bytes))
  }

  override _read(): void {
    this.#next()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#raw.write(chunk, encoding, done)
  }

  override _final(done: () => void): void {
    if (this.#raw.destroyed) done()
    else this.#raw.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#raw.destroy()
    done(error)
  }
}
