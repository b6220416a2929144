import { Catalog } from '../../src/catalog/catalog.ts'
import type { PatternMatcher } from '../../src/engine/patterns.ts'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import { shapes } from '../../src/engine/web-urls/shapes.ts'
import { toolsets } from '../../tools/index.ts'
import { toolRunner } from './run-tool.ts'
import { ScriptedDispatcher } from './scripted-dispatcher.ts'

/*
 * The web address of each kind of thing in a project, and calls of tools with one, at a forge where everything exists.
 */

const catalog = new Catalog()
for (const toolset of toolsets) catalog.add(toolset)

export const allRows = toolsets.flatMap(({ rows }) => rows)
export const home = 'https://forge.example/acme/rocket/-'

/** For each argument that an address of a single thing can fill, such an address. */
export const addresses: ReadonlyMap<string, string> = new Map(
  shapes.flatMap(({ at, alone }) => {
    const names = [...at.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name!)
    const [name = ''] = names
    const isOfOne = names.length === 1 && at.endsWith('}') && alone !== 'always' && name !== 'rest'
    const argument = name === 'milestone_iid' ? 'milestone_id' : name
    return isOfOne ? [[argument, `${home}/${at.replace(/\{\w+\+?\}/, '7')}`] as const] : []
  })
)

/**
 * Calls a tool.
 * @returns the number of requests that it sent, and its error, or an empty text
 */
export async function callAt(row: ToolRow, args: object, patterns: PatternMatcher) {
  const record = { id: 7, iid: 7, project_id: 1, name: 'Sample', title: 'Sample', file_name: 'Sample' }
  const dispatcher = new ScriptedDispatcher(() => ({ body: record }))
  const done = await toolRunner({ catalog, dispatcher, patterns })(row.name, args)
  return { sent: dispatcher.sent.length, error: done.outcome === 'tool_error' ? done.problem : '' }
}
