import { Type } from 'typebox'
import { optional, text } from '../../src/engine/rows/fields.ts'
import { custom, type ToolRow } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'
import type { ToolClass } from '../../src/results/tool-class.ts'

/** How many tools are found at most, for a single search text and for each of several. */
const ALONE = 3
const TOGETHER = 2
/** Most search texts in one call, tools found for all of them, and characters of a text. Each of them costs time. */
const MAX_THINGS = 10
const MAX_TOOLS = 40
const MAX_CHARS = 400

const Call = Type.Object({
  name: text('As find_tools gives it'),
  arguments: optional(Type.Object({}, { description: 'As the inputSchema of the tool says' }))
})

/** A row that never runs itself. The tool that it names runs instead (catalog/policy/surface.ts). */
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

/** The tools that are listed instead of the catalog if the surface is a search. */
export const searchSurface: readonly ToolRow[] = [
  custom({
    name: 'find_tools',
    class: 'read',
    title: 'Find tools',
    summary:
      'Find tools of the forge by what they do (files, commits, merge requests, issues, pipelines, people and more), all that a job needs at once; answers with their schemas and what to call them with.',
    input: Type.Object({
      query: Type.String({
        description: 'What you want to do, in a few words; several things at once separated by semicolons',
        maxLength: 4000,
        problem: 'must be one text, in which semicolons separate several things'
      }),
      limit: optional(
        Type.Integer({
          minimum: 1,
          maximum: 20,
          description: `Most tools for each thing; default ${ALONE}, of several ${TOGETHER}, ${MAX_TOOLS} in all`
        })
      )
    }),
    idempotent: true,
    run: async ({ query, limit }, { discovery }) => {
      const all = discovery.things(query)
      const things = all.slice(0, MAX_THINGS)
      const share = (most: number) => Math.floor(most / Math.max(1, things.length))
      const queries = things.map(thing => thing.trim().slice(0, share(MAX_CHARS)))
      const tools = discovery.search(
        queries,
        Math.min(limit ?? (things.length > 1 ? TOGETHER : ALONE), share(MAX_TOOLS))
      )
      if (things.length === 0)
        throw new CallProblem(
          'query is empty: say in a few words what you want to do, such as "comment on an issue".'
        )
      const limits = discovery.limits(queries)
      if (tools.length === 0)
        throw new CallProblem(
          [...limits, 'No tool fits these words: try others, in English, such as the noun it is about.'].join(
            ' '
          )
        )
      const left = all.length - things.length
      const unread =
        left === 0
          ? []
          : [
              `Of ${all.length} things the first ${MAX_THINGS} were looked for: ask for the other ${left} in another call.`
            ]
      return { value: { tools }, notices: [...limits, ...unread] }
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
