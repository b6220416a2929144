import { setImmediate } from 'node:timers/promises'
import { cleanLine, lengthBeforeMark } from './log-line.ts'

/** Bytes kept of one line. */
export const MAX_LINE_BYTES = 8 * 1024
/** Bytes kept of a log: how far back a window can reach. */
export const MAX_TAIL_BYTES = 8 * 1024 * 1024

/** Bytes looked at in one turn of the event loop: all that is kept may be lines of which nothing is shown. */
const STRETCH_BYTES = 128 * 1024

const LF = 10

/** Part of a log, its lines clean. */
export interface LogWindow {
  readonly lines: readonly string[]
  /** The number of the last of them in the log, from 1. */
  readonly last: number
}

/**
 * The last lines of a log that is read through once. Of a log of any size it holds no more than the lines
 * asked for, and of those no more than MAX_TAIL_BYTES, in a ring of bytes.
 */
export class LogTail {
  readonly #wanted: number
  readonly #hold: (bytes: number) => void
  /** The line that is being read, with room for its cut mark. */
  readonly #line = Buffer.alloc(MAX_LINE_BYTES + 64)
  #length = 0
  #overflow = 0
  #returned = false
  /** Whole lines, each with its newline; its size is a power of two. */
  #ring = Buffer.alloc(64 * 1024)
  #start = 0
  #used = 0
  #kept = 0
  #total = 0

  /** @param wanted how many lines to keep @param hold told of the bytes that are taken for them */
  constructor(wanted: number, hold: (bytes: number) => void = () => {}) {
    this.#wanted = wanted
    this.#hold = hold
  }

  /** Lines of the log so far. */
  get total(): number {
    return this.#total
  }

  /** How many of its last lines are kept. */
  get kept(): number {
    return this.#kept
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    // A string is searched many times faster than bytes, and in latin1 their places are the same.
    const text = chunk.toString('latin1')
    let from = 0
    let carriage = text.indexOf('\r')
    for (;;) {
      const newline = text.indexOf('\n', from)
      const to = newline < 0 ? text.length : newline
      for (; carriage >= 0 && carriage < to; carriage = text.indexOf('\r', from)) {
        this.#extend(chunk, from, carriage)
        this.#returned = true
        from = carriage + 1
      }
      this.#extend(chunk, from, to)
      if (newline < 0) return
      this.#commit(this.#length)
      this.#length = 0
      from = newline + 1
    }
  }

  /** Says that there are no more bytes: a last line needs no newline. */
  end(): void {
    if (this.#length > 0) this.#commit(this.#length)
    this.#length = 0
  }

  /**
   * The last `limit` lines but `offset` ones, as many of the latest of them as fit `maxChars`.
   * Call it after `end`.
   */
  async window(limit: number, offset: number, maxChars: number): Promise<LogWindow> {
    const bytes = this.#bytes()
    const lines: string[] = []
    let chars = 0
    let end = bytes.length
    let pause = end - STRETCH_BYTES
    for (let seen = 0; end > 0 && lines.length < limit; seen++) {
      if (end < pause) {
        await setImmediate()
        pause = end - STRETCH_BYTES
      }
      const start = startOfLast(bytes, end)
      if (seen >= offset) {
        const line = cutTo(maxChars, cleanLine(bytes.toString('utf8', start, end - 1)))
        chars += line.length + (lines.length > 0 ? 1 : 0)
        if (chars > maxChars) break
        lines.push(line)
      }
      end = start
    }
    return { lines: lines.reverse(), last: this.#total - offset }
  }

  #extend(chunk: Buffer, from: number, to: number): void {
    if (from === to) return
    if (this.#returned) this.#rewrite()
    const end = Math.min(to, from + MAX_LINE_BYTES - this.#length)
    this.#length += chunk.copy(this.#line, this.#length, from, end)
    this.#overflow += to - end
  }

  /** Begins the line anew: a carriage return came and now more text. */
  #rewrite(): void {
    const before = lengthBeforeMark(this.#line.toString('latin1', 0, this.#length))
    if (before > 0) this.#commit(before)
    this.#length = 0
    this.#overflow = 0
    this.#returned = false
  }

  #commit(length: number): void {
    const size = this.#overflow > 0 ? this.#marked(length) : length
    this.#line[size] = LF
    this.#total++
    this.#overflow = 0
    this.#returned = false
    if (this.#kept === this.#wanted) this.#dropOldest()
    while (this.#used + size + 1 > this.#ring.length) this.#makeRoom()
    this.#append(size + 1)
    this.#kept++
  }

  /** Says on a line how much of it is missing. */
  #marked(length: number): number {
    return length + this.#line.write(` … [${this.#overflow} bytes cut]`, length)
  }

  #append(size: number): void {
    const ring = this.#ring
    const at = (this.#start + this.#used) & (ring.length - 1)
    this.#used += size
    if (size === 1) {
      ring[at] = LF
      return
    }
    const first = Math.min(size, ring.length - at)
    this.#line.copy(ring, at, 0, first)
    if (first < size) this.#line.copy(ring, 0, first, size)
  }

  #makeRoom(): void {
    if (this.#ring.length >= MAX_TAIL_BYTES) this.#dropOldest()
    else {
      this.#hold(this.#ring.length)
      const larger = Buffer.alloc(this.#ring.length * 2)
      this.#bytes().copy(larger)
      this.#ring = larger
      this.#start = 0
    }
  }

  #dropOldest(): void {
    const ring = this.#ring
    const found = ring[this.#start] === LF ? this.#start : ring.indexOf(LF, this.#start)
    const size = found < 0 ? ring.length - this.#start + ring.indexOf(LF) + 1 : found - this.#start + 1
    this.#start = (this.#start + size) & (ring.length - 1)
    this.#used -= size
    this.#kept--
  }

  /** What the ring holds, in order. */
  #bytes(): Buffer {
    const end = this.#start + this.#used
    const { length } = this.#ring
    if (end <= length) return this.#ring.subarray(this.#start, end)
    return Buffer.concat([this.#ring.subarray(this.#start), this.#ring.subarray(0, end - length)])
  }
}

/** Where the last line begins in bytes that end with its newline at `end - 1`. */
const startOfLast = (bytes: Buffer, end: number): number => (end < 2 ? 0 : bytes.lastIndexOf(LF, end - 2) + 1)

const cutTo = (maxChars: number, line: string): string =>
  line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`
