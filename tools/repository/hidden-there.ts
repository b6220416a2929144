import { cleanSource } from '../../src/results/clean.ts'
import { isHidden } from '../../src/results/hidden.ts'
import { type Effort, occurrences, passOver, spend } from '../families/files/occurrences.ts'

/** What is left out of a file where it is read, in the lines of a text that is found in what is shown. */
interface HiddenThere {
  /** The first of those lines, from 1. */
  readonly line: number
  /** What is there, and what to do, as the end of a sentence. */
  readonly says: string
}

/** Most characters that are named. */
const MOST_NAMED = 3

/**
 * Why a text that was read in a file is not in it: a result leaves out what nobody sees, and passwords in URLs.
 * @param text of the file
 * @param find what is not in it, with its line ends
 * @returns undefined where it is not in what is shown of the file, either
 * @throws CallProblem when the effort is used up
 */
export function hiddenThere(text: string, find: string, effort: Effort): HiddenThere | undefined {
  spend(effort, passOver(text))
  const shown = cleanSource(text)
  if (shown === text) return undefined
  const [at] = occurrences(shown, find, effort)
  if (at === undefined) return undefined
  // No line feed is hidden.
  const line = linesIn(shown.slice(0, at))
  const count = linesIn(find.replace(/\n$/, ''))
  const linesOf = (whole: string) =>
    whole
      .split('\n', line + count - 1)
      .slice(line - 1)
      .join('\n')
  const named = leftOut(linesOf(text), linesOf(shown))
  if (named.length === 0)
    return {
      line,
      says: 'a password in a URL, which is left out where the file is read: find what is before or behind that URL'
    }
  const escapes = named.slice(0, MOST_NAMED).map(escaped).join(' ')
  return {
    line,
    says: `invisible characters, which are left out where the file is read: find what is before or behind them, or write them in find as escapes of JSON (${escapes})`
  }
}

/** The hidden characters that a text has more of than what is shown of it: there they stay where others need them. */
function leftOut(text: string, shown: string): readonly string[] {
  const counts = new Map<string, number>()
  const count = (part: string, by: number) => {
    for (const char of part)
      if (char !== '\n' && isHidden(char.codePointAt(0)!)) counts.set(char, (counts.get(char) ?? 0) + by)
  }
  count(text, 1)
  count(shown, -1)
  return [...counts].flatMap(([char, more]) => (more > 0 ? [char] : []))
}

const linesIn = (text: string): number => text.split('\n').length

const escaped = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`
  ).join('')
