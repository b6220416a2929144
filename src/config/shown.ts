import { withoutTokens } from '../log/without-tokens.ts'

/*
 * Values in what is said of a wrong configuration, which logs keep: people put a secret under the wrong name, and the
 * message would be where it is found.
 */

/** Characters of a word that was meant for a number or for one of a few words; secrets have more. */
const MAX_WORD = 8

/** Characters of a setting's value in the log. */
const MAX_VALUE = 300

/** A value of a setting that is no secret, for the log: somebody may have put one there. */
export const shownValue = (value: unknown): unknown =>
  typeof value === 'string' ? withoutTokens(value).slice(0, MAX_VALUE) : value

/** Whether a text is so short that it can be said. */
export const isWord = (text: string): boolean => text.length <= MAX_WORD

/** A row of letters and digits together, as names seldom have and secrets do. */
const secretLike = /(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{12,}|[a-z\d]{24,}/i

/** What follows a sentence on what had to be there: the word that is, unless it could be a secret. */
export const insteadOfWord = (value: string | undefined): string =>
  value === undefined || !isWord(value) ? '' : `, not ${JSON.stringify(value)}`

/** Whether a name, a host or an address can be said: nothing in it looks like a secret. */
export const isHarmless = (text: string): boolean => !secretLike.test(text) && withoutTokens(text) === text

/** The same for entries of a list: names, hosts, addresses. */
export function insteadOfEntries(entries: readonly string[]): string {
  const harmless = entries.filter(isHarmless)
  return harmless.length === 0 ? '' : `, not ${harmless.map(entry => JSON.stringify(entry)).join(' or ')}`
}
