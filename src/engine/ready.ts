import type { ProjectLimit } from '../catalog/project-limit.ts'
import type { ToolRow } from '../catalog/row.ts'
import { argumentReader } from './arguments.ts'
import { type Check, exactlyOne } from './checks.ts'
import { confirmStep } from './confirm.ts'
import type { ToolContext } from './context.ts'
import { lookupStep } from './lookup.ts'
import { addressStep, namedStep } from './named.ts'
import { isOfProjectOrGroup, parseTemplates } from './template.ts'

export interface ToolSettings {
  /** FORGE_PROJECT_ID: stands in where project_id is optional and absent; empty means none. */
  readonly defaultProject: string
  readonly projects: ProjectLimit
}

/** The arguments of a call, complete and checked, and what was chosen in completing them, in words. */
interface Ready {
  readonly args: Record<string, unknown>
  readonly remarks: readonly string[]
}

/**
 * Prepares all that comes before a row runs: its arguments are read, the project filled in and held against the
 * policy, the rules over several arguments asked, and what is named looked up.
 * @returns a step that throws CallProblem, or what the forge's refusals are
 */
export function readied(row: ToolRow, settings: ToolSettings) {
  const read = argumentReader(row.input, row.class === 'read')
  const readAddresses = addressStep(row.input)
  const fillProject = settings.defaultProject !== '' && takesDefaultProject(row)
  const elsewhere = placesElsewhere(row)
  const checks = checksOf(row)
  const lookups = [row.lookup ?? []].flat().map(lookupStep)
  const putNumbers = namedStep(row.input)
  const confirm = row.confirm === undefined ? undefined : confirmStep(row.confirm)

  return async (raw: unknown, context: ToolContext): Promise<Ready> => {
    const args = read(raw)
    readAddresses(args, context.forge.webUrl)
    if (fillProject && elsewhere.every(name => args[name] === undefined))
      args.project_id ??= settings.defaultProject
    settings.projects.check(args)
    for (const check of checks) check(args)
    const remarks: string[] = []
    for (const complete of lookups) {
      const remark = await complete(args, context)
      if (remark !== undefined) remarks.push(remark)
    }
    await putNumbers?.(args, context)
    await confirm?.(args, context.forge)
    return { args, remarks }
  }
}

/** The row's own, after what its request calls for. */
function checksOf(row: ToolRow): readonly Check[] {
  const own = row.check ?? []
  const isOfEither = row.kind === 'rest' && [row.request].flat().some(isOfProjectOrGroup)
  return isOfEither ? [exactlyOne('project_id', 'group_id'), ...own] : own
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
