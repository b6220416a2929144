import { CallProblem } from '../results/problem.ts'
import { argumentsOf } from './arguments/argument-flags.ts'
import type { Arguments, OwnArguments } from './arguments/values.ts'
import { isOff } from './denied-doings.ts'
import { parseTemplates, type Template } from './requests/template.ts'
import type { ToolRow } from './rows/row.ts'
import type { ToolSettings } from './tool-settings.ts'

/** Handles calls that name no project. */
interface AbsentProject {
  /** Whether arguments name neither a project nor another place. */
  isNowhere(args: Arguments): boolean
  /**
   * Sets the project to the one that stands in. @returns that project, if there is one @param args arguments that name
   * no place
   */
  fill(args: OwnArguments): string | undefined
  /** @throws CallProblem if the call would delete something in a project that it does not name */
  refuse(args: Arguments): void
}

/** Prepares the handling of calls of a row that name no project. */
export function absentProject(row: ToolRow, settings: ToolSettings): AbsentProject {
  const elsewhere = placesElsewhere(row)
  const isOfNone = goesWithNoProject(row)
  const standsIn = standInFor(row, settings)
  const fills = standsIn !== '' && 'project_id' in row.input.properties
  const mustName = settings.defaultProject !== '' && isNamedToDelete(row)
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

/** The project that a call of a row without one is for; empty if none stands in. */
function standInFor(row: ToolRow, { defaultProject, isDenied, projects }: ToolSettings): string {
  // A project that nobody may name is not used as the default either.
  if (isOff(row.doesWith?.project_id, isDenied)) return ''
  if (takesDefaultProject(row)) return defaultProject
  // Beside a default that is not served, the only project that is served is another one.
  return projects.serves(defaultProject) ? projects.only : ''
}

/**
 * Adds to a required project_id the explanation why the default project is not used: an operator who has set one
 * expects it to be.
 */
export function withoutDefault(input: ToolRow['input']): ToolRow['input'] {
  const { project_id: project } = input.properties
  if (project === undefined || !(input.required ?? []).includes('project_id')) return input
  const lacking = 'a default project stands in only where it is optional'
  return { ...input, properties: { ...input.properties, project_id: { ...project, lacking } } }
}

/**
 * Arguments that name a place other than a project: if one is given, the default project is not used. An argument that
 * is also used within a project, such as a label, is no such place.
 */
function placesElsewhere(row: ToolRow): readonly string[] {
  const templates = row.kind === 'rest' ? [row.request].flat().flatMap(parseTemplates) : []
  const isOfProject = ({ names }: Template) => names.includes('project_id')
  const within = new Set(templates.filter(isOfProject).flatMap(({ names }) => names))
  const names = templates.flatMap(({ names }) => names).filter(name => !within.has(name))
  return [...new Set(['group_id', ...names])]
}

/** Whether the arguments belong to no project, so that none can stand in. */
function goesWithNoProject({ noProject }: ToolRow): (args: Arguments) => boolean {
  if (noProject === undefined || noProject === true) return () => false
  const values = Object.entries(noProject)
  return args => values.some(([name, of]) => of.includes(String(args[name])))
}

/** Whether it deletes something of a project or of another place. For that the call must name the place. */
const isNamedToDelete = (row: ToolRow): boolean => row.class === 'destructive' && isProjectOptional(row)

const unnamed = ({ input }: ToolRow): CallProblem => {
  const name = 'group_id' in input.properties ? "'project_id' or 'group_id'" : "'project_id'"
  return new CallProblem(
    `${name} must be provided: the default project of this server does not stand in where something is deleted or removed.`
  )
}

/** Whether the default project applies; otherwise a project stands in only if it is the only one served. */
const takesDefaultProject = (row: ToolRow): boolean => isProjectOptional(row) && !isNamedToDelete(row)

/**
 * Whether the tool takes a project or another place. If project_id is a number, it does not: then the project filters a
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
