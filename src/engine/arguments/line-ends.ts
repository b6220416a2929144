/** A text with LF as its only line end. */
export const withLineFeeds = (text: string): string => text.replace(/\r(?=\n)/g, '')

/** Whether every line of a text that ends does so with CRLF, and one does. */
export const hasWindowsEnds = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text)

/** A text whose line ends are LF alone, with CRLF in their place. */
export const withWindowsEnds = (text: string): string => text.replace(/\n/g, '\r\n')

const [LF, CR] = [10, 13]

/** Whether two texts are the same where LF and CRLF count as one. No text is made, as they may have a million lines. */
export function areSameButEnds(one: string, other: string): boolean {
  let [at, beside] = [0, 0]
  while (at < one.length && beside < other.length) {
    if (isWindowsEnd(one, at)) at++
    if (isWindowsEnd(other, beside)) beside++
    if (one.charCodeAt(at++) !== other.charCodeAt(beside++)) return false
  }
  return at === one.length && beside === other.length
}

const isWindowsEnd = (text: string, at: number): boolean =>
  text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF
