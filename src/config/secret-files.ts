import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { certificatesFault } from '../upstream/connections/tls.ts'
import { ConfigError } from './config-error.ts'
import { checkSettings, type Settings } from './load.ts'
import { notesOn } from './notes.ts'
import { type Config, factsOf, type Variable, variables } from './schema.ts'
import { changeable, readSettingsFile } from './settings-file.ts'
import { isHarmless } from './shown.ts'
import { readSmallFile } from './small-file.ts'

/*
 * Secrets in files, as orchestrators mount them: `<NAME>_FILE` names the file of the secret `<NAME>`. More programs can
 * see an environment than a file, and an environment does not change while a process runs.
 */

/**
 * Most readings until two are the same: if several files are replaced together, old and new contents must not be mixed.
 */
const MAX_READINGS = 5

/** The secrets, each of which may be in a file. */
export const secrets: readonly Variable[] = variables.filter(variable => factsOf(variable).writeOnly === true)

/**
 * Secrets that keep their value if their files disappear while the service runs. The proxies are only read at the
 * start.
 */
const lasting: readonly Variable[] = [
  'FORGE_PERSONAL_ACCESS_TOKEN',
  'FORGE_OAUTH_APP_SECRET',
  'OAUTH_STATELESS_SECRET'
]

/**
 * Secrets that keep their value only if another one has disappeared as well. A rotation ends by removing
 * OAUTH_STATELESS_SECRET_PREVIOUS. But if the key is missing, too, nobody has removed the previous one on purpose: the
 * mount has lost its files.
 */
const lastingBeside: Partial<Record<Variable, Variable>> = {
  OAUTH_STATELESS_SECRET_PREVIOUS: 'OAUTH_STATELESS_SECRET'
}

/**
 * The value that a secret keeps if it disappears now. @param gone the secrets that have disappeared @param known as in
 * Loading
 */
const lastingValue = (secret: Variable, gone: ReadonlyMap<Variable, unknown>, known: Settings = {}) =>
  lasting.includes(secret) || gone.has(lastingBeside[secret]!) ? known[secret] : undefined

/** The variable that names the file of a secret. */
export const fileOf = (secret: Variable): Variable => `${secret}_FILE` as Variable

/** The variables that name a missing or empty file: either the secret is not set, or the path is wrong. */
export const withoutFile = (config: Config): Variable[] =>
  secrets.filter(secret => config[fileOf(secret)] && config[secret] === '').map(fileOf)

/** Reports which value is used for secrets that are set in both ways. That is no error if the file is empty. */
const fileNotes = (given: Settings): string[] =>
  secrets
    .filter(secret => given[secret] !== undefined && given[fileOf(secret)] !== undefined)
    .map(
      secret =>
        `${secret} and ${fileOf(secret)} are both set, and the file is not there, or empty: ${secret} counts.`
    )

/** The settings with those from files, and the configuration that results. */
export interface Loaded {
  /** The variables as they were given, without those from files. */
  readonly given: Settings
  readonly settings: Settings
  readonly config: Config
  /** Notes for the operator: on the configuration, or on the changed part of it, and on the files. */
  readonly notes: readonly string[]
  /** Sentences on secrets that have disappeared from their files and keep their known value. */
  readonly kept: readonly string[]
}

/** Options for loading settings. */
interface Loading {
  /** Problems found before. */
  readonly problems?: readonly string[]
  /** As for `checkSettings`. */
  readonly tools?: readonly string[] | undefined
  /** The settings that were loaded before, if they are loaded again. */
  readonly known?: Settings
}

/** The variables that may be in files, and so may change later. */
const inFiles: readonly Variable[] = [...secrets, ...changeable]

/** The contents of files, with all other settings; not checked yet. */
interface FromFiles extends Omit<Loaded, 'config'> {
  readonly faults: readonly string[]
}

/**
 * Reads the secrets in files and the settings of FORGE_SETTINGS_PATH, and checks everything together. A file that is
 * empty, or missing in a folder that exists, means that the secret is not set: a mounted Secret need not have every
 * key.
 * @param given settings without those from files
 * @throws ConfigError, without any content of a file
 */
export const loadSettings = async (given: Settings, loading: Loading = {}): Promise<Loaded> =>
  checkFiles(await readFiles(given, loading.known), loading)

/** The first half of loadSettings. @param known as in Loading */
export async function readFiles(given: Settings, known: Settings | undefined): Promise<FromFiles> {
  let last = await read(given, known)
  for (let turn = 1; turn < MAX_READINGS; turn++) {
    const { settings } = last
    last = await read(given, known)
    if (differing(last.settings, settings).length === 0) break
  }
  return { given, ...last }
}

/** The variables that may be in files and differ between two settings. */
export const differing = (some: Settings, others: Settings): Variable[] =>
  inFiles.filter(variable => some[variable] !== others[variable])

