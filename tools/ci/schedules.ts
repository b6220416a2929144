import { Type } from 'typebox'
import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { firstTwice } from '../../src/engine/first-twice.ts'
import { someChange } from '../../src/engine/rows/checks.ts'
import {
  Confirm,
  flag,
  inert,
  noneIfEmpty,
  oneOf,
  optional,
  Page,
  ProjectId,
  scalarOrList,
  secret,
  text,
  variableValue
} from '../../src/engine/rows/fields.ts'
import { ref } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import type { Advice } from '../../src/results/failure.ts'
import { fieldsOf, isRecord } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quoted } from '../../src/results/visible.ts'
import {
  changesSchedule,
  changeVariables,
  makeVariables,
  notYours,
  type Variable,
  withoutValues
} from './schedule-variables.ts'

const schedules = '/projects/{project_id}/pipeline_schedules'
const schedule = { project_id: ProjectId, schedule_id: text() }

/** Checks only the number of fields. The forge checks their content. */
const fiveFields: Check = ({ cron }) => {
  if (cron === undefined) return
  const fields = String(cron).trim().split(/\s+/, 6)
  if (fields.length !== 5 || String(cron).trim() === '')
    throw new CallProblem(
      `cron takes five fields (minute, hour, day, month, weekday), such as 0 4 * * 1-5; ${JSON.stringify(String(cron).slice(0, 60))} is none.`
    )
}

/** Checks that each key occurs once. Of two values for a key, the forge would take the last. */
const keysOnce: Check = ({ variables = [] }) => {
  const keys = (variables as readonly { key: string }[]).map(({ key }) => key)
  const twice = firstTwice(keys)
  if (twice !== undefined) throw new CallProblem(`variables has ${twice} twice. Nothing was sent.`)
}

/**
 * Refuses to set and remove the same variable or input. Forges would remove it. An empty value is accepted, as clients
 * fill it in.
 */
const eitherWay: Check = ({ variables = [], inputs = [] }) => {
  for (const [argument, list] of Object.entries({ variables, inputs }))
    for (const { key, name = key, value = '', destroy } of list as readonly Arguments[])
      if (destroy === true && value !== '')
        throw new CallProblem(
          `${argument} has ${quoted(name)} with value and destroy: give value to set it, or destroy to take it away. Nothing was sent.`
        )
}

const variablesChange: Check = args => {
  const { variables } = args as { variables?: readonly Variable[] }
  if (variables?.length === 0 && !changesSchedule(args))
    throw new CallProblem('variables is empty: name those to set, or with destroy those to take away.')
  const idle = variables?.find(
    ({ value, variable_type: type, destroy }) => value === undefined && type === undefined && destroy !== true
  )
  if (idle !== undefined)
    throw new CallProblem(
      `variables has nothing to change of ${idle.key}: give value, or destroy to take it away. Nothing was sent.`
    )
}

const Key = Type.String({
  pattern: '^[A-Za-z0-9_]{1,255}$',
  problem: 'must be letters, digits and _ alone, as A-Z, a-z, 0-9'
})
const variable = {
  key: Key,
  variable_type: optional(oneOf(['env_var', 'file']))
}
const destroy = optional(flag())

const Timing = {
  cron_timezone: optional(text('Such as Europe/Berlin')),
  active: optional(flag())
}

/** Advice for cron and cron_timezone. The forge only says that the syntax is invalid. */
const syntax: Advice = {
  400: [
    [/\bcron_timezone\b/, 'It takes the name of a zone, such as Europe/Berlin or UTC.'],
    [/\bcron\b/, 'Its fields are minute 0-59, hour 0-23, day 1-31, month 1-12 and weekday 0-7.']
  ]
}

/** Advice for a call that gives an owner. The pipelines run with the owner's rights. */
const ofOwner = (owner: string) => ({ instead: { owner, owner_id: owner } })

/** Whether a forge says something, but in no record: in a text or list. */
const isNoRecord = (value: unknown): boolean =>
  !isRecord(value) && [value ?? []].flat().some(part => part !== '')

/** What the forge says, in JSON of any kind, and how to find the started pipeline, as it does not name it. */
const played = (value: unknown, _: unknown, context: Pick<ToolContext, 'mayRun'>): Arguments => ({
  ...(isNoRecord(value) ? { message: value } : fieldsOf(withoutValues(value))),
  ...(context.mayRun('list_pipelines') && {
    next: 'list_pipelines shows the pipeline in some seconds: that of the ref of the schedule, newest first.'
  })
})

