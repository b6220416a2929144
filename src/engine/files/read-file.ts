import { MAX_BLOCK_BYTES } from '../../results/blocks.ts'
import { numberOf } from '../../results/next-page.ts'
import { CallProblem } from '../../results/problem.ts'
import type { ReplyHeaders } from '../../upstream/answers/flight.ts'
import type { StreamAnswer, StreamRequest } from '../../upstream/answers/stream.ts'
import type { Place } from '../../upstream/place.ts'
import { type Lines, type LinesWanted, LineWindow } from './line-window.ts'
import { HEAD_BYTES, imageTypeOf, mediaTypeOf } from './media-type.ts'
import { TextPieces } from './text-pieces.ts'

/*
 * One file of a forge, read as it arrives: as text by lines, as an image, or no further than it takes to see that it
 * is neither.
 */

/** Most bytes of one file that are read. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024
/** A file of this size is read to its end to count its lines; of a larger one no more than the lines wanted. */
const READ_ON_BYTES = 1024 * 1024

interface Facts {
  readonly headers: ReplyHeaders
  /** In bytes; undefined where the forge does not say and the file was not read to its end. */
  readonly size: number | undefined
}

/** What a file turned out to be. */
export type ReadFile = Facts &
  (
    | { readonly kind: 'text'; readonly lines: Lines }
    | { readonly kind: 'image'; readonly bytes: Buffer; readonly mediaType: string }
    /** `tooLarge` for an image that could be shown but for its size. */
    | { readonly kind: 'binary'; readonly mediaType: string; readonly tooLarge: boolean }
  )

export interface FileWanted extends LinesWanted {
  /** Images are read whole, up to what a result can show of them. */
  readonly images: boolean
}

/** The request of a file. */
export const fileRequest = ({ path, template }: Place): StreamRequest => ({
  path,
  template,
  accept: '*/*',
  maxBytes: 2 * MAX_FILE_BYTES,
  pageIsFine: true
})

/**
 * Reads a file no further than is needed, for `ForgeClient.stream`.
 * @throws CallProblem when the first line wanted is not there, or too far into the file; what the body fails with
 */
export async function readFile({ headers, body, hold }: StreamAnswer, wanted: FileWanted): Promise<ReadFile> {
  const chunks = body[Symbol.asyncIterator]()
  const { head, ended } = await readHead(chunks)
  const announced = sizeIn(headers)
  const image = wanted.images ? imageTypeOf(head) : undefined
  if (image !== undefined) {
    const bytes = await collect(head, chunks, hold)
    if (bytes !== undefined) return { kind: 'image', headers, size: bytes.length, bytes, mediaType: image }
    return { kind: 'binary', headers, size: announced, mediaType: image, tooLarge: true }
  }
  const text = new TextReader(wanted, announced)
  let more = text.push(head)
  while (more && !ended) {
    const { value, done } = await chunks.next()
    if (done) break
    more = text.push(value)
  }
  const size = announced ?? (more || ended ? text.size : undefined)
  if (!text.isText(more))
    return { kind: 'binary', headers, size, mediaType: mediaTypeOf(head), tooLarge: false }
  return { kind: 'text', headers, size, lines: text.lines(more) }
}

/** The size a forge announces; a compressed body's length is not the file's. */
const sizeIn = (headers: ReplyHeaders): number | undefined =>
  numberOf(headers['x-gitlab-size']) ??
  (headers['content-encoding'] === undefined ? numberOf(headers['content-length']) : undefined)

/** Reads text until it is none, or there is no need to go on. */
class TextReader {
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

  /** @returns whether to go on */
  push(chunk: Buffer): boolean {
    this.size += chunk.length
    this.#window.push(this.#pieces.decode(chunk))
    if (!this.#pieces.isText || this.size > MAX_FILE_BYTES) return false
    return !this.#window.done || ((this.#announced ?? 0) <= READ_ON_BYTES && this.size <= READ_ON_BYTES)
  }

  /** @param whole whether it was read to its end, where half a character is none */
  isText(whole: boolean): boolean {
    if (whole) this.#window.push(this.#pieces.decode())
    return this.#pieces.isText
  }

  /** @throws CallProblem */
  lines(whole: boolean): Lines {
    const lines = this.#window.lines(whole)
    const { start } = this.#wanted
    if (lines.total === undefined && lines.end < start)
      throw new CallProblem(
        `start_line ${start} lies beyond the first ${MAX_FILE_BYTES / 1024 / 1024} MiB of the file, which is as far as it is read.`
      )
    if (lines.total !== undefined && lines.total > 0 && start > lines.total)
      throw new CallProblem(
        `start_line ${start} is past the end of the file: its last line is ${lines.total} (total_lines: ${lines.total}).`
      )
    return lines
  }
}

type Chunks = AsyncIterator<Buffer>

/** Chunks may be of any size; what a file is shows in its first bytes. */
async function readHead(chunks: Chunks): Promise<{ head: Buffer; ended: boolean }> {
  const parts: Buffer[] = []
  let size = 0
  while (size < HEAD_BYTES) {
    const { value, done } = await chunks.next()
    if (done) return { head: Buffer.concat(parts), ended: true }
    parts.push(value)
    size += value.length
  }
  return { head: parts.length === 1 ? parts[0]! : Buffer.concat(parts), ended: false }
}

/** All of an image; undefined when it is larger than can be shown. */
async function collect(
  head: Buffer,
  chunks: Chunks,
  hold: StreamAnswer['hold']
): Promise<Buffer | undefined> {
  const parts = [head]
  let size = head.length
  while (size <= MAX_BLOCK_BYTES) {
    const { value, done } = await chunks.next()
    if (done) return Buffer.concat(parts)
    parts.push(value)
    size += value.length
    hold(value.length)
  }
  return undefined
}
