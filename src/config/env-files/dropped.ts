import { seenOf } from '../misspelt.ts'
import type { Variable } from '../schema.ts'
import { namedIn } from './named-in.ts'
import { type EnvFileLine, readingOf } from './reading.ts'

interface Said {
  readonly name: Variable
  /** A sentence, without the value. */
  readonly says: string
}

/** A variable of this service that an env file names where Node.js does not read it. */
export interface Dropped extends Said {
  /** Whether it may be of another program, as the text of a script is. */
  readonly mayBeMeant: boolean
}

/**
 * Finds what an env file sets for this service and Node.js drops, or takes for a part of a value. Of what is within a
 * value, only a line NAME=value counts: JSON and YAML there name variables for others.
 * @param text of the file
 * @param file how the file is called
 */
export function droppedIn(text: string, file: string): Dropped[] {
  const { settings, lines } = readingOf(text)
  // A byte order mark is told of by the name that it makes.
  const names = new Set([...settings.keys()].map(seenOf))
  return lines
    .flatMap(line => {
      const mayBeMeant = isOfBlock(line, lines)
      return [...ofLine(line, lines, file), ...behindValue(line, file)].map(one => ({ ...one, mayBeMeant }))
    })
    .filter(({ name }) => !names.has(name))
}

/** Whether a line is of a value in quotation marks whose last mark has a line for itself. */
function isClosedAlone({ within, isQuoted }: EnvFileLine, lines: readonly EnvFileLine[]): boolean {
  if (within === undefined || !isQuoted) return false
  const last = lines.findLast(line => line.within === within)
  return last !== undefined && /^\s*["'`]\s*(?:#.*)?$/.test(last.text)
}

/** Whether a line is of a value that is meant to have several: the first mark, too, ends its line. */
const isOfBlock = (line: EnvFileLine, lines: readonly EnvFileLine[]): boolean =>
  isClosedAlone(line, lines) && /=[ \t]*["'`]\s*$/.test(lines[line.within! - 1]!.text)

/**
 * What a file of variables names as YAML does, with a colon, and Node.js leaves out.
 * @returns values by name, without comments behind them; also of other programs
 */
export const withColons = (text: string): NodeJS.ProcessEnv =>
  Object.fromEntries(
    readingOf(text)
      .lines.filter(({ within }) => within === undefined)
      .flatMap(line => {
        const [, name, value] = /^\s*([a-z_]\w*)\s*:\s*(\S.*)$/i.exec(line.text) ?? []
        return name === undefined ? [] : [[name, value!.replace(/\s#.*$/, '')]]
      })
  )

function ofLine(line: EnvFileLine, lines: readonly EnvFileLine[], file: string): Said[] {
  const { number, text, within, isQuoted } = line
  const name = within === undefined || assignment.test(text) ? namedIn(text) : undefined
  if (name === undefined) return []
  const is =
    within === undefined
      ? 'is not NAME=value with the name alone before the =, as Node.js reads it'
      : isQuoted
        ? `is within the quotation marks that begin in line ${within}: close them there${isClosedAlone(line, lines) ? ', or break the line behind the first mark if these lines are of another program' : ''}`
        : `is taken for a part of the value that begins in line ${within}: leave no blanks behind the = there, and end lines as on Linux`
  return [{ name, says: `${name} is not read: line ${number} of ${file} ${is}.` }]
}

/** What stands behind the quotation marks of a value, which Node.js leaves out. */
function behindValue({ number, rest }: EnvFileLine, file: string): Said[] {
  const name = assignment.test(rest) ? namedIn(rest) : undefined
  return name === undefined
    ? []
    : [
        {
          name,
          says: `${name} is not read: it stands behind another value in line ${number} of ${file}. Give it a line of its own.`
        }
      ]
}

/** A line that begins with a name and =, also as shells and Docker take it. */
const assignment = /^\s*(?:(?:export|declare|typeset|set|env)\s+)?(?:-\w+\s+)?\w+\s*=/i
