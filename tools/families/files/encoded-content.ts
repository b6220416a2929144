import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { mediaTypeOf } from '../../../src/engine/files/media-type.ts'
import { ArgumentError } from '../../../src/results/problem.ts'
import { quotedFew, quotedName } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction, textAlone } from './file-actions.ts'
import { isLfsPointer } from './lfs-pointer.ts'

/*
 * Catches bytes that a caller gives as base64 without saying so. The forge would store the base64 characters, which
 * makes a broken file.
 */

/** Names of files that never contain text. */
const neverText =
  /\.(?:png|jpe?g|gif|webp|bmp|ico|tiff?|avif|pdf|zip|jar|docx|xlsx|pptx|gz|tgz|zst|bz2|xz|7z|woff2?|mp[34]|webm|og[gv]|wav|wasm)$/i

const dataUri = /^\s*data:[^,\s]{0,200};base64,/i

/** How many characters of base64 are decoded to recognize a file by its first bytes. Four of them make three bytes. */
const HEAD_CHARS = 64

const withEncoding = {
  ofUri: 'give what follows its comma, with encoding=base64',
  ofBytes: 'set encoding=base64',
  ofText:
    'give the bytes of the file in base64, with encoding=base64; a path or an address of it is not read here'
}

/**
 * Refuses content that would be stored as something other than the caller meant: a data URI, or base64 given as text.
 * For a file name that is never text, it also refuses any text except a Git LFS pointer: such text is mostly a path or
 * an address. A file whose name may be that of a text file can contain any of these.
 * @param name of the file
 * @param instead what the caller should do, for a data URI, for bytes and for text
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

/** Checks each file of a commit with checkEncoding. */
export function encodedAsSaid(args: Arguments): void {
  for (const [at, { file_path, content, encoding }] of actionsIn(args, 'actions').entries())
    if (content !== undefined) checkEncoding(`actions.${at}.content`, file_path, content, encoding)
}

/** How many characters at the beginning of a text are decoded, and how many are needed to tell base64 from a word. */
const LOOKED_AT = 1024
const MIN_SIGNS = 40

/**
 * Whether a text is base64 of another text, one with blanks or line breaks: no ordinary text decodes to that by chance.
 * A file may contain base64 on purpose, so the caller is told, not refused.
 */
function isEncodedText({ content = '', encoding }: Pick<FileAction, 'content' | 'encoding'>): boolean {
  if (encoding === 'base64') return false
  const signs = content.slice(0, LOOKED_AT).replace(/\s/g, '')
  if (signs.length < MIN_SIGNS || !/^[A-Za-z0-9+/]+={0,2}$/.test(signs)) return false
  const text = Buffer.from(signs.slice(0, signs.length - (signs.length % 4)), 'base64').toString()
  // The end of the cut may fall inside a character, which then decodes to U+FFFD.
  return /^[\t\n\r\x20-\x7e\xa0-\ufffc]+\ufffd?$/.test(text) && /\S\s+\S/.test(text)
}

/**
 * Names the files that were stored as base64 of a text.
 * @param files each with its name and content
 */
export function storedEncoded(
  files: readonly Pick<FileAction, 'file_path' | 'content' | 'encoding'>[]
): string | undefined {
  const names = files.filter(isEncodedText).map(({ file_path }) => file_path)
  return names.length === 0
    ? undefined
    : `The content of ${quotedFew(names, MAX_NAMED)} is base64 of a text, and was stored as it is: if the text is meant, write it again with encoding=base64.`
}

/** How many files a notice names at most. */
const MAX_NAMED = 10

/** Checks each file of a snippet with checkEncoding. A snippet's files have no encoding. */
export function snippetOfText(args: Arguments): void {
  for (const [at, { file_path = '', content }] of actionsIn(args, 'files').entries())
    if (content !== undefined)
      checkEncoding(`files.${at}.content`, file_path, content, undefined, {
        ofUri: textAlone,
        ofBytes: textAlone,
        ofText: textAlone
      })
}
