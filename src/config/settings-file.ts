import { nearest } from '../base/nearest.ts'
import { byAbbreviation } from './abbreviations.ts'
import type { Settings } from './load.ts'
import { type Config, type Variable, variables } from './schema.ts'
import { isHarmless, namedPath, shownValue } from './shown.ts'
import { readSmallFile } from './small-file.ts'

/*
 * Settings that may change while the service runs: how much is logged, and what is allowed. The environment of a
 * process cannot change, so they are in a file, FORGE_SETTINGS_PATH.
 */

/** Variables that decide which tools are offered and what they may do. */
export const policyVariables: readonly Variable[] = [
  'FORGE_TOOLSETS',
  'USE_PIPELINE',
  'FORGE_TOOLS',
  'FORGE_DENIED_TOOLS_REGEX',
  'FORGE_READ_ONLY_MODE',
  'FORGE_CONFIRM',
  'FORGE_ALLOWED_PROJECT_IDS',
  'FORGE_DENY_SECRET_VALUES'
]

/** Variables that may be set in the file. All others configure objects that exist for as long as the process does. */
export const changeable: readonly Variable[] = ['LOG_LEVEL', ...policyVariables]

/** The values of those variables that may be set in the file, for the log: none of them is a secret. */
export const valuesOf = (config: Config, names: readonly Variable[]) =>
  Object.fromEntries(
    names.filter(name => changeable.includes(name)).map(name => [name, shownValue(config[name])])
  )

/** The settings in a text, and what is wrong with it. */
interface SettingsRead {
  readonly settings: Settings
  readonly faults: readonly string[]
}

/** The same for a file, with notes on it. */
interface SettingsFileRead extends SettingsRead {
  readonly notes: readonly string[]
}

/**
 * Reads a file of `NAME=value` lines; blank lines and lines that begin with # are skipped. A name without a value gets
 * its default, whatever the environment says.
 * @param given the settings without those in the file
 * @param known the settings that were loaded before, if the file is read again
 */
export async function readSettingsFile(
  path: string,
  given: Settings,
  known: Settings | undefined
): Promise<SettingsFileRead> {
  const refused = (fault: string) => ({
    settings: {},
    faults: [`FORGE_SETTINGS_PATH${namedPath(path)} ${fault}`],
    notes: []
  })
  try {
    const text = await readSmallFile(path)
    // After a full disk, or while a program writes the file in place, it may be empty, or its last line may lack the
    // line end.
    if (text.trim() === '')
      return refused('is empty: a line that begins with # says that nothing is to be set.')
    const read = parseSettings(text)
    if (/[\r\n]$/.test(text)) return { ...read, notes: [] }
    if (known === undefined)
      return {
        ...read,
        notes: [
          `FORGE_SETTINGS_PATH: the last line of ${shownValue(path)} has no line break, so the file may be cut short.`
        ]
      }
    // Nothing shows whether the last value is complete, or whether more lines were to follow.
    const cut = `FORGE_SETTINGS_PATH${namedPath(path)} has changed and may be cut short, as its last line has no line break: end it with one.`
    return {
      ...read,
      faults: differs(read.settings, given, known) ? [...read.faults, cut] : read.faults,
      notes: []
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return refused(`cannot be read (${code ?? message}).`)
  }
}

/** Whether a file sets something to a value that is not in use. */
const differs = (read: Settings, given: Settings, known: Settings): boolean =>
  changeable.some(name => (read[name] ?? given[name] ?? '') !== (known[name] ?? ''))

/** Parses the text of a settings file. */
export function parseSettings(text: string): SettingsRead {
  const settings: Settings = {}
  const faults: string[] = []
  const wrong = (line: number, why: string) => faults.push(`FORGE_SETTINGS_PATH, line ${line}: ${why}`)
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name, value] = /^\s*(?:export\s+)?(\w+)\s*=(.*)$/.exec(line) ?? []
    const variable = changeable.find(known => known === name)
    if (variable === undefined || value === undefined) wrong(at + 1, faultOf(line, name))
    else if (variable in settings) wrong(at + 1, `${name} is there twice.`)
    else if (/\s#/.test(value)) wrong(at + 1, 'a comment needs a line of its own.')
    else if (isHalfQuoted(value.trim()))
      wrong(at + 1, `${name} begins with a quotation mark and does not end with it.`)
    else settings[variable] = unquoted(value.trim())
  }
  return { settings, faults }
}

/** What is wrong with a line that sets nothing. @param name the text before its =; undefined if there is none */
function faultOf(line: string, name: string | undefined): string {
  if (name === undefined)
    return /^[\s{"]*\w+"?\s*:/.test(line)
      ? 'it must be NAME=value, with = in place of the colon.'
      : 'it must be NAME=value.'
  if (variables.some(known => known === name)) return `${name} is read at the start alone: set it there.`
  // Variables of this file come first: of two equally similar names, one of these is meant.
  const meant = byAbbreviation(name.toUpperCase()) ?? nearest(name, [...changeable, ...variables])
  const hint = meant === undefined ? `${changeable.join(', ')} may stand here` : `${meant} may be meant`
  const said = meant !== undefined || isHarmless(name) ? name : 'what stands before the ='
  return `${said} is no variable of this service: ${hint}.`
}

/** Whether the closing quotation mark is missing: a part of the value may be missing, too. */
const isHalfQuoted = (value: string): boolean => /^["']/.test(value) && !/^(["']).*\1$/.test(value)

/** Removes quotation marks, which environment files often have. */
const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value
