import { CallProblem } from '../../results/problem.ts'
import { type Address, readAddress } from './address.ts'
import { MAX_ADDRESS_CHARS } from './slashes.ts'

/** Characters of all addresses that are read in one call: they are taken apart in one turn of the event loop. */
const MAX_CHARS_OF_ALL = 2 * MAX_ADDRESS_CHARS

/** Ends the call also where an address that cannot be read is left as it is. */
class LongAddresses extends CallProblem {}

/** Reads an address, as far as those of the call are not too long together. @param name of the argument that it is in */
export type Read = (text: string, name?: string) => Address

/** @param told counts the characters of all that it is given for */
export const reader =
  (webUrl: string, told: { chars?: number }): Read =>
  (text, name) => {
    told.chars = (told.chars ?? 0) + text.length
    if (told.chars > MAX_CHARS_OF_ALL)
      throw new LongAddresses(
        `The addresses in this call have more than ${MAX_CHARS_OF_ALL} characters together: name things by number or path instead.`
      )
    return readAddress(text, webUrl, name)
  }

/** What is read, or nothing where it cannot be. */
export function unlessProblem<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof CallProblem && !(error instanceof LongAddresses)) return undefined
    throw error
  }
}
