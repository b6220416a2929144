import { hidden, is, MARK, notPlain } from './character-kinds.ts'
import { escaped } from './escaped.ts'

/*
 * Texts that look the same and are not: one has characters that nobody sees, letters that are composed otherwise
 * (https://unicode.org/reports/tr15/), or blanks that do not break.
 */

/** Longer texts are compared as they are composed, and those with more marks on one letter than any script has. */
const MOST_COMPOSED = 255
const MOST_MARKS = 30

const unseen = new RegExp(hidden.source, 'gu')
const blanks = /\p{Zs}/gu

/** Whether a text has more marks on one letter, counted in one pass. */
function hasManyMarks(text: string): boolean {
  let marks = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!
    if (code > 0xffff) at++
    marks = is(code, MARK) ? marks + 1 : 0
    if (marks > MOST_MARKS) return true
  }
  return false
}

/** A text as it looks: those that give the same look the same. */
export function looksOf(text: string): string {
  if (!notPlain.test(text)) return text
  const shown = text.replace(unseen, '').replace(blanks, ' ')
  return shown.length > MOST_COMPOSED || hasManyMarks(shown) ? shown : shown.normalize('NFC')
}

/** What there may be another way to write: a blank, a syllable of Korean, a letter with its marks. */
const written = /(?! )\p{Zs}|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|\P{M}\p{M}+|[\u00c0-\u{10ffff}]/gu

/**
 * The parts of a text that are written otherwise in another one, and look the same there. Of long texts there are none.
 * @param beside the other text
 */
export function otherwiseIn(text: string, beside: string): ReadonlySet<string> {
  if (text.length > MOST_COMPOSED || beside.length > MOST_COMPOSED || hasManyMarks(text)) return new Set()
  const parts = text.match(written) ?? []
  const ways = (part: string) => [
    part.normalize('NFC'),
    part.normalize('NFD'),
    ...(isBlank(part) ? [' '] : [])
  ]
  return new Set(parts.filter(part => !beside.includes(part) && ways(part).some(way => beside.includes(way))))
}

const isBlank = (part: string): boolean => part.trim() === ''

/** A text with some of those parts as they are given. @param as gives one */
export const withParts = (text: string, parts: ReadonlySet<string>, as: (part: string) => string): string =>
  parts.size === 0 ? text : text.replace(written, part => (parts.has(part) ? as(part) : part))

const named = new Map([
  ['\u00a0', 'a no-break space'],
  ['\u202f', 'a narrow no-break space'],
  ['\u3000', 'an ideographic space']
])

/** What such parts are, in words. */
export const kindsOf = (parts: Iterable<string>): string =>
  [...new Set(Array.from(parts, kindOf))].join(' and ')

const kindOf = (part: string): string =>
  isBlank(part) ? (named.get(part) ?? 'another blank') : 'letters composed otherwise'

/** Such a part as JSON writes it in ASCII. */
export const beyondAscii = (part: string): string => part.replace(/[^ -~]/gu, escaped)
