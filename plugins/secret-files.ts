import fp from 'fastify-plugin'
import type { Settings } from '../src/config/load.ts'
import type { Config, Variable } from '../src/config/schema.ts'
import { SecretWatch } from '../src/config/secret-files.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Takes over secrets that change in their files while the service runs.
     * @param secrets those that `use` is called for, with all of the configuration that is now good
     */
    readonly onNewSecrets: (secrets: readonly Variable[], use: (config: Config) => void) => void
  }
}

interface SecretFilesOptions {
  /** Variables as they were given. */
  readonly given: Settings
  /** The same with the secrets that lie in files. */
  readonly settings: Settings
}

/** A few small files, and a rotation waits for every replica to have looked. */
const LOOK_MS = 2_000

/** Looks after secrets that lie in files. */
export default fp<SecretFilesOptions>(
  async (fastify, { given, settings }) => {
    const users: { secrets: readonly Variable[]; use: (config: Config) => void }[] = []
    fastify.decorate('onNewSecrets', (secrets, use) => void users.push({ secrets, use }))
    if (!SecretWatch.isOf(given)) return
    const watch = new SecretWatch(given, settings, {
      onChange(config, changed) {
        const concerned = users.filter(({ secrets }) => secrets.some(secret => changed.includes(secret)))
        for (const { use } of concerned) use(config)
        const taken = changed.filter(secret => users.some(({ secrets }) => secrets.includes(secret)))
        if (taken.length > 0) fastify.log.info({ secrets: taken }, 'secrets taken over from their files')
        const left = changed.filter(secret => !taken.includes(secret))
        if (left.length > 0) fastify.log.warn({ secrets: left }, 'secrets changed: restart to use them')
      },
      onTrouble: problems => fastify.log.error({ problems }, 'changed secrets are not used')
    })
    const timer = setInterval(() => {
      watch.look().catch((error: unknown) => fastify.log.error({ err: error }, 'secrets not looked after'))
    }, LOOK_MS).unref()
    fastify.addHook('onClose', async () => clearInterval(timer))
  },
  { fastify: '5.x', name: 'secret-files' }
)
