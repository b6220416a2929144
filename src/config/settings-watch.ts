import { ConfigError } from './config-error.ts'
import type { Settings } from './load.ts'
import type { Config, Variable } from './schema.ts'
import { fileOf, inFiles, loadSettings, secrets } from './secret-files.ts'

/** What is told of settings that changed in their files while the service runs. */
export interface SettingsNews {
  /** They are good; `changed` names them. */
  readonly onChange: (config: Config, changed: readonly Variable[]) => void
  /** Those that could not be used are gone again, and nothing else has changed. */
  readonly onMended: () => void
  /** They are not, and the old ones stay. Told once for each way to be wrong; no secret is in the words. */
  readonly onTrouble: (problems: readonly string[]) => void
}

/** Looks whether settings that lie in files have changed. */
export class SettingsWatch {
  readonly #given: Settings
  readonly #news: SettingsNews
  readonly #tools: readonly string[] | undefined
  #known: Settings
  #trouble = ''
  #isRefused = false
  #looking: Promise<void> | undefined

  /** @param given as for loadSettings, like `tools` @param known what that gave at start */
  constructor(given: Settings, known: Settings, tools: readonly string[] | undefined, news: SettingsNews) {
    this.#given = given
    this.#known = known
    this.#news = news
    this.#tools = tools
  }

  /** Whether any of these settings lies in a file. */
  static isOf = (given: Settings): boolean =>
    given.FORGE_SETTINGS_PATH !== undefined || secrets.some(secret => given[fileOf(secret)] !== undefined)

  /** Whether the files hold what cannot be used, and older settings are in use. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** @param again whether trouble that was told is told again */
  look(again = false): Promise<void> {
    if (again) this.#trouble = ''
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    try {
      const { settings, config } = await loadSettings(this.#given, {
        tools: this.#tools,
        known: this.#known
      })
      const changed = inFiles.filter(variable => settings[variable] !== this.#known[variable])
      const wasRefused = this.#isRefused
      this.#isRefused = false
      this.#trouble = ''
      if (changed.length === 0) {
        if (wasRefused) this.#news.onMended()
        return
      }
      this.#news.onChange(config, changed)
      // Not before: what could not be taken over is tried again.
      this.#known = settings
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (error.message !== this.#trouble) this.#news.onTrouble(error.problems)
      this.#trouble = error.message
      this.#isRefused = true
    }
  }
}
