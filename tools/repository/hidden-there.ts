import { cleanSource } from '../../src/results/clean.ts'
import { isHidden } from '../../src/results/hidden.ts'

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
 */
export function hiddenThere(text: string, find: string): HiddenThere | undefined {
  const shown = cleanSource(text)
  const at = shown.indexOf(find)
  if (at < 0) return undefined
  // No line feed is hidden.
  const line = linesIn(shown.slice(0, at))
  const lines = text.split('\n', line + linesIn(find.replace(/\n$/, '')) - 1).slice(line - 1)
  const there = lines.map(line => line.replace(/\r$/, '')).join('\n')
  const named = [...new Set(there)].filter(char => char !== '\n' && isHidden(char.codePointAt(0)!))
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

const linesIn = (text: string): number => text.split('\n').length

const escaped = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`
  ).join('')
