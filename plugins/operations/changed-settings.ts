import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import { every } from '../../src/base/every.ts'
import type { Settings } from '../../src/config/load.ts'
import { isQuiet } from '../../src/config/log-notes.ts'
import type { Config, Variable } from '../../src/config/schema.ts'
import { fileOf, withoutFile } from '../../src/config/secret-files.ts'
import { valuesOf } from '../../src/config/settings-file.ts'
import { SettingsWatch } from '../../src/config/settings-watch.ts'

/** Code that applies changed settings. */
interface SettingsUser {
  /** The variables for which `use` is called. It gets the whole new configuration, which is valid. */
  readonly variables: readonly Variable[]
  readonly use: (config: Config) => void
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Registers code that applies settings when they change in their files while the service runs. The code is called
     * in the order of registration.
     */
    readonly onNewSettings: (user: SettingsUser) => void
    /** Reads the files of settings at once, and logs the result. */
    readonly readSettingsAgain: () => Promise<void>
  }
}

interface ChangedSettingsOptions {
  /** The variables as they were given, without those from files. */
  readonly given: Settings
  /** The variables including those from files. */
  readonly settings: Settings
  /** Names of all tools, to check FORGE_TOOLS. */
  readonly tools: readonly string[]
}

/**
 * Milliseconds between looks at the files. The files are few and small, and a rotation waits until every replica has
 * looked.
 */
const LOOK_MS = 2_000

/** The file variables (`…_FILE`) of these settings whose files are missing or empty now. */
const filesGone = (config: Config, names: readonly Variable[]) => {
  const gone = withoutFile(config).filter(file => names.map(fileOf).includes(file))
  return gone.length > 0 && { filesNotThere: gone }
}

/** Watches the settings that are in files: secrets, the log level, and the policy. */
export default fp<ChangedSettingsOptions>(
  async (fastify, { given, settings, tools }) => {
    const { log, metrics } = fastify
    const users: SettingsUser[] = []
    fastify.decorate('onNewSettings', user => void users.push(user))
    fastify.onNewSettings({
      variables: ['LOG_LEVEL'],
      use(config) {
        log.level = config.LOG_LEVEL
      }
    })
    const watch = SettingsWatch.isOf(given)
      ? new SettingsWatch(given, settings, tools, {
          onChange: (config, changed, notes) => apply(config, changed, notes, users, log),
          onMended: () => log.info('settings files are valid again'),
          onTrouble: (problems, notTaken) =>
            log.error({ problems, notTaken }, 'changed settings rejected, previous ones kept')
        })
      : undefined
    const isRefused = () => Number(watch?.isRefused ?? false)
    metrics.watch(
      'settings_refused',
      '1 while files hold settings that cannot be used, and older ones are.',
      isRefused
    )
    const look = (again: boolean) =>
      watch
        ?.look(again)
        .catch((error: unknown) => log.error({ err: error }, 'settings files could not be checked'))
    fastify.decorate('readSettingsAgain', async () => {
      log.info(watch === undefined ? 'no settings are read from files' : 'files of settings are read again')
      await look(true)
    })
    if (watch === undefined) return
    every(LOOK_MS, fastify, () => look(false))
  },
  {
    fastify: '5.x',
    name: 'operations/changed-settings',
    dependencies: ['operations/env', 'operations/metrics']
  }
)

/**
 * Calls those users whose variables have changed, and logs the settings that they took and those that take a restart.
 * @param notes for the operator, each logged as a warning
 */
function apply(
  config: Config,
  changed: readonly Variable[],
  notes: readonly string[],
  users: readonly SettingsUser[],
  log: FastifyBaseLogger
): void {
  const concerned = users.filter(({ variables }) => variables.some(name => changed.includes(name)))
  const { level } = log
  for (const { use } of concerned) use(config)
  const taken = changed.filter(name => users.some(({ variables }) => variables.includes(name)))
  // An operator who makes the log quieter expects to see these lines, too.
  const sayer = isQuiet(log.level) ? log.child({}, { level }) : log
  if (taken.length > 0)
    sayer.info(
      { settings: taken, values: valuesOf(config, taken), ...filesGone(config, taken) },
      'settings taken over from files'
    )
  for (const note of notes) sayer.warn(note)
  const left = changed.filter(name => !taken.includes(name))
  if (left.length > 0) log.warn({ settings: left }, 'settings changed: restart to use them')
}
