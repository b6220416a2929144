import { withoutTokens } from '../log/without-tokens.ts'
import { isWholeToken, tokenKind, variableForToken } from '../session/other-tokens.ts'

/*
 * How values appear in messages about a wrong configuration. Logs keep these messages, and people put secrets under
 * wrong names, so a message must not reveal them.
 */

/** Most characters of a word that was meant as a number or one of a few words; secrets are longer. */
const MAX_WORD = 8

/** Most characters of a setting's value in the log. */
const MAX_VALUE = 300

/** Whether a text is short enough to be repeated. */
export const isWord = (text: string): boolean => text.length <= MAX_WORD

/** Matches a word that mixes letters and digits, as secrets often do and names seldom do. */
const mixed = '(?=[\\w+=-]*\\d)(?=[\\w+=-]*[a-z])[\\w+=-]{12,}'
/** A long run of letters or digits. */
const longRun = '[a-z\\d]{24,}'
/** The same, but with a digit: where names may occur, a word of letters only is a name. */
const longMix = '(?<![a-z\\d])(?=[a-z]*\\d)[a-z\\d]{24,}'
const secretLike = new RegExp(`${mixed}|${longRun}`, 'i')

/** The same in values that may contain paths, where each part may mix letters and digits: team-42-tools/rocket. */
const secretWord = new RegExp(`(?<![\\w+=/-])${mixed}(?![\\w+=/-])|${longMix}`, 'gi')

/** The value of a setting for the log. It is not for a secret, but somebody may have put one there. */
export const shownValue = (value: unknown): unknown =>
  typeof value === 'string'
    ? withoutTokens(value).replace(secretWord, '[redacted]').slice(0, MAX_VALUE)
    : value

/**
 * Matches a single word that may be a token without a prefix: not a name whose parts are only letters or only digits
 * (team-42-tools).
 */
const tokenLike = /^(?![a-z]+(?:[-_](?:[a-z]+|\d+))+$)(?=.*\d)(?=.*[a-z])[\w+=-]{20,}$/i

/**
 * Reports a token in a variable that is not for secrets, and names the variable that it may be for.
 * @returns the end of a sentence that begins with the variable; undefined for any other value
 */
export const misplacedToken = (value: string): string | undefined =>
  isWholeToken(value) ? `is ${tokenAs(value)}` : undefined

/** A sentence to follow a message about a value, if the value may be a token; otherwise empty. */
export function tokenHint(value: string): string {
  if (!isWholeToken(value) && !tokenLike.test(value)) return ''
  const says = tokenAs(value)
  return ` ${says[0]!.toUpperCase()}${says.slice(1)}.`
}

/** What a token is, and which variable it may be meant for. */
function tokenAs(token: string): string {
  const variable = variableForToken(token)
  const place = variable === undefined ? 'no variable is for it' : `${variable} may be meant`
  return `${tokenKind(token) ?? 'a token'}: ${place}`
}

/** The end of a sentence about the expected value: the given word, unless it could be a secret. */
export const insteadOfWord = (value: string | undefined): string =>
  value === undefined || !isWord(value) ? '' : `, not ${JSON.stringify(value)}`

/** Whether a name, a host or an address may be repeated: nothing in it looks like a secret. */
export const isHarmless = (text: string): boolean => !secretLike.test(text) && withoutTokens(text) === text

/** The path of a file, to follow the name of its variable; empty if it could be a secret. */
export const namedPath = (path: string): string =>
  /[./]/.test(path) || shownValue(path) === path ? `: ${shownPath(path)}` : ''

/** A path with possible tokens removed. */
export const shownPath = (path: string): string => withoutTokens(path).slice(0, MAX_VALUE)

/** The same for entries of a list: names, hosts, addresses. */
export function insteadOfEntries(entries: readonly string[]): string {
  const harmless = entries.filter(isHarmless)
  return harmless.length === 0 ? '' : `, not ${harmless.map(entry => JSON.stringify(entry)).join(' or ')}`
}
