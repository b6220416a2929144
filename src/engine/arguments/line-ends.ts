/** A text with LF as its only line end. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n/g, '\n')

/** Whether every line of a text that ends does so with CRLF, and one does. */
export const hasWindowsEnds = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text)

/** A text whose line ends are LF alone, with CRLF in their place. */
export const withWindowsEnds = (text: string): string => text.replace(/\n/g, '\r\n')
