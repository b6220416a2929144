import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from './config-error.ts'
import { checkSettings, type Settings } from './load.ts'
import { type Config, factsOf, type Variable, variables } from './schema.ts'
import { changeable, readSettingsFile, type SettingsBefore } from './settings-file.ts'
import { readSmallFile } from './small-file.ts'

/*
 * Secrets that lie in files, as orchestrators mount them: `<NAME>_FILE` names the file of the secret `<NAME>`. What
 * stands in an environment is seen by more programs, and does not change while a process runs.
 */

/** Readings until two are alike: files that are exchanged together are not to be taken some old and some new. */
const MAX_READINGS = 5

/** The variables that may lie in files. */
export const secrets: readonly Variable[] = variables.filter(variable => factsOf(variable).writeOnly === true)

/** The variable that names the file of a secret. */
export const fileOf = (secret: Variable): Variable => `${secret}_FILE` as Variable

/** The variables that name a missing or empty file: the secret is not set, or the path is misspelt. */
export const withoutFile = (config: Config): Variable[] =>
  secrets.filter(secret => config[fileOf(secret)] && config[secret] === '').map(fileOf)

/** Reports which value counts for secrets that are set in both ways; that is no error if the file is empty. */
export const fileNotes = (given: Settings): string[] =>
  secrets
    .filter(secret => given[secret] !== undefined && given[fileOf(secret)] !== undefined)
    .map(
      secret =>
        `${secret} and ${fileOf(secret)} are both set, and the file is not there, or empty: ${secret} counts.`
    )

/** Variables with those that lie in files, and the configuration that they make. */
export interface Loaded {
  readonly settings: Settings
  readonly config: Config
}

/** What settings are loaded with. */
interface Loading {
  /** What was wrong before. */
  readonly problems?: readonly string[]
  /** As of `checkSettings`. */
  readonly tools?: readonly string[] | undefined
  /** What loading them gave before, where it is done again. */
  readonly known?: Settings
}

/** What may lie in files, and so be another one later. */
export const inFiles: readonly Variable[] = [...secrets, ...changeable]

/**
 * Reads the secrets that lie in files and the settings of FORGE_SETTINGS_PATH, and checks the whole. A file that is
 * empty, or missing in a folder that is there, stands for a secret that is not set: a mounted Secret need not have
 * every key.
 * @param given without what lies in files
 * @throws ConfigError, without what is in a file
 */
export async function loadSettings(
  given: Settings,
  { problems = [], tools, known }: Loading = {}
): Promise<Loaded> {
  const earlier = known && { given, known }
  let { settings, faults } = await read(given, earlier)
  for (let turn = 1; turn < MAX_READINGS; turn++) {
    const before = settings
    ;({ settings, faults } = await read(given, earlier))
    if (inFiles.every(variable => settings[variable] === before[variable])) break
  }
  try {
    return { settings, config: checkSettings(settings, [...problems, ...faults], tools) }
  } catch (error) {
    throw error instanceof ConfigError ? withFiles(error, given, settings) : error
  }
}

/**
 * Says of a value that FORGE_SETTINGS_PATH has that it stands there, since the variable of that name may be right. Of
 * a secret says also which file it is from, or that its file is missed, which is no fault by itself.
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
    settings[secret] === undefined
      ? `${fileOf(secret)} names a file that is not there, or an empty one: ${secret} is not set.`
      : `${secret} is what the file of ${fileOf(secret)} holds.`
  return new ConfigError([...placed, ...filed.map(says)])
}

async function read(
  given: Settings,
  earlier: SettingsBefore | undefined
): Promise<{ settings: Settings; faults: string[] }> {
  const settings: Settings = { ...given }
  const faults: string[] = []
  if (given.FORGE_SETTINGS_PATH !== undefined) {
    const file = await readSettingsFile(given.FORGE_SETTINGS_PATH, earlier)
    faults.push(...file.faults)
    // It wins: what is set where it cannot change must not keep it from changing.
    for (const [name, value] of Object.entries(file.settings) as [Variable, string][]) {
      if (value === '') delete settings[name]
      else settings[name] = value
    }
  }
  for (const secret of secrets) {
    const path = given[fileOf(secret)]
    if (path === undefined) continue
    const content = await contentOf(path).catch((error: NodeJS.ErrnoException) => {
      faults.push(`${fileOf(secret)} cannot be read (${error.code ?? error.message}).`)
      return ''
    })
    if (content !== '' && given[secret] !== undefined)
      faults.push(`${secret} and ${fileOf(secret)} exclude each other: unset one of them.`)
    else if (content !== '') settings[secret] = content
  }
  return { settings, faults }
}

/** Without the newline that editors add. @throws as `readSmallFile` */
async function contentOf(path: string): Promise<string> {
  try {
    return (await readSmallFile(path)).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await stat(dirname(path))
    return ''
  }
}
