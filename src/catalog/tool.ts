import { argumentReader } from './arguments.ts'
import { describeTool } from './describe.ts'
import { lookupStep } from './lookup.ts'
import { planner } from './plan.ts'
import type { ToolOutput } from './result.ts'
import type { RestRow, ToolClass, ToolContext, ToolRow } from './row.ts'
import type { ToolsetId } from './toolset.ts'

/** A row made ready to run: everything that can be derived from it has been. */
export interface Tool {
  readonly name: string
  readonly class: ToolClass
  /** The toolset it was registered in. */
  readonly toolset: ToolsetId
  /** Its entry in tools/list, as JSON. */
  readonly definition: string
  /** Argument names. */
  readonly inputs: ReadonlySet<string>
  /** @throws CallProblem, ForgeStatusError or ForgeError, each fit to be shown to the caller */
  run(raw: unknown, context: ToolContext): Promise<ToolOutput>
}

export interface ToolSettings {
  /** FORGE_PROJECT_ID: stands in where project_id is optional and absent; empty means none. */
  readonly defaultProject: string
}

/** Compiles a row: its argument reader, its templates and its listing. @throws Error for a row written wrongly */
export function compileTool(row: ToolRow, toolset: ToolsetId, settings: ToolSettings): Tool {
  const read = argumentReader(row.input)
  const fillProject =
    settings.defaultProject !== '' &&
    'project_id' in row.input.properties &&
    !(row.input.required ?? []).includes('project_id')
  const execute =
    row.kind === 'rest' ? restRunner(row) : (args: never, context: ToolContext) => row.run(args, context)

  return {
    name: row.name,
    class: row.class,
    toolset,
    definition: JSON.stringify(describeTool(row)),
    inputs: new Set(Object.keys(row.input.properties)),
    async run(raw, context) {
      const args = read(raw)
      if (fillProject) args.project_id ??= settings.defaultProject
      for (const check of row.check ?? []) check(args)
      return execute(args as never, context)
    }
  }
}

function restRunner(row: RestRow) {
  const complete = row.lookup === undefined ? undefined : lookupStep(row.lookup)
  const plan = planner(row)
  return async (args: Record<string, unknown>, context: ToolContext): Promise<ToolOutput> => {
    if (complete !== undefined) await complete(args, context.forge)
    const values = row.adapt === undefined ? args : await row.adapt({ ...args }, context)
    const { value, headers } = await context.forge.send(plan(args, values))
    if (value === undefined || row.done !== undefined)
      return { value: { status: 'success', message: row.done ?? 'The forge accepted the request.' } }
    return { value: row.shape === undefined ? value : await row.shape(value, args, context), page: headers }
  }
}
