/**
 * The form in which a word is compared with others: in lower case, with underscores between its parts. Case does not
 * matter, nor whether blanks, dashes or slashes separate the parts.
 */
export const wordKey = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s/-]+/g, '_')
