import { parseEnv } from 'node:util'
import type { Settings } from '../load.ts'
import { isOurs } from '../meant-variable.ts'
import { type Variable, variables } from '../schema.ts'
import { shownPath } from '../shown.ts'
import { readSmallFile } from '../small-file.ts'
import { type LostLine, lostLines } from './lost-lines.ts'

/**
 * Reports a file .env with variables of this service that are not set, because some programs read such files by
 * themselves.
 * @param decided the settings, from wherever they are
 */
export async function envFileUnread(path: string, decided: Settings): Promise<string[]> {
  const text = await readSmallFile(path).catch(() => '')
  const settings = parseEnv(text)
  const lost = variables.filter(
    name => isOurs(name) && decided[name] === undefined && (settings[name] ?? '') !== ''
  )
  return lost.length === 0
    ? []
    : [
        `The file ${path} is there, and is not read by itself: give it to Node.js, as in node --env-file=${path}. It sets ${lost.join(', ')}.`
      ]
}

interface Said {
  readonly name: Variable
  /** A sentence, without the value. */
  readonly says: string
}

/** What the files of Node's --env-file set that nobody reads. */
interface Unread {
  /** With which the service must not start, as no other program has these variables. */
  readonly dropped: readonly Said[]
  /** Files that Node.js cannot read as they are meant: a sentence for each. */
  readonly faults: readonly string[]
  /** What only has to be told, as others have the variables, too. */
  readonly notes: readonly Said[]
  /** What is there under other names: values by name. */
  readonly others: NodeJS.ProcessEnv
}

/**
 * Finds what the files of Node's --env-file name for this service and Node.js drops without a word.
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
  const lines = files.flatMap(({ text, file }) =>
    typeof text === 'string' ? lostLines(text).map(line => ({ ...line, file })) : []
  )
  const ours = new Map<Variable, Said & { isSure: boolean }>()
  const others: NodeJS.ProcessEnv = {}
  for (const line of lines) {
    const name = variables.find(variable => variable === line.name)
    if (name === undefined && !line.isOfBlock) others[line.name] ??= line.value
    if (name === undefined || decided[name] !== undefined || ours.has(name)) continue
    ours.set(name, { name, says: notRead(line), isSure: isOurs(name) && !line.isOfBlock })
  }
  const all = [...ours.values()]
  return {
    dropped: all.filter(({ isSure }) => isSure),
    faults,
    notes: all.filter(({ isSure }) => !isSure),
    others
  }
}

const notRead = ({ name, number, file, isWithin }: LostLine & { file: string }): string =>
  `${name} is not read: line ${number} of ${file} ${
    isWithin
      ? 'is within quotation marks that begin before it: close them in their line, or, if these lines belong to another program, put a line break right after the opening quotation mark and one right before the closing one.'
      : 'must be NAME=value, with nothing before the name, no blanks behind the = of the line before, and line ends as on Linux.'
  }`

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
