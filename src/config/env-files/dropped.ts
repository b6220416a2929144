import { seenOf } from '../misspelt.ts'
import type { Variable } from '../schema.ts'
import { namedIn } from './named-in.ts'
import { type Line, readingOf } from './reading.ts'

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
      return [...ofLine(line, file), ...behindValue(line, file)].map(one => ({ ...one, mayBeMeant }))
    })
    .filter(({ name }) => !names.has(name))
}

/**
 * Whether a line is of a value that is meant to have several: one mark ends the line in which it begins, and the other
 * has a line for itself.
 */
function isOfBlock({ within, isQuoted }: Line, lines: readonly Line[]): boolean {
  if (within === undefined || !isQuoted || !/=[ \t]*["'`]\s*$/.test(lines[within - 1]!.text)) return false
  const last = lines.findLast(line => line.within === within)
  return last !== undefined && /^\s*["'`]\s*(?:#.*)?$/.test(last.text)
}

function ofLine({ number, text, within, isQuoted }: Line, file: string): Said[] {
  const name = within === undefined || assignment.test(text) ? namedIn(text) : undefined
  if (name === undefined) return []
  const is =
    within === undefined
      ? 'is not NAME=value with the name alone before the =, as Node.js reads it'
      : isQuoted
        ? `is within the quotation marks that begin in line ${within}: close them there`
        : `is taken for a part of the value that begins in line ${within}: leave no blanks behind the = there, and end lines as on Linux`
  return [{ name, says: `${name} is not read: line ${number} of ${file} ${is}.` }]
}

/** What stands behind the quotation marks of a value, which Node.js leaves out. */
function behindValue({ number, rest }: Line, file: string): Said[] {
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
