import type { Discovery } from '../engine/context.ts'
import type { Tool } from '../engine/tool.ts'
import type { Catalog, View } from './catalog.ts'
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
    search: (query, limit) =>
      catalog.search(query, view, limit).map(({ definition }) => JSON.parse(definition)),
    activate(id) {
      const tools = usable(id)
      if (tools.length > 0 && !isActive(id)) activate(id)
      return tools.map(({ definition }) => JSON.parse(definition))
    }
  }
}
