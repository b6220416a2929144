import fp from 'fastify-plugin'
import { Resources } from '../../src/resources/resources.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** resources/ adds its rows here. Undefined if FORGE_RESOURCES is off. */
    readonly resources: Resources | undefined
  }
}

/** Decorates the resources. The policy on the tools that read a resource applies to the resource as well. */
export default fp(
  async fastify => {
    const { catalog, config } = fastify
    fastify.decorate('resources', config.FORGE_RESOURCES ? new Resources(catalog) : undefined)
  },
  {
    fastify: '5.x',
    name: 'features/resource-registry',
    dependencies: ['operations/env', 'features/tool-registry']
  }
)
