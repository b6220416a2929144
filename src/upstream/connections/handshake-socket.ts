import { Duplex } from 'node:stream'
import { SHORT_READ_BYTES } from './forge-queues.ts'
import { layered } from './layers.ts'
import type { Counted } from './open-connections.ts'
import { TlsRecords } from './tls-records.ts'

/** Most bytes from the other side before a connection is secure: certificates of forges are 3 to 8 KiB. */
const MOST_BYTES = 16 * 1024

/**
 * Most records without data once it is secure, and most bytes of them: tickets, new keys, empty ones. Forges send one or two
 * tickets of some hundred bytes. One record may have sixteen kilobytes of them, and is the last then.
 */
const MOST_BESIDE_DATA = { records: 16, bytes: 8 * 1024 } as const

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

/** The other side goes on with what is no data. */
class NoData extends Error {
  readonly code = 'TLS_WITHOUT_DATA'
  constructor() {
    super('more over one connection than its share of what is no data (tickets, new keys, empty records)')
    this.name = 'NoData'
  }
}

/** Run work that may take long, now or later. */
export interface SocketTurns {
  /** Before the connection is secure. */
  handshake(work: () => void): void
  /** From then on. @param work returns whether it was of data alone, which cannot take long */
  data(work: () => boolean): void
}

/** TLS over such a connection, as Node has it. */
export interface Secured extends Counted {
  /** Of data. */
  readonly bytesRead?: number
}

/**
 * The connection under TLS: it passes on few bytes until it is secure, and then record by record, each in a turn. OpenSSL
 * works for nothing before a record is whole, and then for all of it at once: for 900 tickets in one, five milliseconds.
 * What it has made of a record is read before the next is passed on: one of a single byte takes 250 there, which count for
 * nobody, and waits here as 23.
 */
export class HandshakeSocket extends Duplex {
  readonly #raw: Counted
  readonly #turns: SocketTurns
  readonly #mostBytes: number
  #received = 0
  readonly #records = new TlsRecords()
  /** Once it is secure. */
  #over: Secured | undefined
  #besideData = { records: 0, bytes: 0 }
  /** Bytes of the record that is passed on. */
  #recordBytes = 0
  /** Whether what is pushed is passed on at once, and so within its turn. */
  #flows = false
  /** What has arrived and is not passed on yet, and what to do after that. */
  #rest: Buffer | undefined
  readonly #last: (() => void)[] = []
  #waits = false

  /**
   * @param raw the raw connection, which nobody else may use from now on
   * @param mostBytes most bytes of the connection, data or not; default unlimited
   */
  constructor(raw: Counted, turns: SocketTurns, mostBytes = Number.POSITIVE_INFINITY) {
    super()
    this.#raw = raw
    this.#turns = turns
    this.#mostBytes = mostBytes
    this.on('pause', () => {
      this.#flows = false
    })
    this.on('resume', () => {
      this.#flows = this.readableFlowing === true
      this.#next()
    })
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
  secured(over: Secured): void {
    this.#over = over
    layered(over, this.#raw)
    over.ref = () => this.#raw.ref?.()
    over.unref = () => this.#raw.unref?.()
    const { read } = over
    over.read = size => {
      const piece = read.call(over, size)
      // Not from here: whoever reads goes on until there is nothing.
      if (this.#rest !== undefined && over.readableLength === 0) process.nextTick(() => this.#next())
      return piece
    }
  }

  #finally(work: () => void): void {
    this.#last.push(work)
    this.#next()
  }

  /** Takes nothing more until all that has arrived is passed on. */
  #next(): void {
    this.#rest ??= this.#take()
    if (this.#waits || !this.#isReady()) return
    this.#waits = true
    if (this.#over === undefined) this.#turns.handshake(() => void this.#goOn())
    else this.#turns.data(() => this.#goOn())
  }

  #isReady(): boolean {
    if (this.#rest === undefined) return this.#last.length > 0
    return this.#flows && (this.#over === undefined || this.#over.readableLength === 0)
  }

  /** @returns whether it was of data alone */
  #goOn(): boolean {
    this.#waits = false
    if (this.destroyed || !this.#isReady()) return true
    let isData = true
    if (this.#rest === undefined) this.#last.shift()!()
    else if (this.#over === undefined) this.#handHandshake(this.#rest)
    else isData = this.#handRecord(this.#rest, this.#over)
    this.#next()
    return isData
  }

  #take(): Buffer | undefined {
    // What is not taken waits where it is counted.
    const chunk: Buffer | null = this.#raw.read(
      this.#raw.readableLength > SHORT_READ_BYTES ? SHORT_READ_BYTES : undefined
    )
    this.#received += chunk?.length ?? 0
    const isSecure = this.#over !== undefined
    const over = this.#received - (isSecure ? this.#mostBytes : MOST_BYTES)
    if (over <= 0) return chunk ?? undefined
    // Passes on what fits: the reader may find that it is too long, and has a better message.
    if (isSecure && chunk !== null && over < chunk.length) return chunk.subarray(0, -over)
    this.destroy(isSecure ? new LongConnection(this.#mostBytes) : new LongHandshake())
    return undefined
  }

  #handHandshake(chunk: Buffer): void {
    const piece = this.#cut(chunk, MOST_BYTES)
    for (let at = 0; at < piece.length; ) at += this.#records.next(piece.subarray(at)).bytes
    this.push(piece)
  }

  /** @returns whether it was of data, or of a record that goes on */
  #handRecord(chunk: Buffer, over: Secured): boolean {
    const { bytes, isEnd } = this.#records.next(chunk)
    const before = over.bytesRead
    this.push(this.#cut(chunk, bytes))
    this.#recordBytes += bytes
    if (!isEnd) return true
    const isData = over.bytesRead !== before
    if (!isData) this.#count(this.#recordBytes)
    this.#recordBytes = 0
    return isData
  }

  #count(bytes: number): void {
    const beside = this.#besideData
    beside.records++
    beside.bytes += bytes
    if (beside.records > MOST_BESIDE_DATA.records || beside.bytes > MOST_BESIDE_DATA.bytes)
      this.destroy(new NoData())
  }

  #cut(chunk: Buffer, bytes: number): Buffer {
    this.#rest = chunk.length > bytes ? chunk.subarray(bytes) : undefined
    return chunk.subarray(0, bytes)
  }

  override _read(): void {
    // Not from here: Node passes on what is pushed meanwhile after its turn.
    process.nextTick(() => this.#next())
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
