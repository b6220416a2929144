import { LEVEL, levelIn, projectOf } from '../access.ts'
import {
  badRequest,
  bodyText,
  type Call,
  created,
  forbidden,
  type Operations,
  ok,
  paged,
  queryFlag,
  queryList,
  queryText,
  recordNotFound,
  refuse,
  text
} from '../http.ts'
import { isCalled } from '../model/filters.ts'
import { refsNamed } from '../model/history.ts'
import { advance, cancelJob, currentJobs, retryJob, startPipeline, statusOf } from '../model/pipelines.ts'
import { type Keys, keyOf, ordered, within } from '../model/rows.ts'
import { traceOf } from '../model/trace.ts'
import { presentBridge, presentJob, presentPipeline, presentPipelineBasic } from '../present/pipeline.ts'
import type { Job, Pipeline, Variable } from '../types.ts'

export const pipelineOf = (call: Call, level?: number): Pipeline => {
  const found = projectOf(call, level).pipelines.find(({ id }) => String(id) === call.params.pipeline_id)
  if (!found) throw recordNotFound()
  return found
}

export const jobOf = (call: Call, level?: number): Job => {
  const jobs = projectOf(call, level).pipelines.flatMap(pipeline => pipeline.jobs)
  const found = jobs.find(job => String(job.id) === call.params.job_id && !job.plan.trigger)
  if (!found) throw recordNotFound()
  return found
}

const SCOPES: Record<string, string[]> = {
  running: ['running'],
  pending: ['pending'],
  finished: ['success', 'failed', 'canceled', 'skipped']
}

const inScope = (pipeline: Pipeline, scope: string | undefined, rows: Pipeline[]) => {
  if (!scope) return true
  if (scope !== 'branches' && scope !== 'tags') return SCOPES[scope]!.includes(statusOf(pipeline))
  // The latest pipeline of each existing branch or tag (docs: pipelines API, scope).
  const { ref, tag, project } = pipeline
  const { branches, repository } = project
  const newest = rows.findLast(other => other.ref === ref && other.tag === tag)
  return tag === (scope === 'tags') && (tag ? repository.tags : branches).has(ref) && newest === pipeline
}

const matches = (call: Call, pipeline: Pipeline) => {
  const equal = (name: string, value: string) => (queryText(call, name) ?? value) === value
  const invalid = queryText(call, 'yaml_errors')
  return (
    equal('status', statusOf(pipeline)) &&
    equal('ref', pipeline.ref) &&
    equal('sha', pipeline.sha) &&
    isCalled(pipeline.user, queryText(call, 'username') ?? pipeline.user.username) &&
    (queryText(call, 'source') ?? pipeline.source) === pipeline.source &&
    (pipeline.source !== 'parent_pipeline' || queryText(call, 'source') === 'parent_pipeline') &&
    (!invalid || (pipeline.yamlErrors !== null) === (invalid === 'true')) &&
    within(call, 'updated', pipeline.updatedAt) &&
    within(call, 'created', pipeline.createdAt)
  )
}

const KEYS: Keys<Pipeline> = {
  id: ({ id }) => id,
  status: statusOf,
  ref: ({ ref }) => ref,
  updated_at: ({ updatedAt }) => updatedAt,
  user_id: ({ user }) => user.id
}

const list = (call: Call) => {
  const all = projectOf(call).pipelines
  const scope = queryText(call, 'scope')
  const found = all.filter(pipeline => inScope(pipeline, scope, all) && matches(call, pipeline))
  const rows = ordered(call, found, keyOf(call, KEYS, 'id'), 'desc')
  return paged(call, rows, pipeline => presentPipelineBasic(call.state, pipeline))
}

const jobRows = (call: Call, wanted: (job: Job) => boolean) => {
  const pipeline = pipelineOf(call)
  const jobs = queryFlag(call, 'include_retried') ? pipeline.jobs : currentJobs(pipeline)
  const scope = queryList(call, 'scope')
  return jobs.filter(job => wanted(job) && (scope?.includes(job.status) ?? true)).sort((a, b) => b.id - a.id)
}

const bridges = (call: Call) =>
  paged(
    call,
    jobRows(call, job => job.plan.trigger !== undefined),
    job => presentBridge(call.state, job)
  )

const BAD_KEY = "key can contain only letters, digits and '_'."

const hasBadKey = (variables: readonly Variable[]) => variables.some(({ key }) => !/^\w{1,255}$/.test(key))

