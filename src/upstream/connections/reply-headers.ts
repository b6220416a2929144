import { ownText } from '../../collections/own-text.ts'

/** Headers of an answer, by their names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * Most characters of a redirect's target: as long as a path of ours may be (upstream/place.ts), because a forge repeats
 * the path if a project has moved.
 */
const MAX_OF_TARGET = 32_768

/** Longer than the name of any encoding. */
const MAX_OF_ENCODING = 100

/** Most characters of each header that is read anywhere; whoever reads another adds it here. */
const MAX_CHARS: ReadonlyMap<string, number> = new Map([
  // Of any answer: what it is, and how long to wait.
  ['cache-control', 1_000],
  ['content-length', 20],
  ['content-range', 100],
  ['content-type', 500],
  ['date', 100],
  ['ratelimit-remaining', 20],
  ['retry-after', 100],
  ['www-authenticate', 2_000],
  ['x-request-id', 500],
  // Of a list.
  ['link', 8_192],
  ['x-next-page', 20],
  ['x-page', 20],
  ['x-per-page', 20],
  ['x-total', 20],
  ['x-total-pages', 20],
  // Of a file.
  ['x-gitlab-blob-id', 100],
  ['x-gitlab-commit-id', 100],
  ['x-gitlab-content-sha256', 100],
  ['x-gitlab-execute-filemode', 10],
  ['x-gitlab-file-path', 4_096],
  ['x-gitlab-last-commit-id', 100],
  ['x-gitlab-ref', 1_000],
  ['x-gitlab-size', 20]
])

/**
 * Selects the headers of an answer that are kept. A call keeps them until its last request is done, and a head may have
 * tens of kilobytes, which are counted for nobody.
 * @param status of the answer: only a redirect says where to ask next (RFC 9110 section 15.4)
 * @param headers as they arrived
 * @returns the headers that are read anywhere, unless they are longer than such values can be. A content coding that is
 * longer is cut instead, because without one the body would be read as it came
 */
export function keptHeaders(status: number, headers: ReplyHeaders): ReplyHeaders {
  const kept: Record<string, string | string[]> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (name === 'content-encoding' && value !== undefined) {
      kept[name] = shortText(String(value), MAX_OF_ENCODING)
      continue
    }
    const mostChars = name === 'location' ? targetChars(status) : MAX_CHARS.get(name)
    if (mostChars === undefined || value === undefined) continue
    const chars = typeof value === 'string' ? value.length : value.join().length
    if (chars <= mostChars) kept[name] = value
  }
  return kept
}

const targetChars = (status: number): number | undefined =>
  status >= 300 && status <= 399 ? MAX_OF_TARGET : undefined

const shortText = (text: string, most: number): string =>
  text.length > most ? ownText(text.slice(0, most)) : text
