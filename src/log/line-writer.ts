import { write, writeSync } from 'node:fs'
import { levels } from 'pino'
import { MIB } from '../base/units.ts'

/** Most bytes that wait to be written. */
export const MAX_WAITING = 8 * MIB
/** Milliseconds after which a write is repeated: if nobody reads, and if it failed, as on a full disk. */
const RETRY_MS = { unread: 100, failed: 1000 }
const LAST_LINES_MS = 2000
/**
 * If no waiting line has been taken for this many milliseconds, that counts as a failure: a reader may pause for a
 * moment.
 */
const UNREAD_MS = 10_000

/**
 * Writes lines to a file descriptor, one piece after another, and counts lost lines. It writes asynchronously: a reader
 * that has stopped, or a full disk, costs lines, but delays no call. (pino's own stream of this kind retries a failed
 * write forever when the process ends.)
 */
export class LineWriter {
  readonly #fd: number
  readonly #say: (sentence: string) => void
  readonly #now: () => number
  /** Oldest first. */
  readonly #waiting: Buffer[] = []
  #bytes = 0
  /** Since when no waiting line has been taken, by the clock. */
  #unreadSince = 0
  #isWriting = false
  #hasFailed = false
  #isRetrying = false
  #hasSaid = false
  #lost = 0
  #told = 0
  #onEmpty = () => {}

  /**
   * @param say called once with a sentence if nothing can be written, and at the end with the number of lost lines
   * @param now clock of durations in milliseconds
   */
  constructor(fd: number, say: (sentence: string) => void, now: () => number) {
    this.#fd = fd
    this.#say = say
    this.#now = now
  }

  /**
   * Number of lines that are finally lost, because earlier lines were not read or because they could not be written.
   */
  get lost(): number {
    return this.#lost
  }

  /** Whether the last write failed, or no waiting line has been taken for ten seconds. */
  get failing(): boolean {
    return this.#hasFailed || (this.#waiting.length > 0 && this.#now() - this.#unreadSince >= UNREAD_MS)
  }

  /** Keeps lines until they are written. They are lost if too many are waiting already. */
  keep(lines: readonly string[]): void {
    if (lines.length > 0 && !this.#keep(lines.join(''))) this.#lost += lines.length
  }

  /** Writes the waiting lines, unless a write is in progress. */
  next(): void {
    if (this.#isWriting) return
    this.#tellLoss()
    const [piece] = this.#waiting
    if (piece === undefined) this.#onEmpty()
    else this.#write(piece)
  }

  /** Writes the waiting lines synchronously, and reports how many lines are lost. */
  finishSync(): void {
    // A write that has begun still completes.
    const left = this.#waiting.splice(this.#isWriting ? 1 : 0)
    try {
      while (left.length > 0) {
        const rest = left[0]!.subarray(writeSync(this.#fd, left[0]!))
        left.splice(0, 1, ...(rest.length > 0 ? [rest] : []))
      }
    } catch {}
    this.#lose(left)
    if (this.#lost > this.#told)
      this.#say(`Lines of the log that were lost, as it could not be written: ${this.#lost - this.#told}.\n`)
    this.#told = this.#lost
  }

  /** Waits until everything is written, for at most two seconds. */
  async written(): Promise<void> {
    if (this.#waiting.length === 0 || (this.#hasFailed && !this.#isWriting)) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, LAST_LINES_MS)
      this.#onEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** @returns whether there was room for the text */
  #keep(text: string): boolean {
    const piece = Buffer.from(text)
    if (this.#bytes + piece.length > MAX_WAITING) return false
    if (this.#waiting.length === 0) this.#unreadSince = this.#now()
    this.#bytes += piece.length
    return this.#waiting.push(piece) > 0
  }

  /** Puts a line about lost lines in the log, once the log can be written again. */
  #tellLoss(): void {
    if (this.#waiting.length > 0 || this.#lost === this.#told || this.#hasFailed) return
    if (this.#keep(lossLine(this.#lost - this.#told))) this.#told = this.#lost
  }

  #write(piece: Buffer): void {
    this.#isWriting = true
    write(this.#fd, piece, (error, count) => {
      this.#isWriting = false
      if (error !== null) return this.#failed(error)
      this.#hasFailed = false
      this.#taken(piece, count)
      this.next()
    })
  }

  #taken(piece: Buffer, count: number): void {
    this.#bytes -= count
    this.#unreadSince = this.#now()
    if (count === piece.length) this.#waiting.shift()
    else this.#waiting[0] = piece.subarray(count)
  }

  #failed({ code }: NodeJS.ErrnoException): void {
    if (code === 'EAGAIN') return void setTimeout(() => this.next(), RETRY_MS.unread)
    this.#hasFailed = true
    if (code === 'EPIPE') {
      // The reader has gone.
      this.#lose(this.#waiting.splice(0))
      this.#bytes = 0
    } else this.#again()
    if (!this.#hasSaid)
      this.#say(`The log cannot be written (${code}): lines of it are lost unless that ends soon.\n`)
    this.#hasSaid = true
    this.#onEmpty()
  }

  /**
   * Repeats the write after a while: the next line may be far off, and waiting lines are lost if the process is killed.
   */
  #again(): void {
    if (this.#isRetrying) return
    this.#isRetrying = true
    setTimeout(() => {
      this.#isRetrying = false
      this.next()
    }, RETRY_MS.failed).unref()
  }

  #lose(pieces: readonly Buffer[]): void {
    for (const piece of pieces) this.#lost += linesIn(piece)
  }
}

/** The number of lines in a piece, including one of which only a part is left. */
const linesIn = (piece: Buffer): number => piece.toString().split('\n').length - 1

const lossLine = (lines: number): string =>
  `${JSON.stringify({ level: levels.values.warn, time: Date.now(), lines, msg: 'lines of the log were lost' })}\n`
