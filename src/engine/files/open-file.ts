import { refusePage } from '../../upstream/answers/answer.ts'
import type { StreamAnswer, StreamReader } from '../../upstream/answers/stream.ts'
import { HEAD_BYTES } from './media-type.ts'

/** What is known of a file before it comes. */
export interface ExpectedFile {
  /** With or without its folders; undefined if it has none that is known. */
  readonly name: string | undefined
  /**
   * Whether forges keep it as an object and may redirect to where that is: an artifact, an attachment, what LFS has. What
   * is in Git they send themselves.
   */
  readonly isObject?: boolean
}

interface Opened {
  /** The first bytes, by which a file is recognized. */
  readonly head: Buffer
  /** Whether they are all of it. */
  readonly ended: boolean
  /** What follows. */
  readonly chunks: AsyncGenerator<Buffer>
}

/**
 * Reads the first bytes of a file that arrives; its chunks may be of any size.
 * @throws ForgeError bad-answer for a page that came in its place, and errors of the body
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

/** The beginning of a page, behind a byte order mark, blanks, comments and what XML begins with. */
const page = /^(?:\s|<!--(?:(?!-->)[\s\S])*-->|<\?[^>]*>)*<(?:!doctype\s+)?html(?![\w-])/i

const beginsAsPage = (head: Buffer): boolean => page.test(head.toString('utf8', 0, HEAD_BYTES))

/** Headers by which GitLab says which file it sends (API, repository files). */
const ofFile = ['blob-id', 'file-path', 'last-commit-id', 'size'].map(name => `x-gitlab-${name}`)

const namedPage = /\.(?:x?html?|shtml?|xht|mht(?:ml)?)$/i

/**
 * Whether a file may honestly be a page. GitLab sends all that is in Git as text/plain, with headers of it, and only what
 * was uploaded by its type; other forges may go by the name.
 */
const mayBePage = ({ headers, isElsewhere }: StreamAnswer, { name = '', isObject }: ExpectedFile): boolean =>
  ofFile.some(header => headers[header] !== undefined) ||
  (namedPage.test(name) && (!isElsewhere || isObject === true))
