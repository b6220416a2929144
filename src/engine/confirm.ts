import { CallProblem } from '../results/problem.ts'
import type { Arguments } from './checks.ts'
import type { ToolContext } from './context.ts'
import { projectIdOf } from './project-id.ts'
import { fillTemplate, fitting, parseTemplates } from './template.ts'

/** What is read of a thing before something is done to it by its number, as data. */
export interface Confirmation {
  /** A template of the record, or several: the first whose placeholders are all given. */
  readonly read: string | readonly string[]
  /** The field that `confirm` must be, to the letter. */
  readonly field: string
  /** The thing, in messages. */
  readonly noun: string
  /** Its number counts over all projects, and a wrong one would be another project's: `project_id` is to be this one. */
  readonly ofProject?: boolean
  /** What is shown of the field, where that is not all of it; it will do as well. */
  readonly shown?: (name: string) => string
}

/**
 * @returns the record's name as it may be shown
 * @throws CallProblem when `confirm` is not that name, what ForgeClient.send throws
 */
export type ConfirmStep = (args: Arguments, context: ConfirmContext) => Promise<string>

type ConfirmContext = Pick<ToolContext, 'forge' | 'known'>

/**
 * Prepares the reading before a deletion, so that a wrong number cannot delete the wrong thing. The message does
 * not give the name away: who deletes should have read the thing.
 */
export function confirmStep(confirmation: Confirmation): ConfirmStep {
  const { field, noun, shown } = confirmation
  const read = nameReader(confirmation)
  return async (args, context) => {
    const name = await read(args, context)
    const short = name === undefined ? undefined : (shown?.(name) ?? name)
    if (short !== undefined && [name, short].includes(args.confirm as string)) return short
    throw new CallProblem(
      `confirm is not the ${field} of this ${noun}. Nothing was done: read the ${noun}, and if it is the right one give its ${field} exactly as it is.`
    )
  }
}

/** Prepares the reading of a record's name; undefined for a record that has none. @throws CallProblem for another project's */
export function nameReader({ read, field, noun, ofProject }: Confirmation) {
  const templates = [read].flat().flatMap(parseTemplates)
  return async (args: Arguments, context: ConfirmContext): Promise<string | undefined> => {
    const template = fitting(templates, args)
    const path = fillTemplate(template, args)
    const { value } = await context.forge.send({ method: 'GET', path, template: template.path })
    const record = value as Record<string, unknown> | undefined
    if (ofProject && record?.project_id !== (await projectIdOf(args, context)))
      throw new CallProblem(
        `This ${noun} is not of this project. Nothing was done: its number counts over all projects.`
      )
    const name = record?.[field]
    return typeof name === 'string' ? name : undefined
  }
}
