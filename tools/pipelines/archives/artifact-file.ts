import type { ToolContext } from '../../../src/engine/context.ts'
import { KeptText } from '../../../src/engine/files/kept-text.ts'
import { openFile } from '../../../src/engine/files/open-file.ts'
import { TextPieces } from '../../../src/engine/files/text-pieces.ts'
import type { Place } from '../../../src/engine/requests/template.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import type { ToolOutput } from '../../../src/results/result.ts'
import { MAX_BEHIND } from '../../../src/results/url-credentials.ts'

/** Most bytes of a file that is read for a result. */
const MAX_FILE_BYTES = 10 * 1024 * 1024

/** Characters that a record has besides the base64. */
const AROUND = 400

/**
 * Reads one file in a job's archive: text as text, anything else as base64 in a record. The file's bytes decide which,
 * because a forge serves most files as application/octet-stream.
 * @param place of the request
 * @param name of the file, as the caller gave it
 * @throws what ForgeClient.stream throws; CallProblem when the file is too large for a result
 */
export function readArtifactFile(
  { forge, maxChars }: ToolContext,
  place: Place,
  name: string
): Promise<ToolOutput> {
  const request = { ...place, accept: '*/*', maxBytes: 2 * MAX_FILE_BYTES, pageIsFine: true }
  return forge.stream(request, async answer => {
    const file = new ShownFile(maxChars)
    const { head, chunks } = await openFile(answer, { name, isObject: true }, file)
    file.push(head)
    for await (const chunk of chunks) file.push(chunk)
    const { size, text, textChars, base64 } = file.end()
    if (text !== undefined) return { text, textChars }
    if (base64 === undefined) throw tooLarge(String(size))
    return { value: { path: name, size, mime_type: mimeOf(answer.headers['content-type']), base64 } }
  })
}

/**
 * Keeps the part of an arriving file that fits a result, both as text and as bytes, and counts the rest. It keeps a
 * little more text than fits: the text after a cut shows whether credentials begin before it.
 */
class ShownFile {
  readonly #maxChars: number
  readonly #maxBytes: number
  readonly #pieces = new TextPieces()
  readonly #chunks: Buffer[] = []
  readonly #text = new KeptText()
  #textChars = 0
  #size = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
    // Base64 takes four characters for every three bytes.
    this.#maxBytes = 3 * Math.floor((maxChars - AROUND) / 4)
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return this.#text.heldBytes + (this.#chunks.length === 0 ? 0 : this.#size)
  }

  /** @throws CallProblem */
  push(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > MAX_FILE_BYTES) throw tooLarge(`more than ${MAX_FILE_BYTES}`)
    this.#keep(this.#pieces.decode(chunk))
    if (this.#size > this.#maxBytes) this.#chunks.length = 0
    else this.#chunks.push(chunk)
  }

  #keep(text: string): void {
    this.#text.add(text.slice(0, this.#maxChars + MAX_BEHIND - this.#text.length))
    this.#textChars += text.length
  }

  /** The file as text if it is text; otherwise as base64, unless that is too long for a result. */
  end() {
    this.#keep(this.#pieces.decode())
    const size = this.#size
    if (this.#pieces.isText) return { size, text: this.#text.toString(), textChars: this.#textChars }
    return size > this.#maxBytes ? { size } : { size, base64: Buffer.concat(this.#chunks).toString('base64') }
  }
}

const tooLarge = (size: string): CallProblem =>
  new CallProblem(
    `The file has ${size} bytes, too many for a result. Save the archive with download_job_artifacts instead.`
  )

const mimeOf = (type: unknown): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}/.exec(String(type))?.[0].toLowerCase() ?? 'application/octet-stream'
