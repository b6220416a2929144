import { KeptText } from '../../../src/engine/files/kept-text.ts'
import { MAX_PATH } from '../../families/files/longest-path.ts'

/** How many names of left-out files are kept. */
const MAX_NAMES = 50
/** How many characters of a line are held until its end arrives. */
const MAX_LINE = 64 * 1024
/** How many characters of a file's first line are searched for its name. */
const MAX_HEAD = MAX_PATH
const FILE = 'diff --git '

/**
 * Keeps the files of a patch that arrives in pieces. A file is kept completely if it fits beside those before it; of
 * the others, some names are kept. The memory it uses is bounded, whatever arrives.
 */
export class PatchFiles {
  readonly #maxChars: number
  readonly #decoder = new TextDecoder()
  /** The files that are shown. */
  readonly #text = new KeptText()
  /** The current file, as long as it may still fit. */
  #file = new KeptText()
  /** The names of the first files that were left out, one per line. */
  readonly #names = new KeptText()
  #name = new KeptText()
  #fits = true
  /** A line that has not ended yet. The beginning of a very long one is already kept elsewhere. */
  #line = new KeptText()
  #atLineStart = true
  #shown = 0
  #leftOut = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** The files that are shown. */
  get text(): string {
    return this.#text.toString()
  }

  get shown(): number {
    return this.#shown
  }

  get leftOut(): number {
    return this.#leftOut
  }

  /** The names of the first files that were left out. */
  get names(): readonly string[] {
    return this.#names.length === 0 ? [] : this.#names.toString().trimEnd().split('\n')
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return [this.#text, this.#file, this.#names, this.#name, this.#line].reduce(
      (sum, { heldBytes }) => sum + heldBytes,
      0
    )
  }

  push(chunk: Buffer): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }))
  }

  end(): void {
    this.#take(this.#decoder.decode())
    this.#keep(this.#line.toString())
    this.#endFile()
  }

  #take(piece: string): void {
    // A line that arrives in many pieces is joined only once.
    if (!piece.includes('\n') && this.#line.length + piece.length <= MAX_LINE) {
      this.#line.add(piece)
      return
    }
    const text = `${this.#line}${piece}`
    const end = text.lastIndexOf('\n') + 1
    for (let from = 0; from < end; ) {
      const next = text.indexOf(`\n${FILE}`, from) + 1
      const to = next === 0 || next >= end ? end : next
      this.#keep(text.slice(from, to))
      this.#atLineStart = true
      from = to
    }
    this.#line = new KeptText()
    if (text.length - end <= MAX_LINE) this.#line.add(text.slice(end))
    else {
      this.#keep(text.slice(end))
      this.#atLineStart = false
    }
  }

  /**
   * Keeps a part of the current file, or begins the next one.
   * @param part whole lines of one file, or the beginning of a very long line
   */
  #keep(part: string): void {
    if (this.#atLineStart && part.startsWith(FILE)) {
      this.#endFile()
      this.#name = new KeptText(nameIn(part))
    }
    if (!this.#fits) return
    this.#fits = this.#text.length + this.#file.length + part.length <= this.#maxChars
    if (this.#fits) this.#file.add(part)
    else this.#file = new KeptText()
  }

  /** Ends the current file. If it did not fit, a smaller one after it may still be shown. */
  #endFile(): void {
    if (this.#name.length === 0 && this.#file.length === 0) return
    if (this.#fits) {
      this.#shown++
      this.#text.add(this.#file.toString())
    } else if (this.#leftOut++ < MAX_NAMES) this.#names.add(`${this.#name}\n`)
    this.#name = new KeptText()
    this.#file = new KeptText()
    this.#fits = true
  }
}

/** The new path in `diff --git a/old b/new`, which may have blanks and be quoted. */
function nameIn(part: string): string {
  const [head] = part.slice(0, MAX_HEAD).split('\n', 1) as [string]
  const at = Math.max(head.lastIndexOf(' b/'), head.lastIndexOf(' "b/'))
  if (at < 0) return head.slice(FILE.length, 200).trim()
  const name = head.slice(head.indexOf('/', at) + 1).trimEnd()
  return name.endsWith('"') ? name.slice(0, -1) : name
}
