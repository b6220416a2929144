/**
 * A word as it is compared with others, in small letters with underscores between its parts: however it is written, in any
 * case and with blanks, dashes or slashes there.
 */
export const wordKey = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s/-]+/g, '_')