const createPipeline = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const [found, other] = refsNamed(project, bodyText(call, 'ref') ?? '')
  if (!found) throw refuse(400, { base: ['Reference not found'] })
  if (other) throw refuse(400, { base: ['Ref is ambiguous'] })
  const { name: ref, sha, tag } = found
  if (found.protected && levelIn(call.user, project) < LEVEL.maintainer)
    throw refuse(400, { base: [`You do not have sufficient permission to run a pipeline on '${ref}'`] })
  if (project.ci.length === 0) throw refuse(400, { base: ['Missing CI config file'] })
  const variables = (call.body.variables ?? []) as Variable[]
  if (hasBadKey(variables))
    throw refuse(400, { base: [`Failed to persist the pipeline: Validation failed: Variables ${BAD_KEY}`] })
  const inputs = (call.body.inputs ?? {}) as Record<string, unknown>
  const parts = { ref, sha, tag, user: call.user, source: 'api', variables, inputs }
  return created(presentPipeline(call.state, startPipeline(call.state, project, parts)))
}

/** Checks that the caller may run CI: a developer may, on a protected branch a maintainer (docs: permissions). */
const mayRun = (call: Call, { project, ref, tag }: Pipeline) => {
  const isProtected = !tag && project.branches.get(ref)?.protected
  const needed = isProtected ? LEVEL.maintainer : LEVEL.developer
  if (levelIn(call.user, project) < needed) throw forbidden()
}

const writable = (call: Call): Pipeline => {
  const pipeline = pipelineOf(call)
  mayRun(call, pipeline)
  return pipeline
}

const writableJob = (call: Call): Job => {
  const job = jobOf(call)
  mayRun(call, job.pipeline)
  return job
}

const RETRYABLE = ['failed', 'canceled']

const play = (call: Call) => {
  const job = writableJob(call)
  if (job.status !== 'manual') throw badRequest('Unplayable Job')
  const variables = (call.body.job_variables_attributes ?? []) as Variable[]
  if (hasBadKey(variables)) throw badRequest(`Validation failed: Job variables ${BAD_KEY}`)
  job.status = 'created'
  job.playedAt = call.state.now()
  job.user = call.user
  job.variables = variables
  advance(call.state, job.pipeline)
  return ok(presentJob(call.state, job))
}

export const pipelineOperations: Operations = {
  list_pipelines: list,
  get_pipeline: call => ok(presentPipeline(call.state, pipelineOf(call))),
  create_pipeline: createPipeline,
  retry_pipeline: call => {
    const pipeline = writable(call)
    for (const job of currentJobs(pipeline)) {
      if (RETRYABLE.includes(job.status) && !job.retried) retryJob(call.state, job, call.user)
    }
    return created(presentPipeline(call.state, pipeline))
  },
  cancel_pipeline: call => {
    const pipeline = writable(call)
    // Manual jobs are not canceled (Ci::HasStatus, CANCELABLE_STATUSES).
    for (const job of currentJobs(pipeline)) if (job.status !== 'manual') cancelJob(call.state, job)
    // 200 whatever the status was (lib/api/ci/pipelines.rb sets it).
    return ok(presentPipeline(call.state, pipeline))
  },
  list_pipeline_jobs: call =>
    paged(
      call,
      jobRows(call, job => job.plan.trigger === undefined),
      job => presentJob(call.state, job)
    ),
  list_pipeline_bridges: bridges,
  list_pipeline_trigger_jobs: bridges,
  list_project_jobs: call => {
    const scope = queryList(call, 'scope')
    const jobs = projectOf(call)
      .pipelines.flatMap(pipeline => pipeline.jobs)
      .filter(job => !job.plan.trigger && (scope?.includes(job.status) ?? true))
      .sort((a, b) => b.id - a.id)
    return paged(call, jobs, job => presentJob(call.state, job))
  },
  get_job: call => ok(presentJob(call.state, jobOf(call))),
  get_job_trace: call => {
    const trace = Buffer.from(traceOf(call.state, jobOf(call)))
    const from = Number(queryText(call, 'byte_offset') ?? 0)
    const limit = queryText(call, 'byte_limit')
    return text(trace.subarray(from, limit ? from + Number(limit) : undefined).toString())
  },
  play_job: play,
  retry_job: call => {
    const job = writableJob(call)
    if (job.retried || ![...RETRYABLE, 'success'].includes(job.status))
      throw forbidden('Job is not retryable')
    return created(presentJob(call.state, retryJob(call.state, job, call.user)))
  },
  cancel_job: call => {
    const job = writableJob(call)
    if (call.body.force === true && levelIn(call.user, job.pipeline.project) < LEVEL.maintainer)
      throw forbidden()
    cancelJob(call.state, job)
    return created(presentJob(call.state, job))
  }
}
