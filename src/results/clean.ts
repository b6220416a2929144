import { visibleJson, visibleSource, visibleText } from './visible.ts'

/** Text without what a person does not see, and without credentials inside URLs. */
export const cleanText = (text: string): string => withoutCredentials(visibleText(text))

/** The same for text of files, whose character references stay. */
export const cleanSource = (text: string): string => withoutCredentials(visibleSource(text))

/** The same for JSON as JSON.stringify writes it. */
export const cleanJson = (json: string): string => withoutCredentials(visibleJson(json))

const withoutCredentials = (text: string): string =>
  text.includes('@') ? text.replace(urlCredentials, '://') : text

/**
 * A name, or none, with a password, which goes to the last @, or what is long enough for a token alone. The name has no
 * colon, or a long row of colons would be tried in every way there is.
 */
const urlCredentials = /:\/\/(?:[^\s/@":\\]*:[^\s/"\\]*|[^\s/@":\\]{20,})@/g
