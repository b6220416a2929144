import fp from 'fastify-plugin'
import { Resources } from '../src/resources/resources.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Resources are added to it by resources/; undefined where FORGE_RESOURCES is off. */
    readonly resources: Resources | undefined
  }
}

/** Decorates the resources, which are kept to the policy of the tools that read them. */
export default fp(
  async fastify => {
    const { catalog, config } = fastify
    fastify.decorate('resources', config.FORGE_RESOURCES ? new Resources(catalog) : undefined)
  },
  { fastify: '5.x', name: 'resource-registry', dependencies: ['env', 'tool-registry'] }
)
