import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'
import { LineWriter } from './line-writer.ts'

/** The destination of the log. */
export interface LogStream extends DestinationStream {
  /**
   * Number of lines that are finally lost, because earlier lines were not read or because they could not be written.
   */
  readonly lost: number
  /** Whether the last write failed, or no waiting line has been taken for ten seconds. */
  readonly failing: boolean
  /**
   * Writes the remaining lines synchronously, and reports how many are lost. For code that is about to end the process.
   */
  flushSync(): void
  /** Waits until everything is written, for at most two seconds. */
  written(): Promise<void>
}

/** Lines are held for FLUSH_MS, or until they have FLUSH_CHARS characters. */
const FLUSH_MS = 10
const FLUSH_CHARS = 64 * 1024

/**
 * A log stream that writes the lines of some milliseconds at once: under load that is one write for many calls, instead
 * of one for each.
 * @param fd 1 or 2
 * @param say called once with a sentence if nothing can be written there, and at the end with the number of lost lines
 * @param now clock of durations in milliseconds
 */
export function logStream(
  fd: number,
  say = fd === 2 ? () => {} : toStandardError,
  now: () => number = () => performance.now()
): LogStream {
  const writer = new LineWriter(fd, say, now)
  let lines: string[] = []
  let chars = 0
  const gather = () => {
    writer.keep(lines)
    lines = []
    chars = 0
  }
  const flush = () => {
    gather()
    writer.next()
  }
  return {
    get lost() {
      return writer.lost
    },
    get failing() {
      return writer.failing
    },
    write(line) {
      if (lines.length === 0) setTimeout(flush, FLUSH_MS)
      lines.push(line)
      chars += line.length
      if (chars > FLUSH_CHARS) flush()
    },
    flushSync() {
      gather()
      writer.finishSync()
    },
    written() {
      flush()
      return writer.written()
    }
  }
}

/** Writes a sentence to the standard error. This may fail too, because it may be on the same full disk. */
function toStandardError(sentence: string): void {
  try {
    writeSync(2, sentence)
  } catch {}
}
