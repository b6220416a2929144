import { parseEnv } from 'node:util'
import type { Settings } from '../load.ts'
import { isOurs } from '../meant-variable.ts'
import type { InLine } from '../misspelt.ts'
import { isPolicy } from '../policies.ts'
import { factsOf, type Variable, variables } from '../schema.ts'
import { shownPath } from '../shown.ts'
import { readSmallFile } from '../small-file.ts'
import { cutIn } from './cut-values.ts'
import { settingsIn } from './file-settings.ts'
import { type LostLine, lostLines } from './lost-lines.ts'
import type { Said } from './said.ts'

/**
 * Reports a file .env with variables of this service that are not set. People expect it to be read, because some
 * programs read such files by themselves.
 * @param decided the settings from all sources
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

/** The settings in the files of Node's --env-file that do not reach this service. */
interface Unread {
  /** Variables of this service only, with which the service must not start. */
  readonly dropped: readonly Said[]
  /** Sentences on files that Node.js cannot read as intended. */
  readonly faults: readonly string[]
  /** Variables that other programs have, too, or that may be dropped on purpose: these are only reported. */
  readonly notes: readonly Said[]
  /** Settings under other names. */
  readonly others: readonly InLine[]
}

/**
 * Finds settings for this service in the files of Node's --env-file that Node.js drops without a message: because it
 * does not read their line or the rest of it, or because a later file or the environment has the name, too, even if
 * with an empty value.
 * @param flags the flags of Node.js
 * @param env the environment of the process, with what Node.js has read from the files
 * @param decided the settings from all sources; variables that have their value from elsewhere are not
 *   reported
 * @returns each variable once, without its value
 */
export async function unreadOfEnvFiles(
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
  decided: Settings
): Promise<Unread> {
  const paths = envFilesIn(flags)
  const texts = await Promise.all(paths.map(path => readSmallFile(path).catch(unreadable)))
  const files = texts.map((text, at) => ({ text, file: `the file ${shownPath(paths[at]!)}` }))
  const faults = files.flatMap(({ text, file }) =>
    text instanceof RangeError ? [`In --env-file, ${file} cannot be read: ${text.message}.`] : []
  )
  const readable = files.filter((one): one is EnvFile => typeof one.text === 'string')
  const lost = readable.flatMap(({ text, file }, at) => [
    ...linesLost(text, file),
    ...settingsEmptied(text, file, readable.slice(at), env, decided)
  ])
  const ours = new Map<Variable, Said>()
  const others: InLine[] = []
  for (const { name: written, value, says, stands, mayBeMeant, hasSign } of lost) {
    const name = variables.find(variable => variable === written)
    if (name === undefined && !mayBeMeant && hasSign) others.push({ written, value, stands })
    if (name === undefined || decided[name] !== undefined || ours.has(name)) continue
    ours.set(name, { name, says, isSure: isOurs(name) && !mayBeMeant })
  }
  const all = [...ours.values(), ...readable.flatMap(({ text, file }) => cutIn(text, file, decided))]
  return {
    dropped: all.filter(({ isSure }) => isSure),
    faults,
    notes: all.filter(({ isSure }) => !isSure),
    others
  }
}

/** A file of --env-file that Node.js reads as intended. */
interface EnvFile {
  readonly text: string
  /** The file, in words. */
  readonly file: string
}

/** A setting of a file that does not reach this service. */
interface Lost extends Pick<LostLine, 'name' | 'value' | 'hasSign'> {
  /** A sentence that says so of a variable of this service, without its value. */
  readonly says: string
  /** Where it is (InLine.stands). */
  readonly stands: string
  /** Whether somebody may have meant it not to. */
  readonly mayBeMeant: boolean
}

const linesLost = (text: string, file: string): Lost[] =>
  lostLines(text).map(line => ({
    ...line,
    says: notRead(line, file),
    stands: standsIn(line, file),
    mayBeMeant: line.isOfBlock
  }))

/**
 * The settings that another line, a later file or the environment has with an empty value: that wins, and counts as not
 * set. A later file does so on purpose, and so may the environment, which may however be filled in from what is not
 * there.
 * @param since the file of that text, and the later ones
 */
const settingsEmptied = (
  text: string,
  file: string,
  since: readonly EnvFile[],
  env: NodeJS.ProcessEnv,
  decided: Settings
): Lost[] =>
  settingsIn(text)
    .filter(({ name, value }) => value !== '' && env[name]?.trim() === '')
    .map(({ name, value, number }) => {
      const emptying = since.find(({ text }) => parseEnv(text)[name]?.trim() === '')?.file
      const where = emptying === file ? 'in another line of it' : `in ${emptying ?? 'the environment'}`
      const place = `is set in line ${number} of ${file}, and empty ${where}, which wins: take it out there, or out of this file.`
      return {
        name,
        value,
        hasSign: true,
        says: `${name} is not read: it ${place}`,
        stands: `It ${place}`,
        mayBeMeant: emptying !== undefined || !weighs(name, decided)
      }
    })

/** Whether tokens go elsewhere, or callers may do more, without a variable; of a name that is none, nothing is known. */
function weighs(written: string, decided: Settings): boolean {
  const name = variables.find(variable => variable === written)
  if (name === undefined || name === 'FORGE_API_URL') return true
  return isPolicy(name, decided) || factsOf(name).writeOnly === true
}

const marksBefore =
  'within quotation marks that begin before it: close them in their line, or, if these lines belong to another program, put a line break right after the opening quotation mark and one right before the closing one.'

const notRead = ({ name, number, place, isSetting }: LostLine, file: string): string =>
  `${name} is not read: ${
    {
      alone: isSetting
        ? `line ${number} of ${file} is taken for a part of the line before, which must not end in = and blanks, nor in a carriage return alone.`
        : `line ${number} of ${file} must be NAME=value in a line of its own.`,
      within: `line ${number} of ${file} is ${marksBefore}`,
      behind: `in line ${number} of ${file} it stands behind a value in quotation marks, where nothing is read: give it a line of its own.`,
      after: `in line ${number} of ${file} it is a part of the value before it: give it a line of its own; if it belongs there, put that value in quotation marks.`
    }[place]
  }`

const standsIn = ({ number, place }: LostLine, file: string): string =>
  `It is in line ${number} of ${file}${place === 'within' ? `, ${marksBefore}` : '.'}`

/** The error of a file that Node.js reads differently than intended; an empty text for a file that does not exist. */
const unreadable = (error: unknown): RangeError | string =>
  error instanceof RangeError && /UTF-16/.test(error.message) ? error : ''

/** The paths in --env-file and --env-file-if-exists, which NODE_OPTIONS may not contain. */
const envFilesIn = (flags: readonly string[]): string[] =>
  flags.flatMap((flag, at) => {
    const [isFile, path] = /^--env-file(?:-if-exists)?(?:=(.*))?$/s.exec(flag) ?? []
    if (isFile === undefined) return []
    return path === undefined ? flags.slice(at + 1, at + 2) : [path]
  })
