import fp from 'fastify-plugin'
import type { Toolset } from '../src/engine/rows/toolset.ts'

/** The Fastify plugin of a toolset: it adds its rows to the registry. */
export const toolsetPlugin = (toolset: Toolset) =>
  fp(async fastify => fastify.catalog.add(toolset), {
    fastify: '5.x',
    name: `tools-${toolset.id.replaceAll('_', '-')}`,
    dependencies: ['features/tool-registry']
  })
