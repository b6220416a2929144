import fastifyEnv from '@fastify/env'
import fp from 'fastify-plugin'
import { hasHomeForge } from '../../src/config/home-forge.ts'
import type { Settings } from '../../src/config/load.ts'
import { type Config, ConfigSchema } from '../../src/config/schema.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every variable, typed and checked. */
    readonly config: Config
    /** Whether calls that name no forge go to FORGE_API_URL. */
    readonly hasHomeForge: boolean
  }
}

/** Decorates `fastify.config` with settings that were gathered and checked before Fastify was created. */
export default fp<{ settings: Settings }>(
  async (fastify, { settings }) => {
    await fastify.register(fastifyEnv, { schema: ConfigSchema, data: { ...settings }, env: false })
    fastify.decorate('hasHomeForge', hasHomeForge(settings))
  },
  { fastify: '5.x', name: 'operations/env' }
)
