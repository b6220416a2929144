import { CallProblem } from '../../results/problem.ts'
import { MAX_WEB_URL_CHARS } from './slashes.ts'
import { readWebUrl, type WebUrl } from './web-url.ts'

/** Characters of all addresses that are read in one call: they are taken apart in one turn of the event loop. */
const MAX_CHARS_OF_ALL = 2 * MAX_WEB_URL_CHARS

/** Ends the call even where an address that cannot be read would be left as it is. */
class LongWebUrls extends CallProblem {}

/**
 * Reads an address, as long as those of the call are not too long in total.
 * @param name of the argument that it is in
 */
export type Read = (text: string, name?: string) => WebUrl

/** A function that reads addresses. @param told counts the characters of all addresses it is used for */
export const reader =
  (webUrl: string, told: { chars?: number }): Read =>
  (text, name) => {
    told.chars = (told.chars ?? 0) + text.length
    if (told.chars > MAX_CHARS_OF_ALL)
      throw new LongWebUrls(
        `The addresses in this call have more than ${MAX_CHARS_OF_ALL} characters together: name things by number or path instead.`
      )
    return readWebUrl(text, webUrl, name)
  }

/** What was read; undefined if it throws a CallProblem, except for too many characters of addresses. */
export function unlessProblem<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof CallProblem && !(error instanceof LongWebUrls)) return undefined
    throw error
  }
}
