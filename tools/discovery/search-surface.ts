import { Type } from 'typebox'
import { optional, text } from '../../src/catalog/fields.ts'
import type { ToolClass } from '../../src/catalog/row.ts'
import { custom, type ToolRow } from '../../src/catalog/row.ts'
import { CallProblem } from '../../src/engine/problem.ts'

const Call = Type.Object({
  name: text('As find_tools gives it'),
  arguments: optional(Type.Object({}, { description: 'As the inputSchema of the tool says' }))
})

/** Never run by itself: the tool that it names is (catalog/surface.ts). */
const calling = (name: string, of: ToolClass, title: string, summary: string): ToolRow =>
  custom({
    name,
    class: of,
    title,
    summary,
    input: Call,
    idempotent: of === 'read',
    run: async () => {
      throw new CallProblem('Invalid arguments: name is required: the tool to call, as find_tools gives it.')
    }
  })

/** What is listed in place of the catalog where the surface is a search. */
export const searchSurface: readonly ToolRow[] = [
  custom({
    name: 'find_tools',
    class: 'read',
    title: 'Find tools',
    summary:
      'Find tools of the forge by what they do (files, commits, merge requests, issues, pipelines, people …); answers with their schemas.',
    input: Type.Object({
      query: text('What you want to do, in a few words'),
      limit: optional(Type.Integer({ minimum: 1, maximum: 20, default: 5 }))
    }),
    idempotent: true,
    run: async ({ query, limit = 5 }, { discovery }) => {
      const tools = discovery.search(query, limit)
      if (tools.length === 0)
        throw new CallProblem('No tool fits these words: try others, such as the noun it is about.')
      return { value: { tools } }
    }
  }),
  calling('call_read_tool', 'read', 'Call a reading tool', 'Call a tool that only reads, by name.'),
  calling('call_write_tool', 'write', 'Call a writing tool', 'Call a tool that changes something, by name.'),
  calling(
    'call_destructive_tool',
    'destructive',
    'Call a destructive tool',
    'Call a tool that deletes, merges or cannot be undone, by name.'
  )
]
