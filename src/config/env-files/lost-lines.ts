import { parseEnv } from 'node:util'
import { isComment, seenOf } from '../misspelt.ts'
import { namedIn } from './named-in.ts'

/** A line of an env file that names something which Node.js does not read there. */
export interface LostLine {
  readonly name: string
  readonly value: string
  /** As editors count, from one. */
  readonly number: number
  /** Whether the line is within a value of several lines. */
  readonly isWithin: boolean
  /** Whether that value is meant to have several, as the text of a script is: it may name variables for others. */
  readonly isOfBlock: boolean
}

/**
 * Finds what the lines of an env file name and Node.js drops without a word, or takes for a part of a value. Of what is
 * within a value, only a line NAME=value counts: JSON and YAML there name variables for others.
 * @param text of the file
 */
export function lostLines(text: string): LostLine[] {
  const settings = parseEnv(text)
  // A byte order mark is told of by the name that it makes.
  const names = new Set(Object.keys(settings).map(seenOf))
  const values = valuesByLine(settings)
  return text.split(/\r\n?|\n/).flatMap((line, at) => {
    if (isComment(line)) return []
    const within = keysOf(line)
      .map(key => values.get(key))
      .find(value => value !== undefined)
    const behind = behindMarks.exec(line)?.groups?.rest ?? ''
    return [within === undefined || assignment.test(line) ? line : '', assignment.test(behind) ? behind : '']
      .flatMap(place => namedIn(place) ?? [])
      .filter(({ name }) => !names.has(name))
      .map(found => ({
        ...found,
        number: at + 1,
        isWithin: within !== undefined,
        isOfBlock: within !== undefined && /^[ \t]*\n(?:.*\n)?[ \t]*$/s.test(within)
      }))
  })
}

/** Values that have several lines, by each of these but for the first, which has the name before it. */
const valuesByLine = (settings: NodeJS.Dict<string>): ReadonlyMap<string, string> =>
  new Map(
    Object.values(settings).flatMap((value = '') =>
      value
        .split('\n')
        .slice(1)
        .filter(line => line !== '')
        .map(line => [line, value] as const)
    )
  )

/**
 * What a line of a file may be in a value: all of it, what stands before the quotation mark that ends the value, and,
 * as Node.js makes a line break of \n within double marks, what stands before that.
 */
const keysOf = (line: string): string[] => [
  line,
  ...['"', "'", '`', '\\n'].map(end => line.split(end, 1)[0]!)
]

/** What stands behind a value in quotation marks, which Node.js leaves out. */
const behindMarks = /^[^=]*=[ \t]*(?<mark>["'`]).*?\k<mark>(?<rest>.*)$/

/** A line that begins with a name and =, also as shells and Docker take it. */
const assignment = /^\s*(?:(?:export|declare|typeset|set|env)\s+)?(?:-\w+\s+)?[\w.-]+\s*=/i
