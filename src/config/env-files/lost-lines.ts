import { parseEnv } from 'node:util'
import { isComment, seenOf } from '../misspelt.ts'
import { settingStart } from './file-settings.ts'
import { namedIn } from './named-in.ts'

/** A line of an env file with a setting that Node.js does not read. */
export interface LostLine {
  readonly name: string
  readonly value: string
  /** Whether it cannot be a word of a sentence (named-in.ts). */
  readonly hasSign: boolean
  /** Whether it is written as Node.js reads it: then what stands before it is the fault. */
  readonly isSetting: boolean
  /** Counted from one, as in editors. */
  readonly number: number
  /**
   * Whether it is in its own line, within a value of several lines, behind the quotation mark that ends a value, or
   * behind a value without such marks, of which it is a part.
   */
  readonly place: 'alone' | 'within' | 'behind' | 'after'
  /**
   * Whether it is within a value that may be intended to contain it: one of several lines, such as the text of a script,
   * or a command.
   */
  readonly isOfBlock: boolean
}

/**
 * Finds settings in the lines of an env file that Node.js drops without a message, or takes for a part of a value.
 * Within a value or behind its end, only the form NAME=value counts: JSON and YAML there contain variables of other
 * programs.
 * @param text of the file
 */
export function lostLines(text: string): LostLine[] {
  const settings = parseEnv(text)
  // A byte order mark shows in the name that begins with it, which is reported elsewhere.
  const names = new Set(Object.keys(settings).map(seenOf))
  const values = valuesByLine(settings)
  return text.split(/\r\n?|\n/).flatMap((line, at) =>
    isComment(line)
      ? []
      : partsOf(line, values)
          .map(({ part, ...rest }) => ({
            found: namedIn(part),
            set: settingStart.exec(part)?.groups?.name,
            ...rest
          }))
          .flatMap(({ found, set, ...rest }) =>
            found === undefined || names.has(found.name)
              ? []
              : [{ ...found, ...rest, isSetting: set === found.name, number: at + 1 }]
          )
  )
}

type Part = Pick<LostLine, 'place' | 'isOfBlock'> & { readonly part: string }

/** The parts of a line that may contain a setting. @param values values with several lines, by each of their lines */
function partsOf(line: string, values: ReadonlyMap<string, string>): Part[] {
  const key = keysOf(line).find(key => values.has(key))
  const behind = behindMarks.exec(line)?.groups?.rest ?? ''
  const isOfBlock = key !== undefined && isBlock(values.get(key)!)
  const parts: readonly Part[] =
    key === undefined
      ? [
          { part: line, place: 'alone', isOfBlock },
          { part: behind, place: 'behind', isOfBlock },
          ...afterPlain(line).map(part => ({ part, place: 'after', isOfBlock: true }) as const)
        ]
      : [
          { part: line, place: 'within', isOfBlock },
          { part: behind, place: 'within', isOfBlock },
          { part: behindEnd(line, key), place: 'behind', isOfBlock: false }
        ]
  return parts.filter(({ part, place }) => place === 'alone' || assignment.test(part))
}

/** Whether a value begins and ends with a line break, apart from blanks. */
const isBlock = (value: string): boolean => /^[ \t]*\n(?:.*\n)?[ \t]*$/s.test(value)

/**
 * The text behind the end of a value and a blank or separator. Without one, the quotation mark may begin another value.
 */
const behindEnd = (line: string, key: string): string =>
  /^["'`][\s;,&|]+(?<rest>.*)$/.exec(line.slice(key.length))?.groups?.rest ?? ''

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
const behindMarks = /^[^=]*=[ \t]*(?<mark>["'`]).*?\k<mark>[\s;,&|]*(?<rest>.*)$/

/** Matches a value that is one word without quotation marks, and settings behind it, as in a line of a shell. */
const inShell = /^[^=]*=[ \t]*(?!["'`])[^\s;&#]*(?<rest>(?:[\s;&]+(?:export\s+)?[A-Z]\w*=[^\s;&#]*)+)/

/** The settings behind a value without quotation marks. A command that is a value has other words before them. */
const afterPlain = (line: string): readonly string[] =>
  inShell.exec(line)?.groups?.rest?.match(/(?<=[\s;&])(?:export\s+)?[A-Z]\w*=[^\s;&]*/g) ?? []

/** Matches a line that begins with a name and =, also in the forms of shells and Docker. */
export const assignment = /^\s*(?:(?:export|declare|typeset|set|env)\s+)?(?:-\w+\s+)?[\w.-]+\s*=/i
