import { startOf } from '../../results/shortened.ts'
import { MAX_BEHIND } from '../../results/url-credentials.ts'
import { KeptText } from './kept-text.ts'

/** The wanted lines of a text, from 1 and inclusive, and the room for them in characters. */
export interface LinesWanted {
  readonly start: number
  /** Infinity for all lines. */
  readonly end: number
  readonly maxChars: number
  /** Whether each line gets its number and a tab at its beginning. */
  readonly numbered: boolean
}

/** The lines of a text that were kept. */
export interface KeptLines {
  readonly text: string
  readonly start: number
  /** The last line kept; one less than `start` if none was kept. */
  readonly end: number
  /** Number of lines of the whole text; undefined if it was not read to its end. */
  readonly total: number | undefined
  /** Whether it ended because of `maxChars`, not at the last line wanted. */
  readonly full: boolean
  /** Whether the last line kept is longer than there is room for, and was cut. */
  readonly cut: boolean
}

/**
 * Keeps a window of the lines of a text that arrives in pieces. It ends at the end of a line, unless there is no room
 * for its only line. Lines end with LF; a CR before it is part of the line. Only the requested part is kept in memory,
 * however long the text is.
 */
export class LineWindow {
  readonly #wanted: LinesWanted
  readonly #text = new KeptText()
  /** The wanted lines of the current piece. */
  #lines: string[] = []
  /** Characters of the text and of these lines. */
  #length = 0
  /** The position in the text at which the current line begins. */
  #lineStart = 0
  #line = 1
  /** Whether the current line has any characters yet. */
  #begun = false
  #full = false
  /** The last line that fitted, once the window is full. */
  #last = 0
  /**
   * Whether not even the first line fits. It is cut later, in lines(): the characters after the cut show whether it
   * ends within credentials.
   */
  #cut = false

  constructor(wanted: LinesWanted) {
    this.#wanted = wanted
  }

  /** Whether nothing more will be kept. */
  get done(): boolean {
    return this.#full || this.#line > this.#wanted.end
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return this.#text.heldBytes
  }

  push(piece: string): void {
    for (let from = 0; from < piece.length; ) {
      const newline = piece.indexOf('\n', from)
      const to = newline < 0 ? piece.length : newline + 1
      if (this.#line >= this.#wanted.start && !this.done) this.#keep(piece.slice(from, to))
      this.#begun = newline < 0
      if (newline >= 0) {
        this.#line++
        if (!this.#full) this.#lineStart = this.#length
      }
      from = to
    }
    this.#text.add(this.#lines.join(''))
    this.#lines = []
    this.#text.shorten(this.#length)
  }

  #keep(part: string): void {
    const { maxChars, numbered } = this.#wanted
    const text = numbered && !this.#begun ? `${this.#line}\t${part}` : part
    // The newline of the last line is not shown, so it needs no room.
    if (this.#length + text.length - (text.endsWith('\n') ? 1 : 0) <= maxChars) {
      this.#add(text)
      return
    }
    this.#last = this.#line - 1
    this.#cut = this.#lineStart === 0
    if (this.#cut) this.#add(text.slice(0, maxChars + MAX_BEHIND - this.#length))
    else this.#length = this.#lineStart
    this.#full = !this.#cut || text.endsWith('\n') || this.#length === maxChars + MAX_BEHIND
  }

  #add(text: string): void {
    this.#lines.push(text)
    this.#length += text.length
  }

  /** The lines kept so far. @param whole whether the text was pushed to its end */
  lines(whole: boolean): KeptLines {
    const { start, end, maxChars } = this.#wanted
    const total = this.#line - (this.#begun ? 0 : 1)
    const read = this.#text.toString()
    const text = this.#cut ? startOf(read, maxChars) : read
    const kept = this.#cut ? start : this.#full ? this.#last : Math.min(end, total)
    const isAll = whole && start === 1 && kept >= total && !this.#cut
    return {
      text: isAll && text.length <= maxChars ? text : text.replace(/\r?\n$/, ''),
      start,
      end: kept,
      total: whole ? total : undefined,
      full: this.#full || this.#cut,
      cut: this.#cut
    }
  }
}
