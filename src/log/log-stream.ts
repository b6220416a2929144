import { write, writeSync } from 'node:fs'
import { type DestinationStream, levels } from 'pino'
import { MIB } from '../base/mib.ts'

/** The destination of the log. */
export interface LogStream extends DestinationStream {
  /** Lines that are finally lost: those before them were not read, or they could not be written. */
  readonly lost: number
  /** Whether the last write failed. */
  readonly failing: boolean
  /**
   * Writes the remaining lines synchronously, and reports how many are lost: for code that is about to end the process.
   */
  flushSync(): void
  /** Waits until everything is written, for at most two seconds. */
  written(): Promise<void>
}

/** Lines are held for FLUSH_MS, or until they have FLUSH_CHARS characters. */
const FLUSH_MS = 10
const FLUSH_CHARS = 64 * 1024
/** Most bytes that wait to be written. */
export const MOST_WAITING = 8 * MIB
/** When a write is tried again: where nobody reads, and where it failed, as on a full disk. */
const RETRY_MS = { unread: 100, failed: 1000 }
const LAST_LINES_MS = 2000

/**
 * A log stream that writes the lines of some milliseconds at once: under load that is one write for many calls instead
 * of one for each. It writes asynchronously: a reader that has stopped, or a full disk, costs lines, but delays no
 * call. (pino's own stream of this kind retries a failed write forever when the process ends.)
 * @param fd 1 or 2
 * @param say told once, in a sentence, that nothing can be written there, and at the end how many lines were lost
 */
export function logStream(fd: number, say = fd === 2 ? () => {} : toStandardError): LogStream {
  let lines: string[] = []
  let chars = 0
  /** Oldest first. */
  const waiting: Buffer[] = []
  let bytes = 0
  let isWriting = false
  let hasFailed = false
  let isRetrying = false
  let hasSaid = false
  let lost = 0
  let told = 0
  let onEmpty = () => {}

  const keep = (text: string) => {
    const piece = Buffer.from(text)
    if (bytes + piece.length > MOST_WAITING) return false
    bytes += piece.length
    return waiting.push(piece) > 0
  }
  const lose = (pieces: readonly Buffer[]) => {
    for (const piece of pieces) lost += linesIn(piece)
  }
  const gather = () => {
    const count = lines.length
    if (count > 0 && !keep(lines.join(''))) lost += count
    lines = []
    chars = 0
  }
  const flush = () => {
    gather()
    writeNext()
  }
  const writeNext = () => {
    if (isWriting) return
    if (waiting.length === 0 && lost > told && !hasFailed && keep(lossLine(lost - told))) told = lost
    const [piece] = waiting
    if (piece === undefined) return onEmpty()
    isWriting = true
    write(fd, piece, (error, count) => {
      isWriting = false
      if (error !== null) return failed(error)
      hasFailed = false
      taken(piece, count)
      writeNext()
    })
  }
  const taken = (piece: Buffer, count: number) => {
    bytes -= count
    if (count === piece.length) waiting.shift()
    else waiting[0] = piece.subarray(count)
  }
  /** Tries again by itself: the lines that come next may be far off, and what waits is lost if the process is killed. */
  const again = () => {
    if (isRetrying) return
    isRetrying = true
    setTimeout(() => {
      isRetrying = false
      writeNext()
    }, RETRY_MS.failed).unref()
  }
  const failed = ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EAGAIN') return void setTimeout(writeNext, RETRY_MS.unread)
    hasFailed = true
    if (code === 'EPIPE') {
      // The reader has gone.
      lose(waiting.splice(0))
      bytes = 0
    } else again()
    if (!hasSaid) say(`The log cannot be written (${code}): lines of it are lost unless that ends soon.\n`)
    hasSaid = true
    onEmpty()
  }

  return {
    get lost() {
      return lost
    },
    get failing() {
      return hasFailed
    },
    write(line) {
      if (lines.length === 0) setTimeout(flush, FLUSH_MS)
      lines.push(line)
      chars += line.length
      if (chars > FLUSH_CHARS) flush()
    },
    flushSync() {
      gather()
      // A write that has begun still completes.
      const left = waiting.splice(isWriting ? 1 : 0)
      try {
        while (left.length > 0) {
          const rest = left[0]!.subarray(writeSync(fd, left[0]!))
          left.splice(0, 1, ...(rest.length > 0 ? [rest] : []))
        }
      } catch {}
      lose(left)
      if (lost > told) say(`Lines of the log that were lost, as it could not be written: ${lost - told}.\n`)
      told = lost
    },
    async written() {
      flush()
      if (waiting.length === 0 || (hasFailed && !isWriting)) return
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, LAST_LINES_MS)
        onEmpty = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}

/** The number of lines in a piece, including one that is half written. */
const linesIn = (piece: Buffer): number => piece.toString().split('\n').length - 1

const lossLine = (lines: number): string =>
  `${JSON.stringify({ level: levels.values.warn, time: Date.now(), lines, msg: 'lines of the log were lost' })}\n`

/** Reports a sentence on the standard error, which may fail too: it may be on the same full disk. */
function toStandardError(sentence: string): void {
  try {
    writeSync(2, sentence)
  } catch {}
}
