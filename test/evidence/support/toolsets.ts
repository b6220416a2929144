import type { ToolRow } from '../../../src/engine/rows/row.ts'
import { discoverTools } from '../../../tools/discovery/index.ts'
import { toolsets } from '../../../tools/index.ts'

export { toolsets }

/** Every tool that asks the forge: what is added there is held against the evidence without a word here. */
export const rows: readonly ToolRow[] = toolsets.flatMap(({ rows }) => rows)

/** Every tool's name. */
export const toolNames: ReadonlySet<string> = new Set([...rows, discoverTools].map(({ name }) => name))
