import { newlinesIn } from '../../results/newlines.ts'
import { withLineFeeds } from './line-ends.ts'
import { type Range, windowOf } from './window-of.ts'

/** The lines of a text that another text consists of, counted from 1. */
interface TextPart {
  readonly first: number
  readonly last: number
  /** The number of lines of the whole text. */
  readonly of: number
  /** Whether the part has no changed word. */
  readonly isSame: boolean
}

/**
 * The fraction of a text that must be missing at both ends together. A caller who leaves out less, such as some rows at
 * both ends or a licence, intends that.
 */
const MIN_MISSING_SHARE = 0.5
/** How close a cut text comes to the bound of its result: the other fields of the result take up the rest. */
const NEARLY = 0.9

/** Whether a text is so long that a result may have cut it: shorter ones are shown as a whole. */
export const mayBeCut = (text: string, maxChars: number): boolean => text.length > maxChars / 2

/**
 * Whether a text is a part of another one, in whole lines, as a result would show it: a window cut at both ends, or, if
 * the text is long, what is before or after a cut. A window may have a few changes; so may the beginning, if it ends
 * where a result would be cut. Otherwise changes mean that the caller wants to remove the rest. White space at the ends
 * is ignored, and so is the kind of line ends.
 * @param maxChars bound of a result
 * @returns undefined if it is no part, or leaves out only white space
 */
export function partOf(text: string, whole: string, maxChars: number): TextPart | undefined {
  if (text.length >= whole.length) return undefined
  const [part, all] = [withLineFeeds(text).trim(), withLineFeeds(whole).trimEnd()]
  const begins = all.length - all.trimStart().length
  if (part === '' || part.length >= all.length - begins) return undefined
  const isLong = mayBeCut(text, maxChars)
  const same = isLong ? rangeOfSame(part, all, begins) : undefined
  if (same !== undefined) return inLines(same, all, true)
  const range = windowOf(part, all)
  if (range === undefined) return undefined
  const [isBefore, isAfter] = [range.start > begins, range.end < all.length]
  const lost = range.start + all.length - range.end
  const isPart =
    isBefore && isAfter
      ? lost >= all.length * MIN_MISSING_SHARE
      : isAfter && isLong && isCutThere(all.slice(0, range.end), maxChars)
  return isPart ? inLines(range, all, false) : undefined
}

function rangeOfSame(part: string, all: string, begins: number): Range | undefined {
  if (all.startsWith(part, begins) && all[begins + part.length] === '\n')
    return { start: 0, end: begins + part.length }
  const start = all.length - part.length
  return all.endsWith(part) && all[start - 1] === '\n' ? { start, end: all.length } : undefined
}

/** Whether a result would be cut at about that length, as a text or in a JSON record. */
const isCutThere = (shown: string, maxChars: number): boolean =>
  shown.length <= maxChars &&
  (shown.length >= maxChars * NEARLY || JSON.stringify(shown).length >= maxChars * NEARLY)

function inLines({ start, end }: Range, all: string, isSame: boolean): TextPart {
  const first = newlinesIn(all, 0, start) + 1
  const last = first + newlinesIn(all, start, end)
  return { first, last, of: last + newlinesIn(all, end, all.length), isSame }
}
