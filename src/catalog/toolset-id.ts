/**
 * The toolsets, in the order in which their tools are listed. A toolset's place is its bit in a session, so
 * new ones go to the end.
 */
export const toolsetIds = ['merge_requests', 'issues', 'pipelines', 'dependency_proxy'] as const
export type ToolsetId = (typeof toolsetIds)[number]

/** The bits of all toolsets there can be. */
export const EVERY_TOOLSET = (1 << toolsetIds.length) - 1

export const bitOf = (id: ToolsetId): number => 1 << toolsetIds.indexOf(id)

export const isToolsetId = (id: string): id is ToolsetId => (toolsetIds as readonly string[]).includes(id)
