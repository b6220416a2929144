import type { ToolRow } from './row.ts'
import type { ToolsetId } from './toolset-id.ts'

/** A group of tools that is offered or left out as a whole. */
export interface Toolset {
  readonly id: ToolsetId
  /** One line for discover_tools and the documentation. */
  readonly summary: string
  readonly rows: readonly ToolRow[]
}
