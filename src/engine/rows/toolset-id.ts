/**
 * The toolsets, in the order in which their tools are listed. The index of a toolset is its bit in a session, so new
 * ones are added at the end.
 */
export const toolsetIds = [
  'merge_requests',
  'issues',
  'pipelines',
  'dependency_proxy',
  'repository',
  'projects',
  'people',
  'search',
  'planning',
  'ci',
  'releases',
  'wiki',
  'registry',
  'work_items',
  'security',
  'webhooks',
  'snippets'
] as const
export type ToolsetId = (typeof toolsetIds)[number]

/** The bits of all toolsets. */
export const EVERY_TOOLSET = (1 << toolsetIds.length) - 1

/** The bit of a toolset in a session. */
export const bitOf = (id: ToolsetId): number => 1 << toolsetIds.indexOf(id)

/** Whether a text, such as an entry of FORGE_TOOLSETS, names a toolset. */
export const isToolsetId = (id: string): id is ToolsetId => (toolsetIds as readonly string[]).includes(id)
