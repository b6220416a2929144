import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from './config-error.ts'
import { checkSettings, type Settings } from './load.ts'
import { type Config, factsOf, type Variable, variables } from './schema.ts'

/*
 * Secrets that lie in files, as orchestrators mount them: `<NAME>_FILE` names the file of the secret `<NAME>`. What
 * stands in an environment is seen by more programs, and does not change while a process runs.
 */

/** Characters of a file; a secret has far fewer. */
const MAX_CHARS = 64 * 1024

/** Readings until two are alike: files that are exchanged together are not to be taken some old and some new. */
const MAX_READINGS = 5

/** The variables that may lie in files. */
export const secrets: readonly Variable[] = variables.filter(variable => factsOf(variable).writeOnly === true)

/** The variable that names the file of a secret. */
export const fileOf = (secret: Variable): Variable => `${secret}_FILE` as Variable

/** Variables as they were given, then with the secrets that lie in files, and the configuration that they make. */
export interface Loaded {
  readonly settings: Settings
  readonly config: Config
}

/**
 * Reads the secrets that lie in files, and checks the whole. A file that is empty, or missing in a folder that is
 * there, stands for a secret that is not set: a mounted Secret need not have every key.
 * @param given without secrets that lie in files @param problems what was wrong before
 * @throws ConfigError, without what is in a file
 */
export async function loadSettings(given: Settings, problems: readonly string[] = []): Promise<Loaded> {
  let { settings, faults } = await read(given)
  for (let turn = 1; turn < MAX_READINGS; turn++) {
    const before = settings
    ;({ settings, faults } = await read(given))
    if (secrets.every(secret => settings[secret] === before[secret])) break
  }
  return { settings, config: checkSettings(settings, [...problems, ...faults]) }
}

async function read(given: Settings): Promise<{ settings: Settings; faults: string[] }> {
  const settings: Settings = { ...given }
  const faults: string[] = []
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

/** Without the newline that editors add. @throws system errors, RangeError for a file too long to be a secret */
async function contentOf(path: string): Promise<string> {
  try {
    // Not what a device or a directory without end would give.
    const { size } = await stat(path)
    if (size > MAX_CHARS) throw new RangeError(`more than ${MAX_CHARS} bytes`)
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await stat(dirname(path))
    return ''
  }
}

/** What is told of secrets that changed while the service runs. */
export interface SecretNews {
  /** They are good; `changed` names them. */
  readonly onChange: (config: Config, changed: readonly Variable[]) => void
  /** They are not, and the old ones stay. Told once for each way to be wrong; no secret is in the words. */
  readonly onTrouble: (problems: readonly string[]) => void
}

/** Looks whether secrets that lie in files have changed. */
export class SecretWatch {
  readonly #given: Settings
  readonly #news: SecretNews
  #known: Settings
  #trouble = ''
  #looking = false

  /** @param given as for loadSettings @param known what that gave at start */
  constructor(given: Settings, known: Settings, news: SecretNews) {
    this.#given = given
    this.#known = known
    this.#news = news
  }

  /** Whether any secret of these settings lies in a file. */
  static isOf = (given: Settings): boolean => secrets.some(secret => given[fileOf(secret)] !== undefined)

  async look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      const { settings, config } = await loadSettings(this.#given)
      this.#trouble = ''
      const changed = secrets.filter(secret => settings[secret] !== this.#known[secret])
      if (changed.length === 0) return
      this.#known = settings
      this.#news.onChange(config, changed)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (error.message !== this.#trouble) this.#news.onTrouble(error.problems)
      this.#trouble = error.message
    } finally {
      this.#looking = false
    }
  }
}
