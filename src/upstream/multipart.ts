import { createHash } from 'node:crypto'

/** A file that is sent as one part of a form. */
export interface SentFile {
  /** Of the form's field. */
  readonly field: string
  /** Without control characters. */
  readonly name: string
  readonly bytes: Buffer
}

/**
 * A form of one file (RFC 7578), its name written as browsers write one. The line between parts is made of the file's
 * own digest, which no file has in itself.
 */
export function multipart({ field, name, bytes }: SentFile): { contentType: string; body: Buffer } {
  const boundary = `file-${createHash('sha256').update(bytes).digest('hex')}`
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${field}"; filename="${name.replaceAll('"', '%22')}"`,
    'Content-Type: application/octet-stream',
    '',
    ''
  ].join('\r\n')
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}
