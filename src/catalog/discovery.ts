import type { Discovery } from '../engine/context.ts'
import type { Tool } from '../engine/tool.ts'
import type { Catalog, View } from './catalog.ts'
import type { ToolDefinition } from './describe.ts'
import { callerOf } from './surface.ts'
import { bitOf, type ToolsetId } from './toolset-id.ts'

/** @param activate is told of a toolset that was off; it keeps that with the session and tells the client */
export function createDiscovery(catalog: Catalog, view: View, activate: (id: ToolsetId) => void): Discovery {
  const usable = (id: ToolsetId): Tool[] => catalog.usable(view).filter(tool => tool.toolset === id)
  const isActive = (id: ToolsetId): boolean => (view.toolsets & bitOf(id)) !== 0
  return {
    toolsets: () =>
      catalog.toolsets
        .map(({ id, summary }) => ({ id, summary, tools: usable(id).length, active: isActive(id) }))
        .filter(({ tools }) => tools > 0),
    search: (queries, limit) => {
      const found = new Set(queries.flatMap(query => catalog.search(query, view, limit)))
      return [...found].map(callable)
    },
    activate(id) {
      const tools = usable(id)
      if (tools.length > 0 && !isActive(id)) activate(id)
      return tools.map(({ definition }) => JSON.parse(definition))
    }
  }
}

/** What of a tool a call of it takes to write, and through which tool it goes: its hints are those of that one. */
function callable({ name, class: of, definition }: Tool): unknown {
  const { description, inputSchema } = JSON.parse(definition) as ToolDefinition
  return { name, call_with: callerOf.get(of), description, inputSchema }
}