/** The second half of loadSettings. @throws as loadSettings */
export function checkFiles(
  { given, settings, faults, notes, kept }: FromFiles,
  { problems = [], tools, known }: Loading
): Loaded {
  try {
    const isAgain = known !== undefined
    const atStart = isAgain ? [] : startFaults(settings)
    const config = checkSettings(settings, [...problems, ...faults, ...atStart], tools, isAgain)
    const changed = known && differing(settings, known)
    const ofConfig = notesOn(config, tools, changed)
    const ofFiles = changed === undefined ? fileNotes(given) : []
    return { given, settings, config, notes: [...ofConfig, ...notes, ...ofFiles], kept }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw withFiles(new ConfigError([...kept, ...error.problems]), given, settings)
  }
}

/** Faults of the file that is only read at the start. Later changes to it must not keep secrets from being rotated. */
function startFaults({ FORGE_CA_CERT_PATH: path }: Settings): readonly string[] {
  const fault = path === undefined ? undefined : certificatesFault(path)
  return fault === undefined ? [] : [fault]
}

/**
 * Adds the source of a value to a problem. A value from FORGE_SETTINGS_PATH is reported as such, because the variable
 * of that name may be right. For a secret, its file is named, or that the file is missing, which is no error by itself.
 */
function withFiles({ problems }: ConfigError, given: Settings, settings: Settings): ConfigError {
  const inFile = changeable.filter(name => settings[name] !== given[name])
  const placed = problems.map(problem =>
    inFile.some(name => problem.startsWith(`${name} `)) ? `FORGE_SETTINGS_PATH: ${problem}` : problem
  )
  const filed = secrets
    .filter(secret => given[fileOf(secret)] !== undefined)
    .filter(secret => given[secret] === undefined)
    .filter(secret => problems.some(problem => new RegExp(`\\b${secret}\\b`).test(problem)))
    .filter(secret => !problems.some(problem => problem.includes(fileOf(secret))))
  const says = (secret: Variable) =>
    isSecretItself(given[fileOf(secret)]!)
      ? `${fileOf(secret)} must be the path of a file: the secret itself goes in ${secret}.`
      : settings[secret] === undefined
        ? `${fileOf(secret)} names a file that is not there, or an empty one: ${secret} is not set.`
        : `${secret} is what the file of ${fileOf(secret)} holds.`
  return new ConfigError([...placed, ...filed.map(says)])
}

/** The path of a file, to follow its variable; empty if it looks like a secret, or like a URL with one. */
const namedHarmless = (path: string): string => (isHarmless(path) && !/:\/\/|@/.test(path) ? `: ${path}` : '')

/** Whether a text in place of a path is probably a secret: a word that could be one, without a slash or a dot. */
const isSecretItself = (path: string): boolean => !/[/\\.]/.test(path) && !isHarmless(path)

async function read(given: Settings, known: Settings | undefined): Promise<Omit<FromFiles, 'given'>> {
  const settings: Settings = { ...given }
  const faults: string[] = []
  const kept = new Map<Variable, string>()
  let notes: readonly string[] = []
  if (given.FORGE_SETTINGS_PATH !== undefined) {
    const file = await readSettingsFile(given.FORGE_SETTINGS_PATH, given, known)
    faults.push(...file.faults)
    notes = file.notes
    // The file wins: a value in the environment, which cannot change, must not keep a setting from changing.
    for (const [name, value] of Object.entries(file.settings) as [Variable, string][]) {
      if (value === '') delete settings[name]
      else settings[name] = value
    }
  }
  // The key comes before the previous key, as among the variables.
  for (const secret of secrets.filter(secret => given[fileOf(secret)] !== undefined)) {
    const before = lastingValue(secret, kept, known)
    const { content, fault, gone } = await readSecret(secret, given[fileOf(secret)]!, given, before)
    if (fault !== undefined) faults.push(fault)
    else if (content !== '') settings[secret] = content
    if (gone !== undefined) kept.set(secret, gone)
  }
  return { settings, faults, notes, kept: [...kept.values()] }
}

/**
 * Reads the file of a secret.
 * @param before the value to keep if the file is gone; undefined for none
 * @returns its content, and what is wrong with it; or the known content, and a sentence that the file is gone
 */
async function readSecret(
  secret: Variable,
  path: string,
  given: Settings,
  before: string | undefined
): Promise<{ content: string; fault?: string; gone?: string }> {
  const file = fileOf(secret)
  try {
    const content = await contentOf(path)
    if (content !== '' && given[secret] !== undefined)
      return { content, fault: `${secret} and ${file} exclude each other: unset one of them.` }
    if (content !== '' || given[secret] !== undefined || before === undefined) return { content }
    const gone = `${file} names a file that is gone, or empty by now: bring it back. The value before stays in use until a restart.`
    return { content: before, gone }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { content: '', fault: `${file}${namedHarmless(path)} cannot be read (${code ?? message}).` }
  }
}

/** The content of a file without the newline that editors add. @throws as `readSmallFile` */
async function contentOf(path: string): Promise<string> {
  try {
    return (await readSmallFile(path)).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await stat(dirname(path))
    return ''
  }
}
