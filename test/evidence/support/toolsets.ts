import { existsSync, readdirSync } from 'node:fs'
import type { ToolRow } from '../../../src/catalog/row.ts'
import type { Toolset } from '../../../src/catalog/toolset.ts'

const tools = new URL('../../../tools/', import.meta.url)

/** Every toolset of tools/: what is added there is held against the evidence without a word here. */
export const toolsets: readonly Toolset[] = (
  await Promise.all(
    readdirSync(tools)
      .map(room => new URL(`${room}/index.ts`, tools))
      .filter(index => existsSync(index))
      .map(async index => Object.values((await import(index.href)) as Record<string, unknown>))
  )
)
  .flat()
  .filter((value): value is Toolset => Array.isArray((value as Toolset).rows))

export const rows: readonly ToolRow[] = toolsets.flatMap(({ rows }) => rows)
