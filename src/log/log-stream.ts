import { write, writeSync } from 'node:fs'
import { type DestinationStream, levels } from 'pino'

/** Where the lines of this service go. */
export interface LogStream extends DestinationStream {
  /** Lines that are lost for good: nobody read those before them, or they could not be written. */
  readonly lost: number
  /** Whether the last write failed. */
  readonly failing: boolean
  /** Writes what is left at once, and says how many lines are lost: for whoever ends the process now. */
  flushSync(): void
  /** Waits until all is written, for two seconds at most. */
  written(): Promise<void>
}

/** Lines wait for so many milliseconds, or until so many characters have come. */
const FLUSH_MS = 10
const FLUSH_CHARS = 64 * 1024
/** Bytes that wait for a reader. */
export const MOST_WAITING = 8 * 1024 * 1024
const RETRY_MS = 100
const LAST_LINES_MS = 2000

/**
 * Lines of a few milliseconds leave in one write, which under load is a write for many calls instead of one for each.
 * It is made beside the event loop: a reader that has stopped, or a full disk, costs lines, and no call. (pino's own
 * stream that does so tries a write that failed for ever when the process ends.)
 * @param fd 1 or 2
 * @param say told once, in a sentence, that nothing can be written there, and at the end how many lines were not
 */
export function logStream(fd: number, say = fd === 2 ? () => {} : toStandardError): LogStream {
  let lines: string[] = []
  let chars = 0
  /** Oldest first. */
  const waiting: Buffer[] = []
  let bytes = 0
  let isWriting = false
  let hasFailed = false
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
  const failed = ({ code }: NodeJS.ErrnoException) => {
    // Else the next lines try again.
    if (code === 'EAGAIN') return void setTimeout(writeNext, RETRY_MS)
    hasFailed = true
    if (code === 'EPIPE') {
      // Whoever was to read these has gone.
      lose(waiting.splice(0))
      bytes = 0
    }
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
      // What is under way is written all the same.
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

/** Of one that is half written, too. */
const linesIn = (piece: Buffer): number => piece.toString().split('\n').length - 1

const lossLine = (lines: number): string =>
  `${JSON.stringify({ level: levels.values.warn, time: Date.now(), lines, msg: 'lines of the log were lost' })}\n`

/** It may be the same full disk. */
function toStandardError(sentence: string): void {
  try {
    writeSync(2, sentence)
  } catch {}
}
