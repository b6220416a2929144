import type { Surface } from './surface.ts'

/** The tools that one request may see and call. */
export interface View {
  /** Bits of the active toolsets, from the configuration or from discover_tools. */
  readonly toolsets: number
  /** Bits of the toolsets that the request is limited to (X-Forge-Toolsets); they can only exclude toolsets. */
  readonly within: number
  /** What is listed: FORGE_TOOL_SURFACE, or X-Forge-Tool-Surface for one request. */
  readonly surface: Surface
  /** Whether only tools that read are allowed: FORGE_READ_ONLY_MODE, or X-Forge-Readonly for one request. */
  readonly readOnly: boolean
}
