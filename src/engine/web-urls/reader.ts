import { CallProblem } from '../../results/problem.ts'
import { MAX_WEB_URL_CHARS } from './slashes.ts'
import { readWebUrl, type WebUrl } from './web-url.ts'

/** Most characters of all addresses in one call: they are parsed in one turn of the event loop. */
const MAX_CHARS_OF_ALL = 2 * MAX_WEB_URL_CHARS

/** Ends the call, even where an address that cannot be read would be left unchanged. */
class LongWebUrls extends CallProblem {}

/**
 * Reads an address, unless the addresses of the call are too long in total.
 * @param name of the argument that holds it
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

/** The value that `read` returns; undefined if it throws a CallProblem other than that for too many characters. */
export function unlessProblem<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof CallProblem && !(error instanceof LongWebUrls)) return undefined
    throw error
  }
}
