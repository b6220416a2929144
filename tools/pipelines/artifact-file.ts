import { isUtf8 } from 'node:buffer'
import type { ToolContext } from '../../src/engine/context.ts'
import { CallProblem } from '../../src/engine/problem.ts'
import type { Place } from '../../src/engine/template.ts'
import type { ToolOutput } from '../../src/results/result.ts'

/** Largest file that is read for a result. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024

/** Room for the fields around base64 in a record. */
const AROUND = 400

/**
 * One file out of a job's archive: text as text, anything else as base64 in a record. What it is, is told by
 * its bytes, because a forge serves most files as application/octet-stream.
 * @param place of the request @param name of the file, as the caller gave it
 * @throws what ForgeClient.stream throws, CallProblem when the file is too large for a result
 */
export function readArtifactFile(
  { forge, maxChars }: ToolContext,
  place: Place,
  name: string
): Promise<ToolOutput> {
  const request = { ...place, accept: '*/*', maxBytes: 2 * MAX_FILE_BYTES, pageIsFine: true }
  return forge.stream(request, async ({ headers, body, hold }) => {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > MAX_FILE_BYTES) throw tooLarge(`more than ${MAX_FILE_BYTES}`)
      hold(chunk.length)
      chunks.push(chunk)
    }
    const bytes = Buffer.concat(chunks)
    if (isText(bytes)) return { text: bytes.toString('utf8') }
    const content = bytes.toString('base64')
    if (content.length > maxChars - AROUND) throw tooLarge(String(size))
    return { value: { path: name, size, mime_type: mimeOf(headers['content-type']), base64: content } }
  })
}

const tooLarge = (size: string): CallProblem =>
  new CallProblem(
    `The file has ${size} bytes, too many for a result. Save the archive with download_job_artifacts instead.`
  )

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0)

const mimeOf = (type: unknown): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}/.exec(String(type))?.[0].toLowerCase() ?? 'application/octet-stream'
