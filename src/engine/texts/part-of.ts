import { newlinesIn } from '../../results/newlines.ts'
import { withLineFeeds } from './line-ends.ts'
import { type Range, windowOf } from './window-of.ts'

/** Which part of a text another one is, by its lines, from 1. */
export interface TextPart {
  readonly first: number
  readonly last: number
  /** Lines of the whole. */
  readonly of: number
  /** Whether no word of the part is another one. */
  readonly isSame: boolean
}

/** Part of a text that has to be lost at both ends together: who takes off old and far rows, or a licence, means it. */
const MUCH = 0.5
/** How near a result comes to its bound where it cuts: its other fields take their part. */
const NEARLY = 0.9

/** Whether a text is as long as one that a result had no room for: shorter ones are shown as a whole. */
export const mayBeCut = (text: string, maxChars: number): boolean => text.length > maxChars / 2

/**
 * Whether a text is a part of another one, by whole lines, as a result shows it: a window that is cut at both ends, or,
 * if it is long, what is before or after a cut. A window may have a few changes, and so may the beginning where a result
 * would be cut; else they say that the rest is to go. White space at the ends does not count, nor how lines end.
 * @param maxChars bound of a result
 * @returns undefined if it is none, or leaves out nothing but white space
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
      ? lost >= all.length * MUCH
      : isAfter && isLong && isCutThere(all.slice(0, range.end), maxChars)
  return isPart ? inLines(range, all, false) : undefined
}

function rangeOfSame(part: string, all: string, begins: number): Range | undefined {
  if (all.startsWith(part, begins) && all[begins + part.length] === '\n')
    return { start: 0, end: begins + part.length }
  const start = all.length - part.length
  return all.endsWith(part) && all[start - 1] === '\n' ? { start, end: all.length } : undefined
}

/** Whether a result would be cut about there, of a text by itself or in a record, as JSON. */
const isCutThere = (shown: string, maxChars: number): boolean =>
  shown.length <= maxChars &&
  (shown.length >= maxChars * NEARLY || JSON.stringify(shown).length >= maxChars * NEARLY)

function inLines({ start, end }: Range, all: string, isSame: boolean): TextPart {
  const first = newlinesIn(all, 0, start) + 1
  const last = first + newlinesIn(all, start, end)
  return { first, last, of: last + newlinesIn(all, end, all.length), isSame }
}
