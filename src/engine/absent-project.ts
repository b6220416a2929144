import { CallProblem } from '../results/problem.ts'
import { argumentsOf } from './arguments/argument-flags.ts'
import type { Arguments } from './arguments/values.ts'
import { isOff } from './denied-doings.ts'
import { parseTemplates, type Template } from './requests/template.ts'
import type { ToolRow } from './rows/row.ts'
import type { ToolSettings } from './tool-settings.ts'

/** What is done where a call names no project. */
export interface AbsentProject {
  /** Whether arguments name neither a project nor another place. */
  isNowhere(args: Arguments): boolean
  /** Puts in the project that stands in. @returns it, if one does @param args arguments that name no place */
  fill(args: Record<string, unknown>): string | undefined
  /** @throws CallProblem where something would be deleted in a project that nobody has named */
  refuse(args: Arguments): void
}

/** Prepares for a row what is done where a call names no project. */
export function absentProject(row: ToolRow, settings: ToolSettings): AbsentProject {
  const { defaultProject, isDenied, projects } = settings
  const elsewhere = placesElsewhere(row)
  const isOfNone = goesWithNoProject(row)
  // A project that nobody may name is not used as the default either.
  const standsIn = isOff(row.doesWith?.project_id, isDenied)
    ? ''
    : takesDefaultProject(row)
      ? defaultProject
      : projects.only
  const fills = standsIn !== '' && 'project_id' in row.input.properties
  const mustName = defaultProject !== '' && isNamedToDelete(row)
  return {
    isNowhere: args => args.project_id === undefined && elsewhere.every(name => args[name] === undefined),
    fill(args) {
      if (!fills || isOfNone(args)) return undefined
      args.project_id = standsIn
      return standsIn
    },
    refuse(args) {
      if (mustName && args.project_id === undefined) throw unnamed(row)
    }
  }
}

/**
 * Adds to a required project_id the explanation why the default project is not used: whoever set one expects it to be.
 */
export function withoutDefault(input: ToolRow['input']): ToolRow['input'] {
  const { project_id: project } = input.properties
  if (project === undefined || !(input.required ?? []).includes('project_id')) return input
  const lacking = 'a default project stands in only where it is optional'
  return { ...input, properties: { ...input.properties, project_id: { ...project, lacking } } }
}

/**
 * Arguments that name a place other than a project: if one is given, the default project is not used. What is also
 * named within a project, such as a label, is no place.
 */
function placesElsewhere(row: ToolRow): readonly string[] {
  const templates = row.kind === 'rest' ? [row.request].flat().flatMap(parseTemplates) : []
  const isOfProject = ({ names }: Template) => names.includes('project_id')
  const within = new Set(templates.filter(isOfProject).flatMap(({ names }) => names))
  const names = templates.flatMap(({ names }) => names).filter(name => !within.has(name))
  return [...new Set(['group_id', ...names])]
}

/** Whether what is given goes with no project, so that none can stand in. */
function goesWithNoProject({ noProject }: ToolRow): (args: Arguments) => boolean {
  if (noProject === undefined || noProject === true) return () => false
  const values = Object.entries(noProject)
  return args => values.some(([name, of]) => of.includes(String(args[name])))
}

/** Whether it deletes something of a project, or else of another place: that is too much to do where none is named. */
const isNamedToDelete = (row: ToolRow): boolean => row.class === 'destructive' && isProjectOptional(row)

const unnamed = ({ input }: ToolRow): CallProblem => {
  const name = 'group_id' in input.properties ? "'project_id' or 'group_id'" : "'project_id'"
  return new CallProblem(
    `${name} must be provided: the default project of this server does not stand in where something is deleted or removed.`
  )
}

/** Whether the default project applies, and not only that no other one is served. */
const takesDefaultProject = (row: ToolRow): boolean => isProjectOptional(row) && !isNamedToDelete(row)

/**
 * Whether it is of a project or of another place that is named. It is not if project_id is a number: then it filters a
 * list that also covers things outside projects.
 */
function isProjectOptional({ input, noProject }: ToolRow): boolean {
  const project = argumentsOf(input).project_id
  return (
    project !== undefined &&
    noProject !== true &&
    project.projectNumber !== true &&
    !(input.required ?? []).includes('project_id')
  )
}
