import { withoutTokens } from '../log/without-tokens.ts'

/*
 * How values appear in messages about a wrong configuration, which logs keep: people put secrets under the wrong name,
 * and the message must not reveal them.
 */

/** Most characters of a word that was meant as a number or one of a few words; secrets are longer. */
const MAX_WORD = 8

/** Most characters of a setting's value in the log. */
const MAX_VALUE = 300

/** Whether a text is short enough to be repeated. */
export const isWord = (text: string): boolean => text.length <= MAX_WORD

/** A word of letters and digits mixed, as in secrets but seldom in names. */
const mixed = '(?=[\\w+=-]*\\d)(?=[\\w+=-]*[a-z])[\\w+=-]{12,}'
/** A long run of letters or digits. */
const longRun = '[a-z\\d]{24,}'
/** The same with a digit: a word of letters alone is a name, where names are to be read. */
const longMix = '(?<![a-z\\d])(?=[a-z]*\\d)[a-z\\d]{24,}'
const secretLike = new RegExp(`${mixed}|${longRun}`, 'i')

/** The same in values that may have paths, each part of which may mix them: team-42-tools/rocket. */
const secretWord = new RegExp(`(?<![\\w+=/-])${mixed}(?![\\w+=/-])|${longMix}`, 'gi')

/** The value of a setting that is not a secret, for the log: somebody may have put a secret there. */
export const shownValue = (value: unknown): unknown =>
  typeof value === 'string'
    ? withoutTokens(value).replace(secretWord, '[redacted]').slice(0, MAX_VALUE)
    : value

/** The tokens of forges, by the prefixes that GitLab gives them. */
const tokenOfForge = /^gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rtr?|soat|wt)-[\w.-]{20,}$/
/** A single word that may be a token without a prefix: no name whose parts are letters or digits alone (team-42-tools). */
const tokenLike = /^(?![a-z]+(?:[-_](?:[a-z]+|\d+))+$)(?=.*\d)(?=.*[a-z])[\w+=-]{20,}$/i

/**
 * That the value of a variable for no secret is the token of a forge, and the variable that it may be for.
 * @returns the end of a sentence that begins with the variable; undefined of any other value
 */
export const misplacedToken = (value: string): string | undefined =>
  tokenOfForge.test(value) ? `is a token: ${placeOf(value)} may be meant` : undefined

/** A sentence to put after one about a value, if that may be a token; else nothing. */
export const tokenHint = (value: string): string =>
  tokenOfForge.test(value) || tokenLike.test(value) ? ` A token: ${placeOf(value)} may be meant.` : ''

/** An application's secret has a prefix of its own. */
const placeOf = (token: string) =>
  token.startsWith('gloas-') ? 'FORGE_OAUTH_APP_SECRET' : 'FORGE_PERSONAL_ACCESS_TOKEN'

/** The end of a sentence that says what was expected: the word that is there instead, unless it could be a secret. */
export const insteadOfWord = (value: string | undefined): string =>
  value === undefined || !isWord(value) ? '' : `, not ${JSON.stringify(value)}`

/** Whether a name, a host or an address may be repeated: nothing in it looks like a secret. */
export const isHarmless = (text: string): boolean => !secretLike.test(text) && withoutTokens(text) === text

/** The path of a file, to be put behind the name of its variable: nothing if it could be a secret. */
export const namedPath = (path: string): string =>
  /[./]/.test(path) || shownValue(path) === path ? `: ${shownPath(path)}` : ''

/** A path with what may be a token in it left out. */
export const shownPath = (path: string): string => withoutTokens(path).slice(0, MAX_VALUE)

/** The same for entries of a list: names, hosts, addresses. */
export function insteadOfEntries(entries: readonly string[]): string {
  const harmless = entries.filter(isHarmless)
  return harmless.length === 0 ? '' : `, not ${harmless.map(entry => JSON.stringify(entry)).join(' or ')}`
}
