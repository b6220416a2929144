import fp from 'fastify-plugin'
import { Prompts } from '../src/prompts/prompts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Prompts are added to it by prompts/; undefined where FORGE_PROMPTS is off. */
    readonly prompts: Prompts | undefined
  }
}

/** Decorates the prompts, which are kept to the policy of the tools that they name. */
export default fp(
  async fastify => {
    const { catalog, config } = fastify
    fastify.decorate('prompts', config.FORGE_PROMPTS ? new Prompts(catalog) : undefined)
  },
  { fastify: '5.x', name: 'prompt-registry', dependencies: ['env', 'tool-registry'] }
)
