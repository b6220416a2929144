import { LEVEL, levelIn, projectOf } from '../../access.ts'
import {
  accepted,
  bodyFlag,
  bodyText,
  type Call,
  created,
  forbidden,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  queryText,
  refuse
} from '../../http.ts'
import { isCron, isZone, nextRun } from '../../model/cron.ts'
import { refsNamed } from '../../model/history.ts'
import { startPipeline } from '../../model/pipelines.ts'
import { presentPipelineBasic } from '../../present/pipeline.ts'
import { presentUser } from '../../present/user.ts'
import type { Project, Schedule, Variable } from '../../types.ts'

const present = (call: Call, schedule: Schedule) => ({
  id: schedule.id,
  description: schedule.description,
  ref: schedule.ref,
  cron: schedule.cron,
  cron_timezone: schedule.timezone,
  next_run_at: nextRun(schedule.cron, schedule.timezone, call.state.now()),
  active: schedule.active,
  created_at: schedule.createdAt,
  updated_at: schedule.updatedAt,
  owner: presentUser(call.state, schedule.owner)
})

const mayEdit = (call: Call, project: Project, schedule: Schedule) =>
  levelIn(call.user, project) >= LEVEL.maintainer ||
  (schedule.owner === call.user && levelIn(call.user, project) >= LEVEL.developer)

const presentWhole = (call: Call, project: Project, schedule: Schedule) => ({
  ...present(call, schedule),
  last_pipeline: schedule.lastPipeline ? presentPipelineBasic(call.state, schedule.lastPipeline) : null,
  ...(mayEdit(call, project, schedule)
    ? { variables: schedule.variables.map(variable => ({ ...variable, raw: false })) }
    : {}),
  inputs: schedule.inputs
})

const scheduleOf = (call: Call): { project: Project; schedule: Schedule } => {
  const project = projectOf(call)
  const id = call.params.pipeline_schedule_id
  const schedule = project.ops.schedules.find(candidate => String(candidate.id) === id)
  if (!schedule) throw notFound('PipelineSchedule')
  return { project, schedule }
}

const editable = (call: Call) => {
  const found = scheduleOf(call)
  if (!mayEdit(call, found.project, found.schedule)) throw forbidden()
  return found
}

/** The full ref for the name of a branch or tag. */
const fullRef = (project: Project, ref: string) => {
  if (ref.startsWith('refs/')) return ref
  const [found, other] = refsNamed(project, ref)
  if (!found || other) throw refuse(400, { ref: ['is ambiguous'] })
  return `refs/${found.tag ? 'tags' : 'heads'}/${ref}`
}

type Input = { name: string; value?: unknown; destroy?: boolean }

const apply = (call: Call, project: Project, schedule: Schedule): Schedule => {
  const next: Schedule = {
    ...schedule,
    description: bodyText(call, 'description') ?? schedule.description,
    ref: fullRef(project, bodyText(call, 'ref') ?? schedule.ref),
    cron: bodyText(call, 'cron') ?? schedule.cron,
    timezone: bodyText(call, 'cron_timezone') ?? schedule.timezone,
    active: bodyFlag(call, 'active') ?? schedule.active,
    updatedAt: call.state.time()
  }
  if (!isCron(next.cron)) throw refuse(400, { cron: [' is invalid syntax'] })
  if (!isZone(next.timezone)) throw refuse(400, { cron_timezone: [' is invalid syntax'] })
  const inputs = new Map(schedule.inputs.map(({ name, value }) => [name, value]))
  for (const { name, value, destroy } of (call.body.inputs ?? []) as Input[])
    if (destroy) inputs.delete(name)
    else inputs.set(name, value)
  next.inputs = [...inputs].map(([name, value]) => ({ name, value }))
  return next
}

const make = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const { state, user } = call
  const blank: Schedule = {
    id: 0,
    description: '',
    ref: '',
    cron: '',
    timezone: 'UTC',
    active: true,
    owner: user,
    createdAt: state.time(),
    updatedAt: state.time(),
    inputs: [],
    variables: [],
    lastPipeline: null
  }
  const schedule = { ...apply(call, project, blank), id: state.nextId('schedule') }
  project.ops.schedules.push(schedule)
  return created(presentWhole(call, project, schedule))
}

const variableOf = (call: Call, { variables }: Schedule): Variable => {
  const found = variables.find(({ key }) => key === call.params.key)
  if (!found) throw notFound('Pipeline Schedule Variable')
  return found
}

const makeVariable = (call: Call) => {
  const { schedule } = editable(call)
  const key = bodyText(call, 'key') ?? ''
  if (schedule.variables.some(other => other.key === key))
    throw refuse(400, { key: ['has already been taken'] })
  const value = bodyText(call, 'value') ?? ''
  if (value.length > 1000) throw refuse(400, { value: [`is too long: ${value}`] })
  const variable = { key, value, variable_type: bodyText(call, 'variable_type') ?? 'env_var' }
  schedule.variables.push(variable)
  return created(variable)
}

export const scheduleOperations: Operations = {
  list_pipeline_schedules: call => {
    const scope = queryText(call, 'scope')
    const rows = projectOf(call).ops.schedules.filter(
      ({ active }) => scope === undefined || active === (scope === 'active')
    )
    return paged(call, rows, schedule => present(call, schedule))
  },
  get_pipeline_schedule: call => {
    const { project, schedule } = scheduleOf(call)
    return ok(presentWhole(call, project, schedule))
  },
  create_pipeline_schedule: make,
  update_pipeline_schedule: call => {
    const { project, schedule } = editable(call)
    return ok(presentWhole(call, project, Object.assign(schedule, apply(call, project, schedule))))
  },
  delete_pipeline_schedule: call => {
    const { project, schedule } = editable(call)
    project.ops.schedules = project.ops.schedules.filter(other => other !== schedule)
    return noContent()
  },
  play_pipeline_schedule: call => {
    const { project, schedule } = scheduleOf(call)
    if (levelIn(call.user, project) < LEVEL.developer) throw forbidden()
    const [found] = refsNamed(project, schedule.ref)
    if (!found) throw refuse(500, 'Unable to schedule pipeline run immediately')
    const { name: ref, sha, tag } = found
    const { variables } = schedule
    const parts = { ref, sha, tag, user: call.user, source: 'schedule', variables }
    schedule.lastPipeline = startPipeline(call.state, project, parts)
    return created({ message: '201 Created' })
  },
  create_schedule_variable: makeVariable,
  update_schedule_variable: call => {
    const variable = variableOf(call, editable(call).schedule)
    variable.value = bodyText(call, 'value') ?? variable.value
    variable.variable_type = bodyText(call, 'variable_type') ?? variable.variable_type ?? 'env_var'
    return ok(variable)
  },
  delete_schedule_variable: call => {
    const { schedule } = editable(call)
    const variable = variableOf(call, schedule)
    schedule.variables = schedule.variables.filter(other => other !== variable)
    return accepted(variable)
  }
}
