import { refusePage } from '../../upstream/answers/answer.ts'
import type { StreamAnswer, StreamReader } from '../../upstream/answers/stream.ts'
import { HEAD_BYTES } from './media-type.ts'

/** Facts about a file that are known before it arrives. */
export interface ExpectedFile {
  /** With or without its folders; undefined if no name is known. */
  readonly name: string | undefined
  /**
   * Whether forges keep it in object storage and may redirect there: an artifact, an attachment, an LFS object. Forges
   * send files in Git themselves.
   */
  readonly isObject?: boolean
}

interface Opened {
  /** The first bytes, by which a file is recognized. */
  readonly head: Buffer
  /** Whether these are all bytes of the file. */
  readonly ended: boolean
  /** The bytes after `head`. */
  readonly chunks: AsyncGenerator<Buffer>
}

/**
 * Reads the first bytes of an arriving file; its chunks may be of any size.
 * @throws ForgeError bad-answer if an HTML page arrived instead, and errors of the body
 */
export async function openFile(
  answer: StreamAnswer,
  asked: ExpectedFile,
  reader: StreamReader
): Promise<Opened> {
  const chunks = answer.body(reader)
  const parts: Buffer[] = []
  let size = 0
  let ended = false
  while (size < HEAD_BYTES && !ended) {
    const { value, done } = await chunks.next()
    if (done) ended = true
    else {
      parts.push(value)
      size += value.length
    }
  }
  const head = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  if (beginsAsPage(head) && !mayBePage(answer, asked)) refusePage(answer.headers)
  return { head, ended, chunks }
}

/** Matches the beginning of an HTML page, after a byte order mark, blanks, comments and XML declarations. */
const page = /^(?:\s|<!--(?:(?!-->)[\s\S])*-->|<\?[^>]*>)*<(?:!doctype\s+)?html(?![\w-])/i

const beginsAsPage = (head: Buffer): boolean => page.test(head.toString('utf8', 0, HEAD_BYTES))

/** Headers with which GitLab identifies the file that it sends (API, repository files). */
const ofFile = ['blob-id', 'file-path', 'last-commit-id', 'size'].map(name => `x-gitlab-${name}`)

const namedPage = /\.(?:x?html?|shtml?|xht|mht(?:ml)?)$/i

/**
 * Whether a file may really be an HTML page. GitLab sends all files in Git as text/plain, with headers that identify
 * them, and only uploaded files with their own type; other forges may choose the type by the name.
 */
const mayBePage = ({ headers, isElsewhere }: StreamAnswer, { name = '', isObject }: ExpectedFile): boolean =>
  ofFile.some(header => headers[header] !== undefined) ||
  (namedPage.test(name) && (!isElsewhere || isObject === true))
