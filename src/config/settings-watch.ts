import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from './config-error.ts'
import type { Settings } from './load.ts'
import type { Config, Variable } from './schema.ts'
import { checkFiles, differing, fileOf, readFiles, secrets } from './secret-files.ts'

/** Callbacks for settings that changed in their files while the service runs. */
interface SettingsNews {
  /**
   * The new settings are valid. `changed` names those that changed; `notes` are for the operator, on the settings and
   * the files.
   */
  readonly onChange: (config: Config, changed: readonly Variable[], notes: readonly string[]) => void
  /** Earlier trouble is over, and nothing else has changed. */
  readonly onMended: () => void
  /**
   * The new settings are invalid, and the old ones stay in use; or secrets are gone and keep their values, while all
   * other settings are applied. Called once for each different error, and again if the files have changed meanwhile;
   * the sentences contain no secret.
   * @param notTaken the settings whose values in the files differ from those in use
   */
  readonly onTrouble: (problems: readonly string[], notTaken: readonly Variable[]) => void
}

/**
 * Milliseconds between looks while the files are not settled: a program that writes a file is mostly done by the next
 * look. A secret must have the same value for this time before it is used, because the beginning of a sealing key could
 * be taken for a whole key.
 */
const AGAIN_MS = 300

/** Milliseconds for which a setting must be missing in every look before it counts as removed. */
const GONE_MS = 2_000

/** Checks whether settings in files have changed. */
export class SettingsWatch {
  readonly #given: Settings
  readonly #news: SettingsNews
  readonly #tools: readonly string[] | undefined
  readonly #now: () => number
  readonly #pause: (ms: number) => Promise<unknown>
  #known: Settings
  #trouble = ''
  #isRefused = false
  /** For each setting whose last read value is not in use: that value, and since when every look has read it. */
  #changed = new Map<Variable, { readonly value: string | undefined; readonly since: number }>()
  #looking: Promise<void> | undefined
  /** When somebody first asked for the current looks; undefined if nobody has. */
  #askedAt: number | undefined
  /** Whether somebody has asked since the last look began, so that it may have read the files before that. */
  #isBehind = false

  /**
   * @param given as for loadSettings, like `tools`
   * @param known the settings that were loaded at start
   * @param now clock in milliseconds
   * @param pause waits between two looks
   */
  constructor(
    given: Settings,
    known: Settings,
    tools: readonly string[] | undefined,
    news: SettingsNews,
    now: () => number = () => performance.now(),
    pause: (ms: number) => Promise<unknown> = sleep
  ) {
    this.#given = given
    this.#known = known
    this.#news = news
    this.#tools = tools
    this.#now = now
    this.#pause = pause
  }

  /** Whether any of these settings is in a file. */
  static isOf = (given: Settings): boolean =>
    given.FORGE_SETTINGS_PATH !== undefined || secrets.some(secret => given[fileOf(secret)] !== undefined)

  /** Whether the files contain invalid settings, or lack a secret, so that older ones are in use. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /**
   * Reads the files until they are settled: mostly once, but every 0.3 s while a setting is missing or a secret has
   * just changed.
   * @param again whether somebody asks for it: a known error is then reported again, and a setting that is not a secret
   *   counts as removed after 0.3 s
   */
  look(again = false): Promise<void> {
    if (again) {
      this.#trouble = ''
      this.#askedAt ??= this.#now()
      this.#isBehind = true
    }
    this.#looking ??= this.#lookUntilSettled().finally(() => {
      this.#looking = undefined
      this.#askedAt = undefined
    })
    return this.#looking
  }

  async #lookUntilSettled(): Promise<void> {
    do while (!(await this.#look())) await this.#pause(AGAIN_MS)
    while (this.#isBehind)
  }

  /** @returns whether the files seem to be settled */
  async #look(): Promise<boolean> {
    this.#isBehind = false
    const known = this.#known
    const at = this.#now()
    const files = await readFiles(this.#given, known)
    try {
      const { settings, config, notes, kept } = checkFiles(files, { tools: this.#tools, known })
      const changed = differing(settings, known)
      this.#changed = new Map(changed.map(name => [name, this.#readOf(name, settings[name], at)]))
      const missed = changed.filter(name => known[name] && settings[name] === this.#given[name])
      // A program that writes a file in place first empties it, or writes it piece by piece. A sealing key that is lost
      // or cut ends sessions, and a limit that is lost is not enforced. So only values that stay the same for a while
      // are used. Until then no setting is applied, so that old and new ones are not mixed.
      if (changed.some(name => !this.#isSettled(name, missed.includes(name), at))) return false
      const wasRefused = this.#isRefused
      this.#tell(kept, known)
      if (changed.length === 0) {
        if (wasRefused && !this.#isRefused) this.#news.onMended()
        return true
      }
      this.#news.onChange(config, changed, notes)
      // Set only here, so that settings that could not be applied are tried again.
      this.#known = settings
      // If a setting was removed by mistake while its file was being written, this lasts only until the next look.
      return missed.length === 0
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.#changed.clear()
      this.#tell(error.problems, files.settings)
      return true
    }
  }

  /** The value that a look at that time has read of a setting, and since when. */
  #readOf(name: Variable, value: string | undefined, at: number) {
    const before = this.#changed.get(name)
    return before !== undefined && before.value === value ? before : { value, since: at }
  }

  /** Whether a setting has had the same value for long enough. @param at when the last look began */
  #isSettled(name: Variable, isMissed: boolean, at: number): boolean {
    const { since } = this.#changed.get(name)!
    const isSecret = secrets.includes(name)
    if (!isMissed) return !isSecret || at - since >= AGAIN_MS
    if (at - since >= GONE_MS) return true
    if (this.#askedAt === undefined || isSecret) return false
    return at - Math.max(since, this.#askedAt) >= AGAIN_MS
  }

  /** @param held the settings in the files, or those in use if the files are applied */
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
