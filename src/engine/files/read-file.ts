import { MIB } from '../../base/units.ts'
import { MAX_BLOCK_BYTES } from '../../results/blocks.ts'
import { numberOf } from '../../results/next-page.ts'
import { CallProblem } from '../../results/problem.ts'
import type { StreamAnswer, StreamReader, StreamRequest } from '../../upstream/answers/stream.ts'
import type { ReplyHeaders } from '../../upstream/connections/reply-headers.ts'
import type { Place } from '../../upstream/place.ts'
import { type KeptLines, type LinesWanted, LineWindow } from './line-window.ts'
import { imageTypeOf, mediaTypeOf } from './media-type.ts'
import { type ExpectedFile, openFile } from './open-file.ts'
import { otherEncodingOf } from './other-encoding.ts'
import { TextPieces } from './text-pieces.ts'

/*
 * Reads one file of a forge as it arrives: as text by lines, as an image, or only as far as needed to see that it is
 * neither.
 */

/** Most bytes of one file that are read. */
export const MAX_FILE_BYTES = 10 * MIB
/** Files up to this size are read to their end to count their lines; of larger ones, only the wanted lines are read. */
const READ_ON_BYTES = MIB

interface Facts {
  /** The headers of the forge's answer, by name. */
  readonly headers: ReplyHeaders
  /** In bytes; undefined if the forge does not say and the file was not read to its end. */
  readonly size: number | undefined
}

/** A file as it was recognized. */
export type ReadFile = Facts &
  (
    | { readonly kind: 'text'; readonly lines: KeptLines }
    | { readonly kind: 'image'; readonly bytes: Buffer; readonly mediaType: string }
    /**
     * `tooLarge` is set for an image that could be shown if it were smaller; `otherEncoding` is set for a file that may
     * be text in an encoding other than UTF-8 (other-encoding.ts).
     */
    | {
        readonly kind: 'binary'
        readonly mediaType: string
        readonly tooLarge: boolean
        readonly otherEncoding?: string | undefined
      }
  )

export interface FileWanted extends LinesWanted, ExpectedFile {
  /** Whether images are read whole, up to the size that a result can show. */
  readonly images: boolean
}

/** The request for a file. */
export const fileRequest = ({ path, template }: Place): StreamRequest => ({
  path,
  template,
  accept: '*/*',
  maxBytes: 2 * MAX_FILE_BYTES,
  pageIsFine: true
})

/**
 * Reads a file no further than needed, for `ForgeClient.stream`.
 * @throws CallProblem if the first wanted line does not exist or is too far into the file; and what openFile throws
 */
export async function readFile(answer: StreamAnswer, wanted: FileWanted): Promise<ReadFile> {
  const { headers } = answer
  let reader: StreamReader | undefined
  const { head, ended, chunks } = await openFile(answer, wanted, {
    get heldBytes() {
      return reader?.heldBytes ?? 0
    }
  })
  const announced = sizeIn(headers)
  const image = wanted.images ? imageTypeOf(head) : undefined
  if (image !== undefined) {
    const whole = new ImageReader()
    reader = whole
    const bytes = await whole.read(head, chunks)
    if (bytes !== undefined) return { kind: 'image', headers, size: bytes.length, bytes, mediaType: image }
    reader = undefined
    return { kind: 'binary', headers, size: announced, mediaType: image, tooLarge: true }
  }
  const text = new TextReader(wanted, announced)
  reader = text
  let more = text.push(head)
  while (more && !ended) {
    const { value, done } = await chunks.next()
    if (done) break
    more = text.push(value)
  }
  const size = announced ?? (more || ended ? text.size : undefined)
  if (!text.isText(more)) {
    reader = undefined
    const otherEncoding = otherEncodingOf(head, text.hasNul)
    return { kind: 'binary', headers, size, mediaType: mediaTypeOf(head), tooLarge: false, otherEncoding }
  }
  return { kind: 'text', headers, size, lines: text.lines(more) }
}

/** The size that a forge announces; undefined for a compressed body, whose length is not that of the file. */
const sizeIn = (headers: ReplyHeaders): number | undefined =>
  numberOf(headers['x-gitlab-size']) ??
  (headers['content-encoding'] === undefined ? numberOf(headers['content-length']) : undefined)

/** Reads a file until it turns out not to be text, or until no more is needed. */
class TextReader implements StreamReader {
  readonly #window: LineWindow
  readonly #wanted: LinesWanted
  readonly #announced: number | undefined
  readonly #pieces = new TextPieces()
  size = 0

  constructor(wanted: LinesWanted, announced: number | undefined) {
    this.#wanted = wanted
    this.#announced = announced
    this.#window = new LineWindow(wanted)
  }

  get heldBytes(): number {
    return this.#window.heldBytes
  }

  /** @returns whether to continue */
  push(chunk: Buffer): boolean {
    this.size += chunk.length
    this.#window.push(this.#pieces.decode(chunk))
    if (!this.#pieces.isText || this.size > MAX_FILE_BYTES) return false
    return !this.#window.done || ((this.#announced ?? 0) <= READ_ON_BYTES && this.size <= READ_ON_BYTES)
  }

  /** @param whole whether the file was read to its end; a truncated character there means that it is not text */
  isText(whole: boolean): boolean {
    if (whole) this.#window.push(this.#pieces.decode())
    return this.#pieces.isText
  }

  get hasNul(): boolean {
    return this.#pieces.hasNul
  }

  /** @throws CallProblem */
  lines(whole: boolean): KeptLines {
    const lines = this.#window.lines(whole)
    const { start } = this.#wanted
    if (lines.total === undefined && lines.end < start)
      throw new CallProblem(
        `start_line ${start} lies beyond the first ${MAX_FILE_BYTES / MIB} MiB of the file, which is as far as it is read.`
      )
    if (lines.total !== undefined && lines.total > 0 && start > lines.total)
      throw new CallProblem(
        `start_line ${start} is past the end of the file: its last line is ${lines.total} (total_lines: ${lines.total}).`
      )
    return lines
  }
}

class ImageReader implements StreamReader {
  heldBytes = 0

  /** @returns the whole image; undefined if it is larger than can be shown */
  async read(head: Buffer, chunks: AsyncGenerator<Buffer>): Promise<Buffer | undefined> {
    const parts = [head]
    this.heldBytes = head.length
    while (this.heldBytes <= MAX_BLOCK_BYTES) {
      const { value, done } = await chunks.next()
      if (done) return Buffer.concat(parts)
      parts.push(value)
      this.heldBytes += value.length
    }
    return undefined
  }
}
