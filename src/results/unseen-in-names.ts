import { beyondAscii, boundedLooks, kindsOf, looksOf, otherwiseIn, withParts } from './alike.ts'
import { dearChars, isHidden as isUnseen } from './character-kinds.ts'
import { escaped } from './escaped.ts'
import { withoutHidden } from './hidden.ts'
import { shortened } from './shortened.ts'
import { quotedName, writtenOut } from './visible.ts'

/*
 * Names with invisible characters. A result leaves these out, so that two things look the same, and the one with such
 * characters is not found by the shown name. So they are described in words, and written as JSON escapes.
 */

/** Most characters of a name that are examined: no forge accepts as many in one. */
const MAX_NAME_CHARS = 4_000
/** Most hidden characters of a name that are written as escapes: more could spell out a hidden text. */
const MAX_WRITTEN = 8
/** Most of them that are named, and most characters before one that show its place. */
const MAX_NAMED = 3
const CHARS_BEFORE = 24

/** A part of a name: a hidden character, or the visible text up to the next one. */
interface Part {
  readonly text: string
  readonly isHidden: boolean
}

/** The other name, if it looks the same. In that case even needed invisible characters make a difference. */
const besideOf = (name: string, other: string | undefined): string | undefined =>
  other !== undefined && other !== name && looksOf(shortened(other, MAX_NAME_CHARS)) === looksOf(name)
    ? other
    : undefined

/**
 * The parts of a name; none for a name without invisible characters, as nearly all are.
 * @param beside a name that looks the same: invisible characters that it does not have count as hidden
 */
function partsOf(name: string, beside?: string): readonly Part[] {
  if (name.length > MAX_NAME_CHARS) return []
  const shown = withoutHidden(name)
  if (beside === undefined && shown === name) return []
  const seen = beside === undefined ? shown : seenBeside(shown, beside)
  if (seen.length === name.length) return []
  const parts: Part[] = []
  let [run, at] = ['', 0]
  for (const char of name) {
    if (char.codePointAt(0) === seen.codePointAt(at)) {
      run += char
      at += char.length
      continue
    }
    if (run !== '') parts.push({ text: run, isHidden: false })
    parts.push({ text: char, isHidden: true })
    run = ''
  }
  return run === '' ? parts : [...parts, { text: run, isHidden: false }]
}

function seenBeside(shown: string, beside: string): string {
  const there = new Set(beside)
  return [...shown].filter(char => there.has(char) || !isUnseen(char.codePointAt(0)!)).join('')
}

const isHidden = (part: Part): boolean => part.isHidden

