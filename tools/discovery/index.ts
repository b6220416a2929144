import fp from 'fastify-plugin'
import { Type } from 'typebox'
import { oneOf, optional } from '../../src/engine/rows/fields.ts'
import { custom } from '../../src/engine/rows/row.ts'
import { toolsetIds } from '../../src/engine/rows/toolset-id.ts'
import { toolsetByWord } from '../../src/engine/rows/toolset-words.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { searchSurface } from './search-surface.ts'

export const discoverTools = custom({
  name: 'discover_tools',
  class: 'read',
  title: 'Discover tools',
  summary: 'List groups of tools, or activate one, when no listed tool fits.',
  input: Type.Object({
    category: optional({ ...oneOf(toolsetIds, 'The group to activate'), alias: toolsetByWord })
  }),
  idempotent: true,
  run: async ({ category }, { discovery }) => {
    if (category === undefined)
      return {
        value: { toolsets: discovery.toolsets(), hint: 'Call discover_tools with a category to activate it.' }
      }
    const tools = discovery.activate(category)
    if (tools.length === 0) throw new CallProblem(`${category} has no tool that may be used here.`)
    const isListed = tools.every(tool => typeof tool === 'string')
    return { value: { [isListed ? 'already_active' : 'activated']: category, tools } }
  }
})

/** Registers tools that belong to no toolset. discover_tools is always on, the others if the surface is a search. */
export default fp(
  async fastify => {
    fastify.catalog.addTool(discoverTools)
    for (const row of searchSurface) fastify.catalog.addSurfaceTool(row)
  },
  {
    fastify: '5.x',
    name: 'tools-discovery',
    dependencies: ['features/tool-registry']
  }
)
