import fastifyEnv from '@fastify/env'
import fp from 'fastify-plugin'
import type { Settings } from '../src/config/load.ts'
import { type Config, ConfigSchema, type Variable } from '../src/config/schema.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every variable, typed and checked. */
    readonly config: Config
    /** Whether the operator gave a variable a value, be it the one that is its default. */
    readonly isSet: (variable: Variable) => boolean
  }
}

/** Decorates `fastify.config` from settings that were gathered and checked before Fastify was made. */
export default fp<{ settings: Settings }>(
  async (fastify, { settings }) => {
    await fastify.register(fastifyEnv, { schema: ConfigSchema, data: { ...settings }, env: false })
    fastify.decorate('isSet', variable => settings[variable] !== undefined)
  },
  { fastify: '5.x', name: 'env' }
)
