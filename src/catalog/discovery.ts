import type { Discovery } from '../engine/context.ts'
import type { ToolDefinition } from '../engine/rows/describe.ts'
import { bitOf, type ToolsetId } from '../engine/rows/toolset-id.ts'
import type { Tool } from '../engine/tool.ts'
import type { Catalog } from './catalog.ts'
import { wayInstead } from './other-servers/other-tools.ts'
import { callerOf } from './policy/surface.ts'
import type { View } from './policy/view.ts'

/** @param activate called with a toolset that was off; it stores that in the session and notifies the client */
export function createDiscovery(catalog: Catalog, view: View, activate: (id: ToolsetId) => void): Discovery {
  const usable = (id: ToolsetId): Tool[] => catalog.usable(view).filter(tool => tool.toolset === id)
  const isActive = (id: ToolsetId): boolean => (view.toolsets & bitOf(id)) !== 0
  return {
    toolsets: () =>
      catalog.toolsets
        .map(({ id, summary }) => ({ id, summary, tools: usable(id).length, active: isActive(id) }))
        .filter(({ tools }) => tools > 0),
    things: query => catalog.things(query),
    search: (queries, limit) => {
      const found = new Set(queries.flatMap(query => catalog.search(query, view, limit)))
      const names = new Set([...found].map(({ name }) => name))
      return [...found].map(tool => callable(tool, names))
    },
    limits(queries) {
      const names = new Set(catalog.usable(view).map(({ name }) => name))
      const ofEach = (query: string) => [catalog.limit(query, view), wayInstead(query, names)]
      return [...new Set(queries.flatMap(ofEach).filter(said => said !== undefined))]
    },
    activate(id) {
      const tools = usable(id)
      if (isActive(id)) return tools.map(({ name }) => name)
      if (tools.length > 0) activate(id)
      const names = new Set([...catalog.visible(view), ...tools].map(({ name }) => name))
      return tools.map(tool => JSON.parse(tool.definition(names)))
    }
  }
}

/** The definition of a tool as needed for a call, with the calling tool to use; the hints of the calling tool apply. */
function callable(tool: Tool, names: ReadonlySet<string>): unknown {
  const { name, description, inputSchema } = JSON.parse(tool.definition(names)) as ToolDefinition
  return { name, call_with: callerOf.get(tool.class), description, inputSchema }
}
