import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { numberIn } from '../../src/engine/requests/record.ts'
import { sideBySide } from '../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { explainFailure, isStatus } from '../../src/results/failure.ts'
import { type Fields, fieldsOf, isRecord, recordsIn } from '../../src/results/is-record.ts'
import { CallProblem, inPlace } from '../../src/results/problem.ts'

const all = '/projects/{project_id}/pipeline_schedules/{schedule_id}/variables'
const one = `${all}/{.key}`

/** Most concurrent requests for one schedule. */
const WIDTH = 4

export const notYours = {
  403: 'It is another person’s, and only the owner and maintainers may change it: taking ownership in the web UI makes it run with your rights.'
}

export interface Variable {
  readonly key: string
  readonly value?: string
  readonly variable_type?: string
  readonly destroy?: boolean
}

type Change = (variable: Variable, ids: Fields, forge: ToolContext['forge']) => Promise<string>

/** A schedule with only the names of its variables and inputs, without their values. */
export function withoutValues(schedule: unknown): unknown {
  if (!isRecord(schedule)) return schedule
  const { variables, inputs } = schedule
  return {
    ...schedule,
    ...(variables != null && {
      variables: named(variables, 'key').map(({ key, variable_type }) => ({ key, variable_type }))
    }),
    ...(inputs != null && { inputs: named(inputs, 'name').map(({ name }) => ({ name })) })
  }
}

/** The records of a list, or of an object that maps names to values. */
const named = (things: unknown, label: string): readonly Fields[] =>
  isRecord(things) ? Object.keys(things).map(name => ({ [label]: name })) : recordsIn(things)

/** Whether a call changes the schedule itself. Variables do not count: the forge has a separate request for each. */
export const changesSchedule = ({
  project_id: _,
  schedule_id: __,
  variables: ___,
  ...fields
}: Arguments): boolean => Object.values(fields).some(value => value !== undefined)

/**
 * Creates the variables of a new schedule.
 * @throws CallProblem that names the schedule and the variables it lacks
 */
export const makeVariables = (schedule: unknown, args: Arguments, context: ToolContext) =>
  applied(schedule, args, context, make, 'made')

/**
 * Changes, creates or deletes single variables of a schedule.
 * @throws CallProblem that names the variables that failed
 */
export const changeVariables = (schedule: unknown, args: Arguments, context: ToolContext) =>
  applied(schedule, args, context, change, changesSchedule(args) ? 'changed as asked for' : 'as it was')

async function applied(
  schedule: unknown,
  args: Arguments,
  { forge }: ToolContext,
  apply: Change,
  done: string
): Promise<unknown> {
  const wanted = (args.variables ?? []) as readonly Variable[]
  if (wanted.length === 0) return withoutValues(schedule)
  const id =
    args.schedule_id ??
    inPlace(`The schedule is ${done}, but its variables are not set`, () => numberIn(schedule, 'id'))
  const ids = { project_id: args.project_id, schedule_id: id }
  const outcomes = await sideBySide(wanted, WIDTH, async variable => {
    const { key, variable_type } = variable
    try {
      return { key, variable_type, result: await apply(variable, ids, forge) }
    } catch (error) {
      const problem = explainFailure(error, true, apply === change ? notYours : {})
      if (problem === undefined) throw error
      return { key, problem }
    }
  })
  const failed = outcomes.flatMap(({ key, problem }) => (problem === undefined ? [] : [`${key}: ${problem}`]))
  if (failed.length > 0)
    throw new CallProblem(
      `The schedule ${id} is ${done}, but ${failed.length} of ${wanted.length} variables are not as asked for. Give those again with update_pipeline_schedule. ${failed.join(' ')}`
    )
  return { ...fieldsOf(withoutValues(schedule)), variables: outcomes }
}

async function make({ key, value, variable_type }: Variable, ids: Fields, forge: ToolContext['forge']) {
  if (value === undefined) throw new CallProblem('There is none of this key: give value to make it.')
  await forge.send({ ...requestTo(`POST ${all}`, ids), body: { key, value, variable_type } })
  return 'created'
}

async function change(variable: Variable, ids: Fields, forge: ToolContext['forge']) {
  const { key, value, variable_type, destroy } = variable
  const named = { ...ids, key }
  if (destroy === true) {
    await forge.send(requestTo(`DELETE ${one}`, named))
    return 'deleted'
  }
  try {
    await forge.send({ ...requestTo(`PUT ${one}`, named), body: { value, variable_type } })
    return 'updated'
  } catch (error) {
    if (!isStatus(error, [404])) throw error
    return make(variable, ids, forge)
  }
}
