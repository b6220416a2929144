import { Duplex } from 'node:stream'
import type { Counted } from './open-connections.ts'

/** Of what the other side sends before a connection is secure: certificates of forges are 3 to 8 KiB. */
const MOST_BYTES = 16 * 1024

/** Of what comes once it is secure, at a time. */
const PIECE_BYTES = 1024
/** What that takes at most, as new keys, in milliseconds. What took longer was something else: memory was collected. */
const PIECE_MS = 3

/** It sent more. The code is one of those of TLS (connect-failure.ts). */
class LongHandshake extends Error {
  readonly code = 'ERR_TLS_LONG_HANDSHAKE'
  constructor() {
    super(`more than ${MOST_BYTES} bytes before the connection is secure`)
    this.name = 'LongHandshake'
  }
}

/** It sent more than a whole connection may bring. */
class LongConnection extends Error {
  readonly code = 'LONG_CONNECTION'
  constructor(bytes: number) {
    super(`more than ${bytes} bytes over one connection`)
    this.name = 'LongConnection'
  }
}

/** Runs what may take long, at once or later. @param mostMs what it takes at most, where that is known */
export type Turn = (work: () => void, mostMs?: number) => void

/** A connection over which TLS is spoken: few bytes until it is secure and then small pieces, each in a turn. */
export class HandshakeSocket extends Duplex {
  readonly #raw: Counted
  readonly #turn: Turn
  readonly #mostBytes: number
  #received = 0
  #isSecure = false
  /** What has come, and what is to be done after that. */
  #rest: Buffer | undefined
  readonly #last: (() => void)[] = []
  #waits = false

  /**
   * @param raw nobody else's from now on
   * @param mostBytes of all that comes, data or not; default any number
   */
  constructor(raw: Counted, turn: Turn, mostBytes = Number.POSITIVE_INFINITY) {
    super()
    this.#raw = raw
    this.#turn = turn
    this.#mostBytes = mostBytes
    // Read when wanted: one that flows and is paused again and again has been seen to stop, with data to be had.
    raw.on('readable', () => this.#next())
    // An alert that waits for its turn says why the other side has hung up.
    raw.once('end', () => this.#finally(() => this.push(null)))
    raw.once('error', error => this.destroy(error))
    // What came before its end may still wait to be read, and would be lost: who reads it closes this too.
    raw.once('close', () => raw.readableEnded || this.#finally(() => this.destroy()))
  }

  /**
   * From now on whatever comes is data, new keys or tickets.
   * @param over what speaks TLS: that it has a request, or none, is said of what it is spoken over too
   */
  secured(over: Counted): void {
    this.#isSecure = true
    over.ref = () => this.#raw.ref?.()
    over.unref = () => this.#raw.unref?.()
  }

  #finally(work: () => void): void {
    this.#last.push(work)
    this.#next()
  }

  /** Nothing more is taken until all that has come is handed over. */
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
    this.#turn(work, this.#isSecure ? PIECE_MS : undefined)
  }

  #take(): Buffer | undefined {
    const chunk: Buffer | null = this.#raw.read()
    this.#received += chunk?.length ?? 0
    const over = this.#received - (this.#isSecure ? this.#mostBytes : MOST_BYTES)
    if (over <= 0) return chunk ?? undefined
    // By what fits its reader may find that it is too long, and says so better.
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
