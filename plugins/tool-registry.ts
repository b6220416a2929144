import fp from 'fastify-plugin'
import { Catalog, type View } from '../src/catalog/catalog.ts'
import { entries } from '../src/config/schema.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Toolsets are added to it by the plugins of tools/. */
    readonly catalog: Catalog
    /** What FORGE_TOOLSETS and the defaults switch on; known once every toolset is registered. */
    readonly baseView: () => View
  }
}

/** Decorates the catalog that the toolsets register with. */
export default fp(
  async fastify => {
    const { FORGE_PROJECT_ID, FORGE_TOOLSETS } = fastify.config
    const catalog = new Catalog({ defaultProject: FORGE_PROJECT_ID })
    let view: View | undefined
    fastify.decorate('catalog', catalog)
    fastify.decorate('baseView', () => (view ??= catalog.viewOf(entries(FORGE_TOOLSETS))))
  },
  { fastify: '5.x', name: 'tool-registry', dependencies: ['env'] }
)
