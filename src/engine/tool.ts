import { describeTool } from '../catalog/describe.ts'
import type { ProjectLimit } from '../catalog/project-limit.ts'
import type { RestRow, ToolClass, ToolRow } from '../catalog/row.ts'
import type { ToolsetId } from '../catalog/toolset-id.ts'
import type { ToolOutput } from '../results/result.ts'
import { argumentReader } from './arguments.ts'
import type { ToolContext } from './context.ts'
import { lookupStep } from './lookup.ts'
import { allPages } from './pages.ts'
import { planner } from './plan.ts'
import { CallProblem } from './problem.ts'
import { secretHider } from './secret-arguments.ts'

/** A row made ready to run: everything that can be derived from it has been. */
export interface Tool {
  readonly name: string
  readonly class: ToolClass
  /** The toolset it was registered in; undefined for one that is always on. */
  readonly toolset: ToolsetId | undefined
  /** Its entry in tools/list, as JSON. */
  readonly definition: string
  /** Its records have a declared schema and are also returned as structuredContent. */
  readonly structured: boolean
  /** Argument names. */
  readonly inputs: ReadonlySet<string>
  /** Next steps by status, as of the row. */
  readonly advice: Readonly<Record<number, string>>
  /** @throws CallProblem, ForgeStatusError or ForgeError, each fit to be shown to the caller */
  run(raw: unknown, context: ToolContext): Promise<ToolOutput>
}

export interface ToolSettings {
  /** FORGE_PROJECT_ID: stands in where project_id is optional and absent; empty means none. */
  readonly defaultProject: string
  readonly projects: ProjectLimit
}

/** Compiles a row: its argument reader, its templates and its listing. @throws Error for a row written wrongly */
export function compileTool(row: ToolRow, toolset: ToolsetId | undefined, settings: ToolSettings): Tool {
  const read = argumentReader(row.input)
  const fillProject = settings.defaultProject !== '' && takesDefaultProject(row)
  const hideSecrets = secretHider(row.input)
  const complete = row.lookup === undefined ? undefined : lookupStep(row.lookup)
  const execute: (args: never, context: ToolContext) => Promise<ToolOutput> =
    row.kind === 'rest'
      ? restRunner(row)
      : async (args: never, context: ToolContext) => row.run(args, context)

  return {
    name: row.name,
    class: row.class,
    toolset,
    definition: JSON.stringify(describeTool(row)),
    structured: row.output !== undefined,
    inputs: new Set(Object.keys(row.input.properties)),
    advice: row.advice ?? {},
    async run(raw, context) {
      const args = read(raw)
      if (fillProject) args.project_id ??= settings.defaultProject
      settings.projects.check(args)
      for (const check of row.check ?? []) check(args)
      const found = complete === undefined ? undefined : await complete(args, context.forge)
      try {
        const output = await execute(args as never, context)
        return found === undefined ? output : { ...output, notices: [found, ...(output.notices ?? [])] }
      } catch (error) {
        throw hideSecrets(error, args)
      }
    }
  }
}

/** Where project_id is a number it filters a list of more than projects' things, and a default may be a path. */
function takesDefaultProject({ input }: ToolRow): boolean {
  const project = (input.properties as Record<string, { type?: string }>).project_id
  return project?.type === 'string' && !(input.required ?? []).includes('project_id')
}

function restRunner(row: RestRow) {
  const plan = planner(row)
  return async (args: Record<string, unknown>, context: ToolContext): Promise<ToolOutput> => {
    const values = row.adapt === undefined ? args : await row.adapt({ ...args }, context)
    const request = plan(args, values)
    if (row.whole !== undefined) {
      const { records, notices } = await allPages(context.forge, request, row.whole)
      return { value: row.shape === undefined ? records : await row.shape(records, args, context), notices }
    }
    const { value, headers } = await context.forge.send(request)
    if (value === undefined || row.done !== undefined) return { value: acknowledged(row) }
    const notice = row.notice?.(value, args)
    const shown = row.shape === undefined ? value : await row.shape(value, args, context)
    return { value: shown, page: headers, notices: notice === undefined ? none : [notice] }
  }
}

const none: readonly string[] = []

/** The result where the forge gave no record; one that was to be read is missing then. */
function acknowledged(row: RestRow) {
  if (row.class === 'read') throw new CallProblem('The forge answered without a record.')
  return { status: 'success', message: row.done ?? 'The forge accepted the request.' }
}
