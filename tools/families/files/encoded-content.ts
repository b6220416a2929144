import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { mediaTypeOf } from '../../../src/engine/files/media-type.ts'
import { ArgumentError } from '../../../src/results/problem.ts'
import { quotedFew, quotedName } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction, textAlone } from './file-actions.ts'
import { isLfsPointer } from './lfs-pointer.ts'

/* Bytes that a caller gives as base64, and does not say so: the forge would store the signs, as a broken file. */

/** Names of files that are never text. */
const neverText =
  /\.(?:png|jpe?g|gif|webp|bmp|ico|tiff?|avif|pdf|zip|jar|docx|xlsx|pptx|gz|tgz|zst|bz2|xz|7z|woff2?|mp[34]|webm|og[gv]|wav|wasm)$/i

const dataUri = /^\s*data:[^,\s]{0,200};base64,/i

/** Characters by which bytes are recognized, of which base64 makes three of four. */
const HEAD_CHARS = 64

const withEncoding = {
  ofUri: 'give what follows its comma, with encoding=base64',
  ofBytes: 'set encoding=base64',
  ofText:
    'give the bytes of the file in base64, with encoding=base64; a path or an address of it is not read here'
}

/**
 * Refuses what would be stored as another file than was meant: a data URI, bytes in base64 that are given as text, and
 * any text but that of Git LFS where the name is of a file that is none: mostly a path or an address.
 * A file whose name may be that of a text can hold each of them.
 * @param name of the file
 * @param instead what to do, of a data URI and of other bytes
 * @throws ArgumentError that says what to give
 */
export function checkEncoding(
  place: string,
  name: string,
  content: string,
  encoding: string | undefined,
  instead = withEncoding
): void {
  const isText = encoding !== 'base64'
  if (isText && !neverText.test(name) && !/\.svg$/i.test(name)) return
  if (dataUri.test(content)) throw new ArgumentError(place, `is a data URI: ${instead.ofUri}`)
  const head = content.slice(0, HEAD_CHARS).trimStart()
  if (isText && /^[A-Za-z0-9+/=\s]{8,}$/.test(head) && isKnown(head))
    throw new ArgumentError(place, `is base64, and would be stored as text: ${instead.ofBytes}`)
  if (isText && content !== '' && neverText.test(name) && !isLfsPointer(content))
    throw new ArgumentError(place, `is text, which ${quotedName(name)} cannot be: ${instead.ofText}`)
}

const isKnown = (head: string): boolean =>
  mediaTypeOf(Buffer.from(head, 'base64')) !== 'application/octet-stream'

/** The same for each file of a commit. */
export function encodedAsSaid(args: Arguments): void {
  for (const [at, { file_path, content, encoding }] of actionsIn(args, 'actions').entries())
    if (content !== undefined) checkEncoding(`actions.${at}.content`, file_path, content, encoding)
}

/** Characters at the beginning of a text that are decoded, and fewest that tell base64 from a word. */
const LOOKED_AT = 1024
const FEWEST_SIGNS = 40

/**
 * Whether a text is base64 of another text, which has blanks or line breaks: by chance none decodes to such. It may be
 * meant, as a file may hold base64, so that it is only said.
 */
function isEncodedText({ content = '', encoding }: Pick<FileAction, 'content' | 'encoding'>): boolean {
  if (encoding === 'base64') return false
  const signs = content.slice(0, LOOKED_AT).replace(/\s/g, '')
  if (signs.length < FEWEST_SIGNS || !/^[A-Za-z0-9+/]+={0,2}$/.test(signs)) return false
  const text = Buffer.from(signs.slice(0, signs.length - (signs.length % 4)), 'base64').toString()
  // A character that is cut at the end is none.
  return /^[\t\n\r\x20-\x7e\xa0-\ufffc]+\ufffd?$/.test(text) && /\S\s+\S/.test(text)
}

/** Says which files have been stored as base64 of a text. @param files each with its name and content */
export function storedEncoded(
  files: readonly Pick<FileAction, 'file_path' | 'content' | 'encoding'>[]
): string | undefined {
  const names = files.filter(isEncodedText).map(({ file_path }) => file_path)
  return names.length === 0
    ? undefined
    : `The content of ${quotedFew(names, FEW)} is base64 of a text, and was stored as it is: if the text is meant, write it again with encoding=base64.`
}

/** Most files that are named. */
const FEW = 10

/** Refuses the same of each file of a snippet, which has no encoding. */
export function snippetOfText(args: Arguments): void {
  for (const [at, { file_path = '', content }] of actionsIn(args, 'files').entries())
    if (content !== undefined)
      checkEncoding(`files.${at}.content`, file_path, content, undefined, {
        ofUri: textAlone,
        ofBytes: textAlone,
        ofText: textAlone
      })
}
