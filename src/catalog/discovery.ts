import type { Catalog, View } from './catalog.ts'
import type { Tool } from './tool.ts'
import { bitOf, EVERY_TOOLSET, type ToolsetId } from './toolset.ts'

export interface ToolsetSummary {
  readonly id: ToolsetId
  readonly summary: string
  /** Tools of it that this caller may use. */
  readonly tools: number
  readonly active: boolean
}

/** What discover_tools may know and do, in one caller's view. */
export interface Discovery {
  /** The toolsets of which the caller may use anything at all. */
  toolsets(): readonly ToolsetSummary[]
  /** Switches a toolset on for the session. @returns the definitions of its tools, none when there is nothing to use */
  activate(id: ToolsetId): readonly unknown[]
}

/** @param activate is told of a toolset that was off; it keeps that with the session and tells the client */
export function createDiscovery(catalog: Catalog, view: View, activate: (id: ToolsetId) => void): Discovery {
  const usable = (id: ToolsetId): Tool[] =>
    catalog.visible({ ...view, toolsets: EVERY_TOOLSET }).filter(tool => tool.toolset === id)
  const isActive = (id: ToolsetId): boolean => (view.toolsets & bitOf(id)) !== 0
  return {
    toolsets: () =>
      catalog.toolsets
        .map(({ id, summary }) => ({ id, summary, tools: usable(id).length, active: isActive(id) }))
        .filter(({ tools }) => tools > 0),
    activate(id) {
      const tools = usable(id)
      if (tools.length > 0 && !isActive(id)) activate(id)
      return tools.map(({ definition }) => JSON.parse(definition))
    }
  }
}
