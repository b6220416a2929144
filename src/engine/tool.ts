import { describeTool } from '../catalog/describe.ts'
import type { ProjectLimit } from '../catalog/project-limit.ts'
import type { ToolClass, ToolRow } from '../catalog/row.ts'
import type { ToolsetId } from '../catalog/toolset-id.ts'
import type { RecordName } from '../results/records/index.ts'
import type { ToolOutput } from '../results/result.ts'
import { argumentReader } from './arguments.ts'
import { type Arguments, type Check, exactlyOne } from './checks.ts'
import { confirmStep } from './confirm.ts'
import type { ToolContext } from './context.ts'
import { lookupStep } from './lookup.ts'
import { runnerOf } from './runners.ts'
import { secretHider } from './secret-arguments.ts'
import { isOfProjectOrGroup, parseTemplates } from './template.ts'

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
  /** What its records are, for the table of what is shown of them. */
  readonly record: RecordName | undefined
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
  const elsewhere = placesElsewhere(row)
  const hideSecrets = secretHider(row.input)
  const checks = checksOf(row)
  const lookups = [row.lookup ?? []].flat().map(lookupStep)
  const confirm = row.confirm === undefined ? undefined : confirmStep(row.confirm)
  const execute = runnerOf(row)

  return {
    name: row.name,
    class: row.class,
    toolset,
    definition: JSON.stringify(describeTool(row)),
    structured: row.output !== undefined,
    inputs: new Set(Object.keys(row.input.properties)),
    record: typeof row.record === 'string' ? row.record : undefined,
    advice: row.advice ?? {},
    async run(raw, context) {
      const args = read(raw)
      if (fillProject && elsewhere.every(name => args[name] === undefined))
        args.project_id ??= settings.defaultProject
      settings.projects.check(args)
      for (const check of checks) check(args)
      const found: string[] = []
      for (const complete of lookups) {
        const remark = await complete(args, context)
        if (remark !== undefined) found.push(remark)
      }
      await confirm?.(args, context.forge)
      try {
        const output = withRecord(await execute(args, context), row, args)
        return found.length === 0 ? output : { ...output, notices: [...found, ...(output.notices ?? [])] }
      } catch (error) {
        throw hideSecrets(error, args)
      }
    }
  }
}

/** The row's own, after what its request calls for. */
function checksOf(row: ToolRow): readonly Check[] {
  const own = row.check ?? []
  const isOfEither = row.kind === 'rest' && [row.request].flat().some(isOfProjectOrGroup)
  return isOfEither ? [exactlyOne('project_id', 'group_id'), ...own] : own
}

/** The type of the records, where an argument tells it. */
function withRecord(output: ToolOutput, { record }: ToolRow, args: Arguments): ToolOutput {
  if (typeof record !== 'object') return output
  return { ...output, record: record.of[String(args[record.argument])] }
}

/** Arguments that name another place than a project: where one is given, no default project is meant. */
function placesElsewhere(row: ToolRow): readonly string[] {
  const templates = row.kind === 'rest' ? [row.request].flat().flatMap(parseTemplates) : []
  const names = templates.filter(({ names }) => !names.includes('project_id')).flatMap(({ names }) => names)
  return [...new Set(['group_id', ...names])]
}

/** Where project_id is a number it filters a list of more than projects' things, and a default may be a path. */
function takesDefaultProject({ input }: ToolRow): boolean {
  const project = (input.properties as Record<string, { type?: string }>).project_id
  return project?.type === 'string' && !(input.required ?? []).includes('project_id')
}
