import { hash } from 'node:crypto'

/** A file that is sent as one part of a form. */
export interface SentFile {
  /** Name of the form's field. */
  readonly field: string
  /** The file's name, without control characters. */
  readonly name: string
  readonly bytes: Buffer
}

/**
 * A form of one file (RFC 7578), with the name quoted as browsers do. The boundary is made of the file's digest, which
 * a file cannot contain itself.
 */
export function multipart({ field, name, bytes }: SentFile): { contentType: string; body: Buffer } {
  const boundary = `file-${hash('sha256', bytes, 'hex')}`
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
