import { isHidden } from '../../../src/results/character-kinds.ts'
import { cleanSource } from '../../../src/results/clean.ts'
import { escaped } from '../../../src/results/escaped.ts'
import { afterNewlines, newlinesIn } from '../../../src/results/newlines.ts'
import { MAX_EDITED_CHARS } from './file-actions.ts'
import { type Effort, occurrences, passOver, spend } from './occurrences.ts'

/** What is left out of a text where it is read, in the lines of a text that is found in what is shown. */
interface HiddenThere {
  /** The first of those lines, from 1. */
  readonly line: number
  /** What is there, and what to do, as the end of a sentence. */
  readonly says: string
}

/** Most kinds of characters that are named. */
const MOST_NAMED = 3

/**
 * Why what was read of a text is not in it: a result leaves out what nobody sees, and passwords in URLs.
 * @param text of a file, or another one
 * @param find what is not in it, with its line ends
 * @param of what is read to see it, and the argument that has what is to be found
 * @returns undefined where it is not in what is shown of it, either, or no edit of so long a text is taken
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
  // No line feed is hidden, so that the lines of both have the same numbers.
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
 * The first hidden characters of a text that are not in what is shown of it: there they stay where others need them. Both
 * are compared as they are, as the lines of a text may be all of a file.
 */
function leftOut(text: string, shown: string): readonly string[] {
  const codes: number[] = []
  let beside = 0
  for (let at = 0; at < text.length && codes.length < MOST_NAMED; at++) {
    const code = characterAt(text, at)
    if (code > 0xffff) at++
    if (code === characterAt(shown, beside)) beside += code > 0xffff ? 2 : 1
    else if (!codes.includes(code) && isHidden(code)) codes.push(code)
  }
  return codes.map(code => String.fromCodePoint(code))
}

/** The same as codePointAt, which takes several times as long, with no number at the end of the text. */
function characterAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit < 0xdc00 ? text.codePointAt(at)! : unit
}
