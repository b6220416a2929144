import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError } from './config-error.ts'
import type { Settings } from './load.ts'
import type { Config, Variable } from './schema.ts'
import { checkFiles, differing, fileOf, readFiles, secrets } from './secret-files.ts'
import { changeable } from './settings-file.ts'

/** Callbacks for settings that changed in their files while the service runs. */
export interface SettingsNews {
  /**
   * The new settings are valid; `changed` names those that changed, `notes` say what an operator should look at in them
   * and in the files.
   */
  readonly onChange: (config: Config, changed: readonly Variable[], notes: readonly string[]) => void
  /** What was trouble is mended, and nothing else has changed. */
  readonly onMended: () => void
  /**
   * The new settings are invalid, and the old ones stay in use; or secrets are gone, and stay in use, while all others
   * are taken. Called once for each different error, and again when the files have changed under it; the sentences
   * contain no secret.
   * @param notTaken the settings that the files hold otherwise than they are in use
   */
  readonly onTrouble: (problems: readonly string[], notTaken: readonly Variable[]) => void
}

/**
 * Milliseconds after which a look that was asked for looks again for settings that it missed: whoever writes their file is
 * done then.
 */
const SETTLED_MS = 300

/** Checks whether settings in files have changed. */
export class SettingsWatch {
  readonly #given: Settings
  readonly #news: SettingsNews
  readonly #tools: readonly string[] | undefined
  #known: Settings
  #trouble = ''
  #isRefused = false
  /** What the last look missed. */
  #gone: readonly Variable[] = []
  #looking: Promise<void> | undefined

  /**
   * @param given as for loadSettings, like `tools`
   * @param known the settings that were loaded at start
   */
  constructor(given: Settings, known: Settings, tools: readonly string[] | undefined, news: SettingsNews) {
    this.#given = given
    this.#known = known
    this.#news = news
    this.#tools = tools
  }

  /** Whether any of these settings is in a file. */
  static isOf = (given: Settings): boolean =>
    given.FORGE_SETTINGS_PATH !== undefined || secrets.some(secret => given[fileOf(secret)] !== undefined)

  /** Whether the files contain invalid settings, or lack a secret, so that older ones are in use. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /**
   * Reads the files once, or until they are settled.
   * @param again whether somebody asks for it: an error is reported again that already was
   */
  look(again = false): Promise<void> {
    if (again) this.#trouble = ''
    this.#looking ??= this.#look(again).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(again: boolean): Promise<void> {
    const known = this.#known
    const files = await readFiles(this.#given, known)
    try {
      const { settings, config, notes, kept } = checkFiles(files, { tools: this.#tools, known })
      // A program that writes a file in place empties it first, or writes it line by line; a sealing key that is forgotten
      // ends sessions, and a limit that is forgotten lets everybody past it: only what the next look misses as well is
      // gone. Until then nothing is taken, so as not to mix old and new.
      const gone = [...secrets, ...changeable].filter(
        name => known[name] !== this.#given[name] && known[name] && settings[name] === this.#given[name]
      )
      const missed = gone.filter(name => !this.#gone.includes(name))
      this.#gone = gone
      if (missed.length > 0) {
        if (!again || missed.some(name => secrets.includes(name))) return
        await pause(SETTLED_MS)
        return this.#look(again)
      }
      const changed = differing(settings, known)
      const wasRefused = this.#isRefused
      this.#tell(kept, known)
      if (changed.length === 0) {
        if (wasRefused && !this.#isRefused) this.#news.onMended()
        return
      }
      this.#news.onChange(config, changed, notes)
      // Only now: settings that could not be applied are tried again.
      this.#known = settings
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.#tell(error.problems, files.settings)
    }
  }

  /** @param held what the files hold, or what is in use if that is taken */
  #tell(problems: readonly string[], held: Settings): void {
    const notTaken = differing(held, this.#known)
    this.#isRefused = problems.length > 0
    const trouble = this.#isRefused
      ? JSON.stringify([problems, notTaken.map(name => [name, held[name]])])
      : ''
    if (this.#isRefused && trouble !== this.#trouble) this.#news.onTrouble(problems, notTaken)
    this.#trouble = trouble
  }
}
