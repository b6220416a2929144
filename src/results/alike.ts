import { dearChars, hidden, is, MARK, notPlain } from './character-kinds.ts'
import { escaped } from './escaped.ts'

/*
 * Texts that look the same but differ: one has invisible characters, letters in another composition
 * (https://unicode.org/reports/tr15/), or no-break spaces.
 */

/**
 * Longer texts are compared without normalization, and so are texts with more marks on one letter than any script has.
 */
const MAX_COMPOSED = 255
const MAX_MARKS = 30

const unseen = new RegExp(hidden.source, 'gu')
const blanks = /\p{Zs}/gu

/** Whether a letter of a text has more marks than that; counts in one pass. */
function hasManyMarks(text: string): boolean {
  let marks = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!
    if (code > 0xffff) at++
    marks = is(code, MARK) ? marks + 1 : 0
    if (marks > MAX_MARKS) return true
  }
  return false
}

/** The look of a text: texts with the same result look the same. */
export function looksOf(text: string): string {
  if (!notPlain.test(text)) return text
  const shown = text.replace(unseen, '').replace(blanks, ' ')
  return shown.length > MAX_COMPOSED || hasManyMarks(shown) ? shown : shown.normalize('NFC')
}

/** Most non-ASCII characters of all texts that one function of boundedLooks examines: each takes up to 60 ns. */
const MAX_LOOKED = 60_000

/** @returns a function that gives the look of a text, and undefined once the texts so far are too long together */
export function boundedLooks(): (text: string) => string | undefined {
  let left = MAX_LOOKED
  return text => {
    left -= dearChars(text)
    return left < 0 ? undefined : looksOf(text)
  }
}

/** Matches parts that can be written in another way: a blank, a Korean syllable, a letter with its marks. */
const written = /(?! )\p{Zs}|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|\P{M}\p{M}+|[\u00c0-\u{10ffff}]/gu

/**
 * The parts of a text that another text writes differently, but that look the same. Long texts give none.
 * @param beside the other text
 */
export function otherwiseIn(text: string, beside: string): ReadonlySet<string> {
  if (text.length > MAX_COMPOSED || beside.length > MAX_COMPOSED || hasManyMarks(text)) return new Set()
  const parts = text.match(written) ?? []
  const ways = (part: string) => [
    part.normalize('NFC'),
    part.normalize('NFD'),
    ...(isBlank(part) ? [' '] : [])
  ]
  return new Set(parts.filter(part => !beside.includes(part) && ways(part).some(way => beside.includes(way))))
}

const isBlank = (part: string): boolean => part.trim() === ''

/** A text with some of those parts replaced. @param as returns the replacement of a part */
export const withParts = (text: string, parts: ReadonlySet<string>, as: (part: string) => string): string =>
  parts.size === 0 ? text : text.replace(written, part => (parts.has(part) ? as(part) : part))

const named = new Map([
  ['\u00a0', 'a no-break space'],
  ['\u202f', 'a narrow no-break space'],
  ['\u3000', 'an ideographic space']
])

/** The kinds of such parts, in words. */
export const kindsOf = (parts: Iterable<string>): string =>
  [...new Set(Array.from(parts, kindOf))].join(' and ')

const kindOf = (part: string): string =>
  isBlank(part) ? (named.get(part) ?? 'another blank') : 'letters composed otherwise'

/** Such a part with JSON escapes for characters beyond ASCII. */
export const beyondAscii = (part: string): string => part.replace(/[^ -~]/gu, escaped)