export const scheduleRows: readonly ToolRow[] = [
  rest({
    name: 'list_pipeline_schedules',
    class: 'read',
    title: 'Pipeline schedules',
    summary: 'List what starts pipelines at times.',
    input: Type.Object(
      { project_id: ProjectId, scope: optional(oneOf(['active', 'inactive'])), ...Page },
      ofOwner('each in the list has its owner')
    ),
    request: `GET ${schedules}`,
    shape: value => (Array.isArray(value) ? value.map(withoutValues) : withoutValues(value)),
    record: 'pipeline_schedule'
  }),
  rest({
    name: 'get_pipeline_schedule',
    class: 'read',
    title: 'Pipeline schedule',
    summary: 'Get it with its last pipeline and variables.',
    input: Type.Object({ ...schedule, include_values: optional(flag('If you may edit it')) }),
    request: `GET ${schedules}/{schedule_id}`,
    local: ['include_values'],
    shape: (value, { include_values: values }) => (values === true ? value : withoutValues(value)),
    record: 'pipeline_schedule',
    reveals: ['include_values']
  }),
  rest({
    name: 'create_pipeline_schedule',
    class: 'write',
    does: ['create_pipeline'],
    title: 'Create pipeline schedule',
    summary: 'Start pipelines at times, with your rights.',
    input: Type.Object(
      {
        project_id: ProjectId,
        description: inert(text()),
        ref: ref('Branch or tag'),
        cron: text('Five fields'),
        ...Timing,
        inputs: optional(
          Type.Array(Type.Object({ name: text(), value: scalarOrList() }), { description: 'spec:inputs' })
        ),
        variables: optional(
          Type.Array(Type.Object({ ...variable, value: variableValue() }), { maxItems: 50 })
        )
      },
      ofOwner('you own what you create')
    ),
    check: [fiveFields, keysOnce],
    request: `POST ${schedules}`,
    local: ['variables'],
    shape: makeVariables,
    record: 'pipeline_schedule',
    advice: syntax
  }),
  rest({
    name: 'update_pipeline_schedule',
    class: 'write',
    // With these arguments an active schedule starts the same pipelines as create_pipeline.
    doesWith: {
      ref: 'create_pipeline',
      cron: 'create_pipeline',
      cron_timezone: 'create_pipeline',
      inputs: 'create_pipeline',
      variables: 'create_pipeline',
      active: { true: 'create_pipeline' }
    },
    title: 'Update pipeline schedule',
    summary: 'Change what is given; destroy takes an input or variable away.',
    input: Type.Object(
      {
        ...schedule,
        description: optional(noneIfEmpty(inert(text()))),
        ref: optional(ref()),
        cron: optional(text('Five fields')),
        ...Timing,
        inputs: optional(
          Type.Array(Type.Object({ name: text(), value: optional(scalarOrList()), destroy }), {
            description: 'spec:inputs'
          })
        ),
        variables: optional(
          Type.Array(Type.Object({ ...variable, value: optional(secret()), destroy }), { maxItems: 50 })
        )
      },
      ofOwner('who takes it over does so on its page on the forge')
    ),
    check: [someChange('project_id', 'schedule_id'), fiveFields, keysOnce, variablesChange, eitherWay],
    request: [`PUT ${schedules}/{schedule_id}`, `GET ${schedules}/{schedule_id}`],
    choose: args =>
      changesSchedule(args) ? `PUT ${schedules}/{schedule_id}` : `GET ${schedules}/{schedule_id}`,
    local: ['variables'],
    shape: changeVariables,
    record: 'pipeline_schedule',
    advice: { ...syntax, ...notYours }
  }),
  rest({
    name: 'delete_pipeline_schedule',
    class: 'destructive',
    title: 'Delete pipeline schedule',
    summary: 'Delete it for good; active=false of update_pipeline_schedule pauses.',
    input: Type.Object({ ...schedule, confirm: Confirm('description') }),
    confirm: {
      read: `GET ${schedules}/{schedule_id}`,
      field: 'description',
      noun: 'pipeline schedule'
    },
    request: `DELETE ${schedules}/{schedule_id}`,
    local: ['confirm'],
    done: 'The pipeline schedule is deleted.',
    advice: {
      ...notYours,
      412: 'It changed while it was being deleted: read it again, then decide.'
    }
  }),
  rest({
    name: 'play_pipeline_schedule',
    class: 'write',
    does: ['create_pipeline'],
    title: 'Run pipeline schedule',
    summary: 'Start its pipeline now; list_pipelines shows it some seconds later.',
    input: Type.Object(schedule),
    request: `POST ${schedules}/{schedule_id}/play`,
    shape: played,
    advice: {
      ...notYours,
      429: 'A schedule is run at most once a minute: wait, then look with list_pipelines.',
      500: 'The forge could not run it now: look with list_pipelines before you repeat it.'
    }
  })
]
