/** Most names kept of the files left out. */
const MAX_NAMES = 50
/** Most characters of a line that are held until its end arrives. */
const MAX_LINE = 64 * 1024
/** Most characters of a file's first line in which its name is looked for. */
const MAX_HEAD = 4096
const FILE = 'diff --git '

/**
 * Keeps the first files of a patch that arrives in pieces, as many as fit, each complete; of the others some names. The
 * memory it uses is bounded, whatever arrives.
 */
export class PatchHead {
  readonly #maxChars: number
  readonly #decoder = new TextDecoder()
  readonly #names: string[] = []
  #text = ''
  /** The current file, as long as it may still fit. */
  #file = ''
  #name = ''
  #fits = true
  /** A line that has not ended yet; the beginning of a very long one is already kept elsewhere. */
  #line = ''
  #atLineStart = true
  #shown = 0
  #leftOut = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** The files that are shown. */
  get text(): string {
    return this.#text
  }

  get shown(): number {
    return this.#shown
  }

  get leftOut(): number {
    return this.#leftOut
  }

  /** The names of the first files that were left out. */
  get names(): readonly string[] {
    return this.#names
  }

  push(chunk: Buffer): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }))
  }

  end(): void {
    this.#take(this.#decoder.decode())
    this.#keep(this.#line)
    this.#endFile()
  }

  #take(text: string): void {
    const lines = `${this.#line}${text}`.split('\n')
    this.#line = lines.pop()!
    for (const line of lines) {
      this.#keep(`${line}\n`)
      this.#atLineStart = true
    }
    if (this.#line.length <= MAX_LINE) return
    this.#keep(this.#line)
    this.#line = ''
    this.#atLineStart = false
  }

  #keep(part: string): void {
    if (this.#atLineStart && part.startsWith(FILE)) {
      this.#endFile()
      this.#name = nameIn(part)
    }
    if (!this.#fits) return
    this.#fits = this.#text.length + this.#file.length + part.length <= this.#maxChars
    this.#file = this.#fits ? this.#file + part : ''
  }

  /** Ends a file. Once one does not fit, no more are shown, so that the result is the beginning of the patch. */
  #endFile(): void {
    if (this.#name === '' && this.#file === '') return
    if (this.#fits) {
      this.#shown++
      this.#text += this.#file
    } else {
      this.#leftOut++
      if (this.#names.length < MAX_NAMES) this.#names.push(this.#name)
    }
    this.#file = ''
    this.#name = ''
  }
}

/** The new path in `diff --git a/old b/new`, which may have blanks and be quoted. */
function nameIn(line: string): string {
  const head = line.slice(0, MAX_HEAD)
  const at = Math.max(head.lastIndexOf(' b/'), head.lastIndexOf(' "b/'))
  if (at < 0) return line.slice(FILE.length, 200).trim()
  const name = head.slice(head.indexOf('/', at) + 1).trimEnd()
  return name.endsWith('"') ? name.slice(0, -1) : name
}
