import { visibleJson, visibleSource, visibleText } from './visible.ts'

/** Text without invisible characters, and without credentials in URLs. */
export const cleanText = (text: string): string => withoutCredentials(visibleText(text))

/** The same for text of files, whose character references stay. */
export const cleanSource = (text: string): string => withoutCredentials(visibleSource(text))

/** The same for JSON as JSON.stringify writes it. */
export const cleanJson = (json: string): string => withoutCredentials(visibleJson(json))

const withoutCredentials = (text: string): string =>
  text.includes('@') ? text.replace(urlCredentials, '://') : text

/**
 * Credentials in a URL: an optional name and a password, which extends to the last @, or a text that is long enough for
 * a token. The name must not contain a colon, or a long row of colons would cause excessive backtracking.
 */
const urlCredentials = /:\/\/(?:[^\s/@":\\]*:[^\s/"\\]*|[^\s/@":\\]{20,})@/g
