/*
 * Detects the type of a file by its first bytes: forges serve most files as text or as application/octet-stream,
 * whatever they are. Only types that are common in repositories and comments are recognized.
 */

/** Number of first bytes by which a file is recognized. */
export const HEAD_BYTES = 512

type Sign = readonly [type: string, text: string, at?: number]

/** Byte signatures, written in latin1. */
const signs: readonly Sign[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'WEBP', 8],
  ['image/bmp', 'BM'],
  ['image/vnd.microsoft.icon', '\x00\x00\x01\x00'],
  ['image/tiff', 'II*\x00'],
  ['image/tiff', 'MM\x00*'],
  ['image/avif', 'ftypavif', 4],
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
  ['application/gzip', '\x1f\x8b'],
  ['application/zstd', '\x28\xb5\x2f\xfd'],
  ['application/x-bzip2', 'BZh'],
  ['application/x-xz', '\xfd7zXZ\x00'],
  ['application/x-7z-compressed', '7z\xbc\xaf\x27\x1c'],
  ['application/x-tar', 'ustar', 257],
  ['application/x-executable', '\x7fELF'],
  ['application/vnd.microsoft.portable-executable', 'MZ'],
  ['application/java-vm', '\xca\xfe\xba\xbe'],
  ['application/wasm', '\x00asm'],
  ['application/vnd.sqlite3', 'SQLite format 3\x00'],
  ['font/woff', 'wOFF'],
  ['font/woff2', 'wOF2'],
  ['audio/mpeg', 'ID3'],
  ['audio/ogg', 'OggS'],
  ['audio/wav', 'WAVE', 8],
  ['video/mp4', 'ftyp', 4],
  ['video/webm', '\x1aE\xdf\xa3']
]

/** Types of images that models can read. */
const shown = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The media type of a file that is not text. @param head its first bytes */
export function mediaTypeOf(head: Buffer): string {
  const text = head.toString('latin1', 0, HEAD_BYTES)
  return signs.find(([, sign, at = 0]) => text.startsWith(sign, at))?.[0] ?? 'application/octet-stream'
}

/** The media type of an image that can be shown; undefined for anything else. */
export function imageTypeOf(head: Buffer): string | undefined {
  const type = mediaTypeOf(head)
  return shown.has(type) ? type : undefined
}
