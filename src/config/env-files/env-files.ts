import type { Settings } from '../load.ts'
import { isOurs } from '../meant-variable.ts'
import { type Variable, variables } from '../schema.ts'
import { shownPath } from '../shown.ts'
import { readSmallFile } from '../small-file.ts'
import { type Dropped, droppedIn, withColons } from './dropped.ts'
import { readingOf } from './reading.ts'

/**
 * Reports a file .env with variables of this service that are not set, because some programs read such files by
 * themselves.
 * @param decided the settings, from wherever they are
 */
export async function envFileUnread(path: string, decided: Settings): Promise<string[]> {
  const text = await readSmallFile(path).catch(() => '')
  const { settings } = readingOf(text)
  const lost = variables.filter(
    name => isOurs(name) && decided[name] === undefined && (settings.get(name) ?? '') !== ''
  )
  return lost.length === 0
    ? []
    : [
        `The file ${path} is there, and is not read by itself: give it to Node.js, as in node --env-file=${path}. It sets ${lost.join(', ')}.`
      ]
}

/** What the files of Node's --env-file set that nobody reads. */
interface Unread {
  /** With which the service must not start, as no other program has these variables. */
  readonly dropped: readonly Dropped[]
  /** Files that Node.js cannot read as they are meant: a sentence for each. */
  readonly faults: readonly string[]
  /** What only has to be told, as others have the variables, too. */
  readonly notes: readonly Dropped[]
  /** What is there under other names, with a colon in place of the =: values by name. */
  readonly others: NodeJS.ProcessEnv
}

/**
 * Finds what the files of Node's --env-file set for this service and Node.js drops without a word.
 * @param flags the flags of Node.js
 * @param decided the settings, from wherever they are: of a variable that is among them nothing is said
 * @returns each variable once, without its value
 */
export async function unreadOfEnvFiles(flags: readonly string[], decided: Settings): Promise<Unread> {
  const paths = envFilesIn(flags)
  const texts = await Promise.all(paths.map(path => readSmallFile(path).catch(unreadable)))
  const files = texts.map((text, at) => ({ text, file: `the file ${shownPath(paths[at]!)}` }))
  const faults = files.flatMap(({ text, file }) =>
    text instanceof RangeError ? [`In --env-file, ${file} cannot be read: ${text.message}.`] : []
  )
  const read = files.flatMap(({ text, file }) => (typeof text === 'string' ? [{ text, file }] : []))
  const found = new Map<Variable, Dropped>()
  for (const one of read.flatMap(({ text, file }) => droppedIn(text, file)))
    if (decided[one.name] === undefined && !found.has(one.name)) found.set(one.name, one)
  const colons = read.flatMap(({ text }) => Object.entries(withColons(text)))
  const others = Object.fromEntries(colons.filter(([name]) => !variables.some(ours => ours === name)))
  const all = [...found.values()]
  return {
    dropped: all.filter(isSure),
    faults,
    notes: all.filter(one => !isSure(one)),
    others
  }
}

/** Whether it was meant for this service and no other program. */
const isSure = ({ name, mayBeMeant }: Dropped): boolean => isOurs(name) && !mayBeMeant

/** What a file is that Node reads otherwise than it was meant; nothing for one that is not there. */
const unreadable = (error: unknown): RangeError | string =>
  error instanceof RangeError && /UTF-16/.test(error.message) ? error : ''

/** The paths that --env-file and --env-file-if-exists name, which NODE_OPTIONS may not hold. */
const envFilesIn = (flags: readonly string[]): string[] =>
  flags.flatMap((flag, at) => {
    const [isFile, path] = /^--env-file(?:-if-exists)?(?:=(.*))?$/s.exec(flag) ?? []
    if (isFile === undefined) return []
    return path === undefined ? flags.slice(at + 1, at + 2) : [path]
  })
