import type { ToolRow } from './row.ts'

/**
 * The toolsets, in the order in which their tools are listed. A toolset's place is its bit in a session, so
 * new ones go to the end.
 */
export const toolsetIds = ['merge_requests', 'issues', 'pipelines', 'dependency_proxy'] as const
export type ToolsetId = (typeof toolsetIds)[number]

/** A group of tools that is offered or left out as a whole (spec 1, What the service does, 2). */
export interface Toolset {
  readonly id: ToolsetId
  /** One line for discover_tools and the documentation. */
  readonly summary: string
  /** Offered when FORGE_TOOLSETS does not say otherwise. */
  readonly isDefault: boolean
  readonly rows: readonly ToolRow[]
}

/** The bits of all toolsets there can be. */
export const EVERY_TOOLSET = (1 << toolsetIds.length) - 1

export const bitOf = (id: ToolsetId): number => 1 << toolsetIds.indexOf(id)

export const isToolsetId = (id: string): id is ToolsetId => (toolsetIds as readonly string[]).includes(id)
