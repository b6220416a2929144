import { withoutCredentials } from './url-credentials.ts'
import { visibleJson, visibleSource, visibleText } from './visible.ts'

/** Text without invisible characters, and without credentials in URLs. */
export const cleanText = (text: string): string => withoutCredentials(visibleText(text))

/** The same for text of files, in which character references stay. */
export const cleanSource = (text: string): string => withoutCredentials(visibleSource(text))

/** The same for JSON as JSON.stringify writes it. */
export const cleanJson = (json: string): string => withoutCredentials(visibleJson(json))

/** The JSON of a record, cleaned. */
export const jsonOf = (record: object): string => cleanJson(JSON.stringify(record))
