import { nearestLine } from '../../../src/engine/files/nearest-line.ts'
import { beyondAscii, kindsOf, otherwiseIn, withParts } from '../../../src/results/alike.ts'
import { shortened } from '../../../src/results/shortened.ts'
import { foundOtherwise } from './found-otherwise.ts'
import { hiddenThere } from './hidden-there.ts'
import { type Effort, occurrences } from './occurrences.ts'

/** Most characters quoted of a text that was not found, and of a line. */
const QUOTED_CHARS = 120
/** Most characters of a line and of a text to find that are compared for what only looks the same. */
const MOST_COMPARED = 250

/** Where a text to find was looked for. */
interface Place {
  /** What has the text, as it is named in a sentence. */
  readonly where: string
  /** What is read to see it. */
  readonly noun: 'file' | 'issue'
  /** The argument that has the text to find. */
  readonly argument: 'find' | 'patch'
  /** What was not done, as a sentence without its full stop. */
  readonly nothing: string
  /** Whether a line of it may be quoted. */
  readonly quotes: boolean
  /** Brings a text into the line ends that the place has. */
  readonly inItsEnds: (text: string) => string
}

/** A part of a text, in quotes and not long. */
export const quotedPart = (words: string): string => JSON.stringify(shortened(words, QUOTED_CHARS))

/**
 * Says why a text to find is not in another one, and what to do: it is written otherwise there, has what a result leaves
 * out, or is another line.
 * @returns a sentence that begins with the text, in quotes, and one that nothing was done
 * @throws CallProblem when the effort is used up
 */
export function saidOfMissing(find: string, text: string, place: Place, effort: Effort): string {
  const { where, noun, nothing, quotes, inItsEnds } = place
  const missing = `${quotedPart(find)} is not in ${where}`
  const isThere = (wanted: string) => occurrences(text, inItsEnds(wanted), effort).length > 0
  const otherwise = foundOtherwise(find, text.includes('\r'), isThere)
  if (otherwise !== undefined) return `${missing}, but ${otherwise}. ${nothing}.`
  const hidden = hiddenThere(text, inItsEnds(find), place, effort)
  if (hidden !== undefined)
    return `${missing}, character by character: line ${hidden.line} has ${hidden.says}. ${nothing}.`
  const near = quotes ? nearestLine(text, find) : undefined
  const meant = near === undefined ? `read the ${noun} again` : saidOfLine(near, find)
  return `${missing}, character by character. ${nothing}: ${meant}.`
}

/** The nearest line, with what in it only looks like the text to find written out. */
function saidOfLine(
  { number, line }: { readonly number: number; readonly line: string },
  find: string
): string {
  const shown = find.includes('\r') ? line : line.replace(/\r$/, '')
  const otherwise = otherwiseIn(shown.slice(0, MOST_COMPARED), find.slice(0, MOST_COMPARED))
  const is = `line ${number} is ${withParts(quotedPart(shown), otherwise, beyondAscii)}`
  return otherwise.size === 0
    ? is
    : `${is}, which has ${kindsOf(otherwise)}: find it with these escapes of JSON`
}
