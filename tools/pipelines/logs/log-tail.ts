import type { ToolContext } from '../../../src/engine/context.ts'
import { newlinesIn } from '../../../src/results/newlines.ts'
import { startOf } from '../../../src/results/shortened.ts'
import { cutBeforeCredentials, MAX_BEHIND } from '../../../src/results/url-credentials.ts'
import { cleanLine, lengthBeforeMark } from './log-line.ts'
import { TailBlocks } from './tail-blocks.ts'

/** Bytes of a line that are kept. */
export const MAX_LINE_BYTES = 8 * 1024
/** Bytes of a line that are read. Those behind the cut show whether it goes through credentials. */
const MAX_READ_BYTES = MAX_LINE_BYTES + MAX_BEHIND
/** Bytes of a log that are kept. They limit how far back a window can reach. */
export const MAX_TAIL_BYTES = 8 * 1024 * 1024

/** Bytes that are processed in one turn of the event loop. A window may skip all lines that are kept. */
const STRETCH_BYTES = 32 * 1024

const LF = 10

type Paced = Pick<ToolContext['forge'], 'paced'>

/** A part of a log, with clean lines. */
export interface LogWindow {
  readonly lines: readonly string[]
  /** Number of its last line in the log, from 1. */
  readonly last: number
}

/**
 * Keeps the last lines of a log that is read once, from its beginning. However long the log is, it keeps only the
 * requested lines, and at most MAX_TAIL_BYTES of them. Lines are cleaned only when they are shown. Before that they are
 * just searched for newlines and copied, except lines that are too long or rewritten.
 */
export class LogTail {
  readonly #blocks: TailBlocks
  /** The line that is being read, with space for the note that it was cut. */
  readonly #line = Buffer.alloc(MAX_READ_BYTES + 64)
  #length = 0
  #overflow = 0
  #returned = false
  #total = 0

  /** @param wanted number of lines to keep */
  constructor(wanted: number) {
    this.#blocks = new TailBlocks(wanted, MAX_TAIL_BYTES)
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return this.#blocks.heldBytes + this.#line.length
  }

  /** Number of lines of the log so far. */
  get total(): number {
    return this.#total
  }

  /** Number of its last lines that are kept. */
  get kept(): number {
    return this.#blocks.lines
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    // Searching a string is many times faster than searching bytes, and latin1 has one character for each byte.
    const text = chunk.toString('latin1')
    let carriage = carriageIn(text, 0)
    for (let from = 0; from < text.length; ) {
      if (this.#length === 0 && !this.#returned) from = this.#takeLines(chunk, text, from, carriage)
      if (from === text.length) return
      from = this.#takeLine(chunk, text, from)
      if (carriage < from) carriage = carriageIn(text, from)
    }
  }

  /** Must be called after the last bytes, because the last line may have no newline. */
  end(): void {
    if (this.#length > 0) this.#commit(this.#length)
    this.#length = 0
  }

  /**
   * The last `limit` lines before the last `offset` lines. If they do not fit `maxChars`, it gives as many of the
   * latest of them as fit. They are collected over several turns of the event loop. Call it after `end`.
   */
  async window(limit: number, offset: number, maxChars: number, forge: Paced): Promise<LogWindow> {
    const lines: string[] = []
    const stretches = this.#collect(lines, limit, offset, maxChars)
    while (!(await forge.paced(() => stretches.next().done)));
    return { lines: lines.reverse(), last: this.#total - offset }
  }

  /** Collects the lines of a window, last one first. It yields after each stretch. */
  *#collect(lines: string[], limit: number, offset: number, maxChars: number): Generator<void> {
    let chars = 0
    let seen = 0
    let stretch = 0
    for (const bytes of this.#blocks.backwards()) {
      if (lines.length === limit) return
      stretch += bytes.length + 1
      if (stretch > STRETCH_BYTES) {
        yield
        stretch = 0
      }
      if (seen++ < offset) continue
      const line = cutTo(maxChars, cleanLine(bytes.toString('utf8').replace(/\r$/, '')))
      chars += line.length + (lines.length > 0 ? 1 : 0)
      if (chars > maxChars) return
      lines.push(line)
    }
  }

  /**
   * Takes lines unchanged, up to one that is too long, rewritten or incomplete.
   * @returns where that line begins
   */
  #takeLines(chunk: Buffer, text: string, from: number, to: number): number {
    const endOfLast = (start: number, size: number) =>
      text.lastIndexOf('\n', Math.min(start + size, to) - 1) + 1
    for (let start = from; ; ) {
      let end = endOfLast(start, Math.min(MAX_LINE_BYTES + 1, this.#blocks.room))
      if (end <= start) end = endOfLast(start, MAX_LINE_BYTES + 1)
      if (end <= start) return start
      const lines = newlinesIn(text, start, end)
      this.#blocks.append(chunk, start, end, lines)
      this.#total += lines
      start = end
    }
  }

  /**
   * Takes one line, or the part of it that has arrived.
   * @returns where the next line begins
   */
  #takeLine(chunk: Buffer, text: string, start: number): number {
    const newline = text.indexOf('\n', start)
    const to = newline < 0 ? text.length : newline
    let from = start
    for (let carriage = text.indexOf('\r', from); carriage >= 0 && carriage < to; ) {
      this.#extend(chunk, from, carriage)
      this.#returned = true
      from = carriage + 1
      carriage = text.indexOf('\r', from)
    }
    this.#extend(chunk, from, to)
    if (newline < 0) return to
    this.#commit(this.#length)
    this.#length = 0
    return to + 1
  }

  #extend(chunk: Buffer, from: number, to: number): void {
    if (from === to) return
    if (this.#returned) this.#rewrite()
    const end = Math.min(to, from + MAX_READ_BYTES - this.#length)
    this.#length += chunk.copy(this.#line, this.#length, from, end)
    this.#overflow += to - end
  }

  /** Starts the line again: a carriage return was followed by more text. */
  #rewrite(): void {
    const before = lengthBeforeMark(this.#line.toString('latin1', 0, this.#length))
    if (before > 0) this.#commit(before)
    this.#length = 0
    this.#overflow = 0
    this.#returned = false
  }

  #commit(length: number): void {
    const size = length > MAX_LINE_BYTES || this.#overflow > 0 ? this.#cut(length) : length
    this.#line[size] = LF
    this.#total++
    this.#overflow = 0
    this.#returned = false
    this.#blocks.append(this.#line, 0, size + 1, 1)
  }

  /**
   * Cuts a line, and notes how many bytes were cut.
   * @returns the length of the line with the note
   */
  #cut(length: number): number {
    // 0xA0 may be half of an à. It must not look like a space, which would end a password.
    const line = this.#line.toString('latin1', 0, length).replaceAll('\u00a0', '_')
    const end = Math.min(length, cutBeforeCredentials(line, MAX_LINE_BYTES))
    return end + this.#line.write(` … [${length - end + this.#overflow} bytes cut]`, end)
  }
}

/**
 * Index of the next carriage return that rewrites its line, or may do so. A carriage return before a newline is part of
 * the line end.
 */
function carriageIn(text: string, from: number): number {
  for (let at = text.indexOf('\r', from); at >= 0; at = text.indexOf('\r', at + 1))
    if (text.charCodeAt(at + 1) !== LF) return at
  return text.length
}

const cutTo = (maxChars: number, line: string): string =>
  line.length <= maxChars ? line : `${startOf(line, maxChars - 1)}…`
