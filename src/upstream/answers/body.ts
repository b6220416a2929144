import { MIB } from '../../base/units.ts'
import type { ReplyHeaders } from '../connections/reply-headers.ts'
import { ForgeError } from '../errors.ts'

/* Errors about a body, in the same words whether it is read as a whole or streamed. */

/** Most characters of an encoding's name that are quoted: a header has room for much more. */
const MAX_NAME = 40

/**
 * Whether a body is compressed, in any case and by the old name (RFC 9110 section 8.4.1).
 * @throws ForgeError bad-answer for an encoding that was not asked for
 */
export function isGzip({ 'content-encoding': encoding }: ReplyHeaders): boolean {
  if (encoding === undefined || encoding === 'identity') return false
  if (encoding === 'gzip' || /^(?:x-)?gzip$/i.test(String(encoding))) return true
  throw new ForgeError(
    'bad-answer',
    `The forge used the content encoding ${JSON.stringify(String(encoding).slice(0, MAX_NAME))}, which was not asked for.`
  )
}

/**
 * The most bytes that a body can have, before and after decompression: its Content-Length, which the parser enforces
 * (RFC 9112 section 6.3). A compressed body, or one without a length, may have any number.
 */
export function plainLength({
  'content-encoding': encoding,
  'content-length': length
}: ReplyHeaders): number {
  const isPlain = encoding === undefined || encoding === 'identity'
  return isPlain && /^\d+$/.test(String(length)) ? Number(length) : Number.POSITIVE_INFINITY
}

/** @param maxBytes the limit that was exceeded, in bytes */
export const tooLarge = (maxBytes: number): ForgeError =>
  new ForgeError('too-large', `The forge's answer is larger than ${sizeOf(maxBytes)}. Ask for less of it.`)

export const tooSlow = (): ForgeError =>
  new ForgeError('timeout', 'The forge takes too long over a large answer. Ask for less of it.')

/** @param cause what zlib threw */
export const damagedGzip = (cause: unknown): ForgeError =>
  new ForgeError('bad-answer', 'The forge sent a damaged gzip body.', { cause })

const sizeOf = (bytes: number): string => (bytes < MIB ? `${bytes} bytes` : `${Math.round(bytes / MIB)} MiB`)
