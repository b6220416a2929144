import { mediaTypeOf } from './media-type.ts'

/** What texts have of control characters: tabs, line ends, form feeds, and the escapes of ISO-2022. */
const control = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/

/**
 * What the encoding of a file may be that is not text in UTF-8: other encodings have no bytes of control, but for UTF-16.
 * @param head its first bytes
 * @param hasNul whether it was a NUL by which it was seen to be no text
 * @returns words for it, after "perhaps"; undefined where it does not look like text
 */
export function otherEncodingOf(head: Buffer, hasNul: boolean): string | undefined {
  const first = head.toString('latin1', 0, 2)
  if (first === '\xff\xfe' || first === '\xfe\xff') return 'UTF-16, as its first bytes say'
  if (hasNul || mediaTypeOf(head) !== 'application/octet-stream' || control.test(head.toString('latin1')))
    return undefined
  return 'Latin-1, Shift-JIS, GBK or another encoding'
}
