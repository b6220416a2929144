/** Whether the lines of a text end with CR alone, as some programs still write tables: as what nobody sees it would be left out. */
export const hasOldEnds = (text: string): boolean => text.includes('\r') && !text.includes('\n')

/** A text as it is shown, in which line feeds stand for such ends. */
export const withShownEnds = (text: string): string => (hasOldEnds(text) ? text.replaceAll('\r', '\n') : text)

export const OLD_ENDS =
  'Where the file has CR alone, a line break is shown: for line numbers that is no end of a line, and an edit finds it as \\r.'
