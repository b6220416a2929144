import { nearestLine } from '../../../src/engine/files/nearest-line.ts'
import { beyondAscii, kindsOf, otherwiseIn, withParts } from '../../../src/results/alike.ts'
import { shortened } from '../../../src/results/shortened.ts'
import { foundOtherwise } from './found-otherwise.ts'
import { hiddenThere } from './hidden-there.ts'
import { type Effort, occurrences } from './occurrences.ts'
import { withOtherEnds } from './other-ends.ts'

/** How many characters are quoted at most, of a text that was not found and of a line. */
const QUOTED_CHARS = 120
/** How many characters of a line, and of a text to find, are compared for characters that only look the same. */
const MAX_COMPARED = 250

/** The place where a text was looked for, and words to describe it. */
interface Place {
  /** Name of the place, as it stands in a sentence. */
  readonly where: string
  /** The kind of thing that a caller reads to see the text. */
  readonly noun: 'file' | 'issue'
  /** The argument that has the text to find. */
  readonly argument: 'find' | 'patch'
  /** What was not done, as a sentence without its full stop. */
  readonly nothing: string
  /** Whether a line of the place may be quoted. */
  readonly quotes: boolean
  /** Gives a text the line ends that the place uses. */
  readonly inItsEnds: (text: string) => string
}

/** A shortened text, in quotes. */
export const quotedPart = (words: string): string => JSON.stringify(shortened(words, QUOTED_CHARS))

/**
 * Says why a text to find is not in another one, and what to do. Either it is there in another form, or it contains
 * characters that results leave out, or it is another line.
 * @returns two sentences: one that begins with the quoted text, and one that says that nothing was done
 * @throws CallProblem when the effort is used up
 */
export function saidOfMissing(find: string, text: string, place: Place, effort: Effort): string {
  const { where, noun, nothing, quotes, inItsEnds } = place
  const missing = `${quotedPart(find)} is not in ${where}`
  const isThere = (wanted: string) => occurrences(text, inItsEnds(wanted), effort).length > 0
  const otherwise = foundOtherwise(find, text.includes('\r'), isThere)
  if (otherwise !== undefined) return `${missing}, but ${otherwise}. ${nothing}.`
  const ends = withOtherEnds(find, text, effort)
  if (ends !== undefined)
    return `${missing}, but with other line ends, as ${quotedPart(ends)}: give them so, also in what replaces it. ${nothing}.`
  const hidden = hiddenThere(text, inItsEnds(find), place, effort)
  if (hidden !== undefined)
    return `${missing}, character by character: line ${hidden.line} has ${hidden.says}. ${nothing}.`
  const near = quotes ? nearestLine(text, find) : undefined
  const meant = near === undefined ? `read the ${noun} again` : saidOfLine(near, find)
  return `${missing}, character by character. ${nothing}: ${meant}.`
}

/** Quotes the nearest line, and writes out its characters that only look like those of the text to find. */
function saidOfLine(
  { number, line }: { readonly number: number; readonly line: string },
  find: string
): string {
  const shown = find.includes('\r') ? line : line.replace(/\r$/, '')
  const otherwise = otherwiseIn(shown.slice(0, MAX_COMPARED), find.slice(0, MAX_COMPARED))
  const is = `line ${number} is ${withParts(quotedPart(shown), otherwise, beyondAscii)}`
  return otherwise.size === 0
    ? is
    : `${is}, which has ${kindsOf(otherwise)}: find it with these escapes of JSON`
}