const codeOf = (char: string): string =>
  `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/**
 * Describes the invisible characters of a name and their places: `U+200B after "b"`.
 * @param beside a name that looks the same @returns undefined for a name without invisible characters
 */
export function unseenIn(name: string, beside?: string): string | undefined {
  let before = ''
  const named: string[] = []
  let count = 0
  for (const { text, isHidden } of partsOf(name, beside)) {
    if (!isHidden) before += text
    else if (++count <= MAX_NAMED) {
      const where = before === '' ? 'at its beginning' : `after ${quotedName(endOf(before))}`
      named.push(`${codeOf(text)} ${where}`)
    }
  }
  if (count === 0) return undefined
  return [...named, ...(count > MAX_NAMED ? [`${count - MAX_NAMED} more`] : [])].join(' and ')
}

const endOf = (text: string): string => {
  const chars = [...text]
  return chars.length > CHARS_BEFORE ? `…${chars.slice(-CHARS_BEFORE).join('')}` : text
}

/**
 * A name in quotes, with its invisible characters written as JSON escapes.
 * @param given another name; if both look the same, the differing characters are written as escapes, too
 */
export function exactly(name: string, given?: string): string {
  const beside = besideOf(name, given)
  const parts = partsOf(name, beside)
  const otherwise = beside === undefined ? new Set<string>() : otherwiseIn(name, beside)
  const hidden = parts.filter(isHidden).length
  if (hidden > MAX_WRITTEN || otherwise.size > MAX_WRITTEN) return quotedName(name)
  if (hidden === 0) return withParts(quotedName(name), otherwise, beyondAscii)
  const seen = (text: string) => withParts(writtenOut(text).slice(1, -1), otherwise, beyondAscii)
  return `"${parts.map(({ text, isHidden }) => (isHidden ? escaped(text) : seen(text))).join('')}"`
}

/** The looks of lists of names, in their order: several names of a call are compared with the same list. */
const looksOfLists = new WeakMap<readonly string[], readonly (string | undefined)[]>()

/** A different name in a list that looks the same (alike.ts). @param names must never change */
export function sameLooking(name: string, names: readonly string[]): string | undefined {
  const shown = looksOf(shortened(name, MAX_NAME_CHARS))
  const looks = looksOfLists.get(names) ?? looksOfAll(names)
  looksOfLists.set(names, looks)
  return names.find((other, at) => other !== name && looks[at] === shown)
}

/** The look of each name; undefined for names that are too long, or that come after too many others. */
function looksOfAll(names: readonly string[]): readonly (string | undefined)[] {
  const lookOf = boundedLooks()
  return names.map(name => (name.length > MAX_NAME_CHARS ? undefined : lookOf(name)))
}

/**
 * A remark to follow existing names, as a sentence with a blank before it.
 * @param given the name by which they were found @returns an empty text if none has invisible characters
 */
export function saidOfUnseen(names: readonly string[], given?: string): string {
  for (const one of names) {
    const beside = besideOf(one, given)
    const which = names.length === 1 ? 'The one there' : exactly(one, given)
    const said = [saidOfHidden(one, beside), beside === undefined ? '' : saidOfOtherwise(one, beside)]
      .filter(has => has !== '')
      .map(has => ` ${which} has ${has}.`)
    if (said.length > 0) return said.join('')
    if (beside !== undefined) return saidOfGiven(beside, one)
  }
  return ''
}

/**
 * Describes what the given name has that the existing one, which looks the same, has not. Invisible characters are left
 * out here if they are reported for any name that has them.
 */
function saidOfGiven(given: string, there: string): string {
  const parts = otherwiseIn(given, there)
  const hidden = unseenIn(given) === undefined ? unseenIn(given, there) : undefined
  const has = [hidden, parts.size > 0 ? kindsOf(parts) : undefined].filter(Boolean)
  return has.length === 0
    ? ''
    : ` The name that was given has ${has.join(' and ')}, which the one there has not.`
}

function saidOfHidden(name: string, beside: string | undefined): string {
  const hidden = partsOf(name, beside).filter(isHidden)
  if (hidden.length === 0) return ''
  const escapes = [...new Set(hidden.map(({ text }) => escaped(text)))]
  const how = hidden.length > MAX_WRITTEN ? '' : `: name it with JSON's escape, ${escapes.join(' ')}`
  return `${unseenIn(name, beside)}, which nobody sees${how}`
}

function saidOfOtherwise(name: string, beside: string): string {
  const parts = [...otherwiseIn(name, beside)]
  if (parts.length === 0) return ''
  const what = kindsOf(parts)
  const how =
    parts.length > MAX_WRITTEN ? '' : `: name it with JSON's escape, ${parts.map(beyondAscii).join(' ')}`
  return `${what}, and looks the same${how}`
}

/** Asks which of some names was meant. @param given the name that does not exist */
export const didYouMean = (names: readonly string[], given?: string): string =>
  `did you mean ${names.map(name => exactly(name, given)).join(' or ')}?${saidOfUnseen(names, given)}`

/** Says that one of some names may be meant, as a sentence. */
export const perhaps = (names: readonly string[]): string =>
  `Perhaps ${names.map(name => exactly(name)).join(' or ')} is meant.${saidOfUnseen(names)}`

/**
 * Says that a thing exists under another name. @param instead the end of the sentence @param given the name that does
 * not exist
 */
export const thereAs = (name: string, instead: string, given: string): string =>
  `It is there as ${exactly(name, given)}, ${instead}.${saidOfUnseen([name], given)}`

/** The invisible characters of a name, each once. */
export const unseenOf = (name: string): readonly string[] => [
  ...new Set(
    partsOf(name)
      .filter(isHidden)
      .map(({ text }) => text)
  )
]

/** The remark on a name with invisible characters, to follow it. @returns undefined for a name without them */
export function unseenRemark(name: string): string | undefined {
  const unseen = unseenIn(name)
  return unseen === undefined ? undefined : `has ${unseen}, which nobody sees`
}

/**
 * Most non-ASCII characters of the names of one call that are examined: two milliseconds, if most of them are hidden.
 */
const MAX_LOOKED = 60_000

/**
 * The budget for the search for invisible characters in the names of one call, in all places and parts of it together:
 * a call may have a thousand names of thousands of characters. Names beyond the budget are used as given.
 */
export class UnseenBudget {
  #left = MAX_LOOKED

  /** Whether a name has such characters; false if the budget is used up, or if the name is longer than any real one. */
  findsIn(name: string): boolean {
    if (this.#left <= 0 || name.length > MAX_NAME_CHARS) return false
    this.#left -= dearChars(name)
    return this.#left >= 0 && withoutHidden(name) !== name
  }
}
