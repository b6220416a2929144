import { withoutHidden } from './hidden.ts'
import { shortened } from './shortened.ts'
import { quotedName, writtenOut } from './visible.ts'

/*
 * Names that have characters which nobody sees. A result leaves these out, so that two things look the same and the one
 * with them is not found by what was shown: they are said in words, and written as JSON's escapes.
 */

/** Most characters of a name that are looked at: no forge takes as many in one. */
const MOST_CHARS = 4_000
/** Most characters of all names that are compared with another one. */
const MOST_COMPARED = 300_000
/** Most hidden characters of a name that are written as escapes: more could spell out what is not to be read. */
const MOST_WRITTEN = 8
/** Most of them that are named, and most characters before one that say where it is. */
const MOST_NAMED = 3
const CHARS_BEFORE = 24

/** A part of a name: a hidden character, or what is seen up to the next one. */
interface Part {
  readonly text: string
  readonly isHidden: boolean
}

/** The parts of a name; none for a name that is seen whole, as nearly all are. */
function partsOf(name: string): readonly Part[] {
  if (name.length > MOST_CHARS) return []
  const shown = withoutHidden(name)
  if (shown.length === name.length) return []
  const seen = [...shown]
  const parts: Part[] = []
  let run = ''
  let at = 0
  for (const char of name) {
    if (char === seen[at]) {
      run += char
      at++
      continue
    }
    if (run !== '') parts.push({ text: run, isHidden: false })
    parts.push({ text: char, isHidden: true })
    run = ''
  }
  return run === '' ? parts : [...parts, { text: run, isHidden: false }]
}

const isHidden = (part: Part): boolean => part.isHidden

const codeOf = (char: string): string =>
  `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/**
 * Says which characters of a name nobody sees, and where: `U+200B after "b"`.
 * @returns undefined for a name that is seen whole
 */
export function unseenIn(name: string): string | undefined {
  let before = ''
  const named: string[] = []
  let count = 0
  for (const { text, isHidden } of partsOf(name)) {
    if (!isHidden) before += text
    else if (++count <= MOST_NAMED) {
      const where = before === '' ? 'at its beginning' : `after ${quotedName(endOf(before))}`
      named.push(`${codeOf(text)} ${where}`)
    }
  }
  if (count === 0) return undefined
  return [...named, ...(count > MOST_NAMED ? [`${count - MOST_NAMED} more`] : [])].join(' and ')
}

const endOf = (text: string): string => {
  const chars = [...text]
  return chars.length > CHARS_BEFORE ? `…${chars.slice(-CHARS_BEFORE).join('')}` : text
}

/** A name in quotes, in which the characters that nobody sees are written as JSON's escapes. */
export function exactly(name: string): string {
  const parts = partsOf(name)
  const hidden = parts.filter(isHidden).length
  if (hidden === 0 || hidden > MOST_WRITTEN) return quotedName(name)
  return `"${parts.map(({ text, isHidden }) => (isHidden ? escaped(text) : writtenOut(text).slice(1, -1))).join('')}"`
}

/** The escapes of JSON for a character. */
export const escaped = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`
  ).join('')

/** The one of some names that looks like another: they differ in hidden characters alone. */
export function sameLooking(name: string, names: readonly string[]): string | undefined {
  const shown = withoutHidden(shortened(name, MOST_CHARS))
  let left = MOST_COMPARED
  return names.find(other => {
    if (other === name || other.length < shown.length || other.length > MOST_CHARS) return false
    left -= other.length
    return left >= 0 && withoutHidden(other) === shown
  })
}

/**
 * What is said behind names that are there, as a sentence with a blank before it.
 * @returns an empty text where all of them are seen whole
 */
export function saidOfUnseen(names: readonly string[]): string {
  const one = names.find(name => unseenIn(name) !== undefined)
  if (one === undefined) return ''
  const which = names.length === 1 ? 'The one there' : exactly(one)
  const hidden = partsOf(one).filter(isHidden)
  const escapes = [...new Set(hidden.map(({ text }) => escaped(text)))]
  const how = hidden.length > MOST_WRITTEN ? '' : `: name it with JSON's escape, ${escapes.join(' ')}`
  return ` ${which} has ${unseenIn(one)}, which nobody sees${how}.`
}

/** Asks which of some names was meant. */
export const didYouMean = (names: readonly string[]): string =>
  `did you mean ${names.map(exactly).join(' or ')}?${saidOfUnseen(names)}`

/** Says of names that one is perhaps meant, as a sentence. */
export const perhaps = (names: readonly string[]): string =>
  `Perhaps ${names.map(exactly).join(' or ')} is meant.${saidOfUnseen(names)}`

/** Says what is there under another name. @param instead the end of the sentence */
export const thereAs = (name: string, instead: string): string =>
  `It is there as ${exactly(name)}, ${instead}.${saidOfUnseen([name])}`

/** The characters of a name that nobody sees. */
export const unseenOf = (name: string): readonly string[] =>
  partsOf(name)
    .filter(isHidden)
    .map(({ text }) => text)

/** The remark on a name with characters that nobody sees, to stand behind it. @returns undefined for one that is seen whole */
export function unseenRemark(name: string): string | undefined {
  const unseen = unseenIn(name)
  return unseen === undefined ? undefined : `has ${unseen}, which nobody sees`
}
