/** The escapes of JSON for a character. */
export const escaped = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`
  ).join('')
