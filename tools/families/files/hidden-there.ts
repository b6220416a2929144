import { isHidden } from '../../../src/results/character-kinds.ts'
import { cleanSource } from '../../../src/results/clean.ts'
import { escaped } from '../../../src/results/escaped.ts'
import { afterNewlines, newlinesIn } from '../../../src/results/newlines.ts'
import { MAX_EDITED_CHARS } from './file-actions.ts'
import { type Effort, occurrences, passOver, spend } from './occurrences.ts'

/** Characters that results leave out, in the lines of a text where the wanted text would otherwise match. */
interface HiddenThere {
  /** Number of the first of those lines, counted from 1. */
  readonly line: number
  /** What those lines contain and what the caller can do, as the end of a sentence. */
  readonly says: string
}

/** How many hidden characters are named at most. */
const MAX_NAMED = 3

/**
 * Explains why a text that a caller has read in a result is not in the stored text: results leave out invisible
 * characters, and passwords in URLs.
 * @param text the stored text, of a file or an issue
 * @param find the text that was not found, with the line ends of the stored text
 * @param of the noun for the stored text, and the argument that has the text to find
 * @returns undefined if the text is not in the shown form either, or if the stored text is too long to be edited
 * @throws CallProblem when the effort is used up
 */
export function hiddenThere(
  text: string,
  find: string,
  of: { readonly noun: string; readonly argument: string },
  effort: Effort
): HiddenThere | undefined {
  const { noun, argument } = of
  if (text.length > MAX_EDITED_CHARS) return undefined
  spend(effort, passOver(text))
  const shown = cleanSource(text)
  if (shown === text) return undefined
  const [at] = occurrences(shown, find, effort)
  if (at === undefined) return undefined
  // No line feed is hidden, so both texts number their lines alike.
  const above = newlinesIn(shown, 0, at)
  const lines = newlinesIn(find, 0, find.length - 1) + 1
  const linesOf = (whole: string) => {
    const start = afterNewlines(whole, above)
    return whole.slice(start, afterNewlines(whole, lines, start))
  }
  const named = leftOut(linesOf(text), linesOf(shown))
  if (named.length === 0)
    return {
      line: above + 1,
      says: `a password in a URL, which is left out where the ${noun} is read: find what is before or behind that URL`
    }
  const escapes = named.map(escaped).join(' ')
  return {
    line: above + 1,
    says: `invisible characters, which are left out where the ${noun} is read: find what is before or behind them, or write them in ${argument} as escapes of JSON (${escapes})`
  }
}

/**
 * The first characters that are hidden in the shown text. Characters that are shown because others need them are
 * skipped. The two texts are compared in place, without copies: their lines may be the whole file.
 */
function leftOut(text: string, shown: string): readonly string[] {
  const codes: number[] = []
  let beside = 0
  for (let at = 0; at < text.length && codes.length < MAX_NAMED; at++) {
    const code = characterAt(text, at)
    if (code > 0xffff) at++
    if (code === characterAt(shown, beside)) beside += code > 0xffff ? 2 : 1
    else if (!codes.includes(code) && isHidden(code)) codes.push(code)
  }
  return codes.map(code => String.fromCodePoint(code))
}

/** Like codePointAt, which is several times slower. At the end of the text it gives NaN. */
function characterAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit < 0xdc00 ? text.codePointAt(at)! : unit
}
