import { parseEnv } from 'node:util'
import { isComment, seenOf } from '../misspelt.ts'
import { namedIn } from './named-in.ts'

/** A line of an env file with a setting that Node.js does not read. */
export interface LostLine {
  readonly name: string
  readonly value: string
  /** Counted from one, as in editors. */
  readonly number: number
  /** Whether the line is within a value of several lines. */
  readonly isWithin: boolean
  /**
   * Whether that value is intended to have several lines, as the text of a script has: it may contain variables of
   * other programs.
   */
  readonly isOfBlock: boolean
}

/**
 * Finds settings in the lines of an env file that Node.js drops without a message, or takes for a part of a value.
 * Within a value, only lines of the form NAME=value count: JSON and YAML there contain variables of other programs.
 * @param text of the file
 */
export function lostLines(text: string): LostLine[] {
  const settings = parseEnv(text)
  // A byte order mark shows in the name that begins with it, which is reported elsewhere.
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

/** Values with several lines, by each of their lines except the first, which has the name before it. */
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
 * The forms in which a line of the file may occur in a value: the whole line; the part before the quotation mark that
 * ends the value; and, because Node.js converts \n within double quotation marks to a line break, the part before that.
 */
const keysOf = (line: string): string[] => [
  line,
  ...['"', "'", '`', '\\n'].map(end => line.split(end, 1)[0]!)
]

/** Matches text after a value in quotation marks, which Node.js drops. */
const behindMarks = /^[^=]*=[ \t]*(?<mark>["'`]).*?\k<mark>(?<rest>.*)$/

/** Matches a line that begins with a name and =, also in the forms of shells and Docker. */
const assignment = /^\s*(?:(?:export|declare|typeset|set|env)\s+)?(?:-\w+\s+)?[\w.-]+\s*=/i
