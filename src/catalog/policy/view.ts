import type { Surface } from './surface.ts'

/** Which tools one request may see and call. */
export interface View {
  /** Bits of the toolsets that are switched on, by configuration or by discover_tools. */
  readonly toolsets: number
  /** Bits of the toolsets the request keeps to (X-Forge-Toolsets); they only ever take away. */
  readonly within: number
  /** What is listed: FORGE_TOOL_SURFACE, or X-Forge-Tool-Surface for one request. */
  readonly surface: Surface
  /** Only tools that read: FORGE_READ_ONLY_MODE, or X-Forge-Readonly for one request. */
  readonly readOnly: boolean
}
