import fastifyEnv from '@fastify/env'
import fp from 'fastify-plugin'
import type { Settings } from '../src/config/load.ts'
import { type Config, ConfigSchema, type Variable } from '../src/config/schema.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every variable, typed and checked. */
    readonly config: Config
    /** Whether the operator has set a variable, even to its default. */
    readonly isSet: (variable: Variable) => boolean
  }
}

/** Decorates `fastify.config` with settings that were gathered and checked before Fastify was created. */
export default fp<{ settings: Settings }>(
  async (fastify, { settings }) => {
    await fastify.register(fastifyEnv, { schema: ConfigSchema, data: { ...settings }, env: false })
    fastify.decorate('isSet', variable => settings[variable] !== undefined)
  },
  { fastify: '5.x', name: 'env' }
)
