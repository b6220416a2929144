/*
 * Reads the fenced code blocks of a text as Markdown shows them. A fence begins a block unless its indentation makes it
 * code, which it does from four columns on. In a list item, columns count from the item's text. An item ends at a line
 * that is indented less than its text, unless that line goes on with a paragraph.
 */

/**
 * How many lines of one text are read, in a block only those with a fence. Comments are shorter, and a call may have a
 * hundred of them.
 */
const MAX_LINES = 400
/** From so many columns of indentation on, a line is code. A tab goes to the next multiple of it. */
const CODE = 4
/**
 * Matches a line. One with more blanks before it than a comment has is read as a blank one. Behind the ticks of a fence
 * is no other one: the line begins with code within it.
 */
const line =
  /([ \t]{0,200})((?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?=\S))?(?:(`{3,200}(?![^`\n]*`)|~{3,200})([^\n]{0,200})|(\S))?[^\n]*\n?/y
const fence = /^([ \t]{0,200})(`{3,200}|~{3,200})([^\n]*)\n?/gm
/** Matches a line that is not blank, as fence does. */
const fenceOrText = /^([ \t]{0,200})(?:(`{3,200}|~{3,200})([^\n]*)|[^ \t\r\n][^\n]*)\n?/gm
/** Matches what is not behind the fence that closes a block. */
const notBlank = /[^ \t\r]/

export interface CodeBlock {
  /** What is behind the ticks in its first line, such as `suggestion:-0+0`. */
  readonly head: string
  /** Its lines, as they stand in the text. */
  readonly code: string
  /** Whether white space precedes its first line. A forge then removes indentation from the others, too. */
  readonly isIndented: boolean
  /**
   * A fence in its code that would open a block and has lines behind it: the line that was to close that one closed
   * this.
   */
  readonly inner?: string
}

/** Yields the blocks in a text, without those that are inside another one or code, which only quote. */
export function* codeBlocksIn(text: string): Generator<CodeBlock> {
  const reader = new BlockReader(text)
  for (let open = reader.opening(); open !== undefined; open = reader.opening()) {
    const closed = reader.closed(open.ticks)
    if (closed !== undefined) yield { head: open.head, isIndented: open.isIndented, ...closed }
  }
}

class BlockReader {
  readonly #text: string
  /** Where the next line begins. */
  #at = 0
  #lines = MAX_LINES
  /** At which columns the texts of the list items around a line begin, from the outermost to the innermost. */
  readonly #items: number[] = []
  #inParagraph = false

  constructor(text: string) {
    this.#text = text
  }

  /** Reads to the next line that begins a block, if there is one. */
  opening(): { ticks: string; head: string; isIndented: boolean } | undefined {
    while (this.#lines-- > 0 && this.#at < this.#text.length) {
      line.lastIndex = this.#at
      const [, blanks = '', marker, ticks, head = '', letter] = line.exec(this.#text)!
      this.#at = line.lastIndex
      if (ticks === undefined && letter === undefined) this.#inParagraph = false
      else if (!this.#isCode(blanks, marker, ticks !== undefined) && ticks !== undefined)
        return { ticks, head, isIndented: blanks !== '' || marker !== undefined }
    }
    return undefined
  }

  /**
   * Reads to the end of a block, which is that of the list item around it, or of the text, where nothing closes it.
   * @param ticks which opened it
   * @returns its lines; undefined if too many fences are in it, or lines where it is in an item
   */
  closed(ticks: string): Pick<CodeBlock, 'code' | 'inner'> | undefined {
    const from = this.#at
    let inner: { readonly ticks: string; readonly end: number } | undefined
    while (this.#lines-- > 0) {
      const found = this.#fence()
      const code = this.#text.slice(from, found.at)
      if (found.isEnd) return { code }
      if (!found.ticks.startsWith(ticks)) continue
      if (!notBlank.test(found.behind))
        return inner !== undefined && inner.end < found.at ? { code, inner: inner.ticks } : { code }
      if (!found.behind.includes('`')) inner ??= { ticks: found.ticks, end: this.#at }
    }
    return undefined
  }

  /**
   * Reads to the next line of a block with a fence; in a list item, the next that is not blank.
   * @returns where it begins, its fence or '' where it has none, and whether the block ended before it
   */
  #fence(): { at: number; ticks: string; behind: string; isEnd: boolean } {
    const next = this.#around > 0 ? fenceOrText : fence
    next.lastIndex = this.#at
    const found = next.exec(this.#text)
    const [, blanks = '', ticks = '', behind = ''] = found ?? []
    const columns = columnsOf(blanks) - this.#around
    const at = found?.index ?? this.#text.length
    const isEnd = found === null || columns < 0
    this.#at = isEnd ? at : next.lastIndex
    return { at, ticks: columns < CODE ? ticks : '', behind, isEnd }
  }

  /**
   * Whether the indentation of a line that is not blank makes it code, or it goes on with a paragraph as code looks.
   * @param blanks what precedes it
   * @param marker with which it begins a list item, with the blanks behind it
   */
  #isCode(blanks: string, marker: string | undefined, isFence: boolean): boolean {
    const columns = columnsOf(blanks)
    if (!this.#inParagraph || isFence || marker !== undefined)
      while (this.#around > columns) this.#items.pop()
    if (columns - this.#around >= CODE) return true
    if (marker !== undefined) this.#items.push(textOfItem(marker, columns))
    this.#inParagraph = !isFence
    return marker !== undefined && columnsOf(marker, columns) - this.#around >= CODE
  }

  /** The column at which the text of the innermost item begins. */
  get #around(): number {
    return this.#items.at(-1) ?? 0
  }
}

/** The column at which the text of an item begins: behind more blanks, it begins with code one behind the marker. */
function textOfItem(marker: string, column: number): number {
  const [behind, text] = [column + marker.trimEnd().length, columnsOf(marker, column)]
  return text - behind > CODE ? behind + 1 : text
}

/** The column behind a text that begins at one. */
function columnsOf(text: string, from = 0): number {
  let columns = from
  for (const sign of text) columns += sign === '\t' ? CODE - (columns % CODE) : 1
  return columns
}
