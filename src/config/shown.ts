import { withoutTokens } from '../log/without-tokens.ts'

/*
 * How values appear in messages about a wrong configuration, which logs keep: people put secrets under the wrong name,
 * and the message must not reveal them.
 */

/** Most characters of a word that was meant as a number or one of a few words; secrets are longer. */
const MAX_WORD = 8

/** Most characters of a setting's value in the log. */
const MAX_VALUE = 300

/** The value of a setting that is not a secret, for the log: somebody may have put a secret there. */
export const shownValue = (value: unknown): unknown =>
  typeof value === 'string' ? withoutTokens(value).slice(0, MAX_VALUE) : value

/** Whether a text is short enough to be repeated. */
export const isWord = (text: string): boolean => text.length <= MAX_WORD

/** Letters and digits mixed, or a long run of them, as in secrets but seldom in names. */
const secretLike = /(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{12,}|[a-z\d]{24,}/i

/** The end of a sentence that says what was expected: the word that is there instead, unless it could be a secret. */
export const insteadOfWord = (value: string | undefined): string =>
  value === undefined || !isWord(value) ? '' : `, not ${JSON.stringify(value)}`

/** Whether a name, a host or an address may be repeated: nothing in it looks like a secret. */
export const isHarmless = (text: string): boolean => !secretLike.test(text) && withoutTokens(text) === text

/** The same for entries of a list: names, hosts, addresses. */
export function insteadOfEntries(entries: readonly string[]): string {
  const harmless = entries.filter(isHarmless)
  return harmless.length === 0 ? '' : `, not ${harmless.map(entry => JSON.stringify(entry)).join(' or ')}`
}
