import fp from 'fastify-plugin'
import { Prompts } from '../../src/prompts/prompts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** prompts/ adds its rows here. Undefined if FORGE_PROMPTS is off. */
    readonly prompts: Prompts | undefined
  }
}

/** Decorates the prompts. The policy on the tools that a prompt names applies to the prompt as well. */
export default fp(
  async fastify => {
    const { catalog, config } = fastify
    fastify.decorate('prompts', config.FORGE_PROMPTS ? new Prompts(catalog) : undefined)
  },
  {
    fastify: '5.x',
    name: 'features/prompt-registry',
    dependencies: ['operations/env', 'features/tool-registry']
  }
)
