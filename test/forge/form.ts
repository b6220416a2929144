/** A file of a form. */
export interface FormFile {
  filename: string
  bytes: Buffer
}

/** The files of a multipart form, by field (RFC 7578). Empty for any other body. */
export const readForm = (body: unknown): Record<string, FormFile> => {
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : String(body ?? '')
  const line = text.slice(0, text.indexOf('\r\n'))
  if (!line.startsWith('--')) return {}
  const files: Record<string, FormFile> = {}
  for (const part of text.split(line).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n')
    const [, field, filename] = /name="([^"]*)"; filename="([^"]*)"/.exec(part.slice(0, end)) ?? []
    if (field === undefined || filename === undefined) continue
    const bytes = Buffer.from(part.slice(end + 4, -2), 'latin1')
    files[field] = { filename: Buffer.from(filename, 'latin1').toString().replaceAll('%22', '"'), bytes }
  }
  return files
}
