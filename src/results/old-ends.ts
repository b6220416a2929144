/**
 * Whether the lines of a text end with CR alone, as some programs still write tables. Without special handling, the CR
 * would be removed as an invisible character.
 */
export const hasOldEnds = (text: string): boolean => text.includes('\r') && !text.includes('\n')

/** A text as it is shown, with line feeds in place of such line ends. */
export const withShownEnds = (text: string): string => (hasOldEnds(text) ? text.replaceAll('\r', '\n') : text)

export const OLD_ENDS =
  'Where the file has CR alone, a line break is shown: for line numbers that is no end of a line, and an edit finds it as \\r.'
