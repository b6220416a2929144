import { mediaTypeOf } from './media-type.ts'

/**
 * Matches control characters that texts do not contain. Texts may contain tabs, line ends, form feeds, and the escapes
 * of ISO-2022.
 */
const control = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/

/**
 * Guesses the encoding of a file that is not UTF-8 text. Apart from UTF-16, text encodings have no control bytes.
 * @param head its first bytes
 * @param hasNul whether a NUL showed that it is no text
 * @returns words for it, after "perhaps"; undefined if it does not look like text
 */
export function otherEncodingOf(head: Buffer, hasNul: boolean): string | undefined {
  const first = head.toString('latin1', 0, 2)
  if (first === '\xff\xfe' || first === '\xfe\xff') return 'UTF-16, as its first bytes say'
  if (hasNul || mediaTypeOf(head) !== 'application/octet-stream' || control.test(head.toString('latin1')))
    return undefined
  return 'Latin-1, Shift-JIS, GBK or another encoding'
}
