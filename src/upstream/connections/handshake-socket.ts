import { Duplex } from 'node:stream'
import { SHORT_READ_BYTES } from './forge-queues.ts'
import { layered } from './layers.ts'
import type { Counted } from './open-connections.ts'
import { TlsRecords } from './tls-records.ts'

/** Most bytes from the other side before a connection is secure: certificates of forges are 3 to 8 KiB. */
const MAX_BYTES = 16 * 1024

/**
 * Most records without data on a secure connection, and most bytes of these records: tickets, key updates, empty
 * records. Forges send one or two tickets of some hundred bytes. A single record can carry sixteen kilobytes of
 * tickets, but is the last one then.
 */
const MAX_BESIDE_DATA = { records: 16, bytes: 8 * 1024 } as const

/**
 * The other side sent more than MAX_BYTES before the connection was secure. The code is one of those of TLS
 * (connect-failure.ts).
 */
class LongHandshake extends Error {
  readonly code = 'ERR_TLS_LONG_HANDSHAKE'
  constructor() {
    super(`more than ${MAX_BYTES} bytes before the connection is secure`)
    this.name = 'LongHandshake'
  }
}

/** The other side sent more bytes than one connection may deliver. */
class LongConnection extends Error {
  readonly code = 'LONG_CONNECTION'
  constructor(bytes: number) {
    super(`more than ${bytes} bytes over one connection`)
    this.name = 'LongConnection'
  }
}

/** The other side keeps sending records without data. */
class NoData extends Error {
  readonly code = 'TLS_WITHOUT_DATA'
  constructor() {
    super('more over one connection than its share of what is no data (tickets, new keys, empty records)')
    this.name = 'NoData'
  }
}

/** Run work that may take long, now or later. */
export interface SocketTurns {
  /** Runs work from before the connection is secure. */
  handshake(work: () => void): void
  /** Runs work from after that. @param work returns whether it processed only data, which cannot take long */
  data(work: () => boolean): void
}

/** Node's TLS socket over such a connection. */
interface Secured extends Counted {
  /** Bytes of data that it has received. */
  readonly bytesRead?: number
}

/**
 * The socket under TLS. It passes on few bytes until the connection is secure, and then one TLS record at a time, each
 * in a turn. OpenSSL does nothing before a record is complete, and then processes all of it at once: a record with 900
 * tickets takes five milliseconds. The data of a record is read before the next record is passed on. This saves memory:
 * a record of a single byte takes 250 bytes in the TLS socket, which are counted for nobody, but only 23 while it waits
 * here.
 */
export class HandshakeSocket extends Duplex {
  readonly #raw: Counted
  readonly #turns: SocketTurns
  readonly #mostBytes: number
  #received = 0
  readonly #records = new TlsRecords()
  /** Set once the connection is secure: the TLS socket. */
  #over: Secured | undefined
  #besideData = { records: 0, bytes: 0 }
  /** Bytes of the current record that have been passed on. */
  #recordBytes = 0
  /** Whether pushed bytes reach the TLS socket at once, and so within their turn. */
  #flows = false
  /** Bytes that have arrived and are not passed on yet, and work to do after that. */
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
    // The raw connection is read on demand: a flowing stream that was paused again and again was seen to stop with data
    // left.
    raw.on('readable', () => this.#next())
    // The end has to wait too: an alert that still waits for its turn tells why the other side closed the connection.
    raw.once('end', () => this.#finally(() => this.push(null)))
    raw.once('error', error => this.destroy(error))
    // After a regular end, data may still wait to be read, and destroying this socket would lose it. In that case the
    // reader closes this socket, too.
    raw.once('close', () => raw.readableEnded || this.#finally(() => this.destroy()))
  }

  /**
   * Reports that the connection is secure. From now on only data, key updates or tickets arrive.
   * @param over the TLS socket. Its `ref` and `unref`, by which undici tells whether it has a request, are passed on to
   * the raw connection
   */
  secured(over: Secured): void {
    this.#over = over
    layered(over, this.#raw)
    over.ref = () => this.#raw.ref?.()
    over.unref = () => this.#raw.unref?.()
    const { read } = over
    over.read = size => {
      const piece = read.call(over, size)
      // Not synchronously: the reader goes on until there is nothing left.
      if (this.#rest !== undefined && over.readableLength === 0) process.nextTick(() => this.#next())
      return piece
    }
  }

  #finally(work: () => void): void {
    this.#last.push(work)
    this.#next()
  }

  /**
   * Passes on in a turn what has arrived. Before all of that is passed on, nothing more is taken from the raw
   * connection.
   */
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

  /** @returns whether the piece held nothing but data */
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
    // Bytes that are not taken wait in the raw connection, where they are counted.
    const chunk: Buffer | null = this.#raw.read(
      this.#raw.readableLength > SHORT_READ_BYTES ? SHORT_READ_BYTES : undefined
    )
    this.#received += chunk?.length ?? 0
    const isSecure = this.#over !== undefined
    const over = this.#received - (isSecure ? this.#mostBytes : MAX_BYTES)
    if (over <= 0) return chunk ?? undefined
    // Passes on what still fits: the reader may notice by itself that the answer is too long, and has a better message
    // for that.
    if (isSecure && chunk !== null && over < chunk.length) return chunk.subarray(0, -over)
    this.destroy(isSecure ? new LongConnection(this.#mostBytes) : new LongHandshake())
    return undefined
  }

  #handHandshake(chunk: Buffer): void {
    const piece = this.#cut(chunk, MAX_BYTES)
    for (let at = 0; at < piece.length; ) at += this.#records.next(piece.subarray(at)).bytes
    this.push(piece)
  }

  /**
   * Passes on the chunk up to the end of its record.
   * @returns false if this completes a record without data, otherwise true
   */
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
    if (beside.records > MAX_BESIDE_DATA.records || beside.bytes > MAX_BESIDE_DATA.bytes)
      this.destroy(new NoData())
  }

  #cut(chunk: Buffer, bytes: number): Buffer {
    this.#rest = chunk.length > bytes ? chunk.subarray(bytes) : undefined
    return chunk.subarray(0, bytes)
  }

  override _read(): void {
    // Not synchronously: Node would not pass on what is pushed in this call until after the turn.
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
