import type { ForgeState } from '../state.ts'
import type { Job, JobPlan, Pipeline, Project, User, Variable } from '../types.ts'
import { deployFor } from './deployments.ts'

const QUEUE_MS = 400
const FINAL = ['success', 'failed', 'canceled', 'skipped']
const ACTIVE = ['pending', 'running']

const makeJob = (state: ForgeState, pipeline: Pipeline, plan: JobPlan, attempt: number, at: number): Job => ({
  id: state.nextId('job'),
  plan,
  pipeline,
  status: 'created',
  attempt,
  user: pipeline.user,
  createdAt: at,
  startedAt: null,
  finishedAt: null,
  playedAt: null,
  retried: false,
  variables: [],
  downstream: null,
  erased: null,
  kept: false
})

/** Starts a pipeline. `at` dates it back for sample data. */
export const startPipeline = (
  state: ForgeState,
  project: Project,
  parts: {
    ref: string
    sha: string
    user: User
    source: string
    tag?: boolean
    plans?: JobPlan[]
    at?: number
    variables?: Variable[]
    inputs?: Record<string, unknown>
  }
): Pipeline => {
  const at = parts.at ?? state.now()
  const pipeline: Pipeline = {
    id: state.nextId('pipeline'),
    iid: project.pipelines.length + 1,
    project,
    sha: parts.sha,
    ref: parts.ref,
    tag: parts.tag ?? false,
    source: parts.source,
    user: parts.user,
    createdAt: at,
    updatedAt: at,
    jobs: [],
    variables: parts.variables ?? [],
    inputs: parts.inputs ?? {},
    yamlErrors: null
  }
  pipeline.jobs = (parts.plans ?? project.ci).map(plan => makeJob(state, pipeline, plan, 0, at))
  project.pipelines.push(pipeline)
  advance(state, pipeline)
  return pipeline
}

/** The jobs that count. A retried job is replaced by its successor. */
export const currentJobs = (pipeline: Pipeline) => pipeline.jobs.filter(job => !job.retried)

const allowsFailure = (job: Job) => job.plan.allowFailure ?? job.plan.manual ?? false

/** A pipeline's status, which follows from its jobs (docs: pipeline statuses). */
export const statusOf = (pipeline: Pipeline): string => {
  if (pipeline.yamlErrors !== null) return 'failed'
  const jobs = currentJobs(pipeline)
  const has = (status: string) => jobs.some(job => job.status === status)
  const breaks = (status: string) => jobs.some(job => job.status === status && !allowsFailure(job))
  if (has('running')) return 'running'
  if (has('pending')) return jobs.some(job => FINAL.includes(job.status)) ? 'running' : 'pending'
  if (breaks('canceled')) return 'canceled'
  if (breaks('failed')) return 'failed'
  if (has('created')) return 'created'
  if (jobs.every(job => job.status === 'manual')) return 'manual'
  return jobs.every(job => job.status === 'skipped') ? 'skipped' : 'success'
}

/** The newest pipeline of a commit that is not a child of another. */
export const latestPipeline = (project: Project, sha: string): Pipeline | undefined =>
  project.pipelines.findLast(pipeline => pipeline.sha === sha && pipeline.source !== 'parent_pipeline')

const outcomeOf = ({ plan, attempt, pipeline }: Job) =>
  plan.judge?.(pipeline.project.commits.get(pipeline.sha)?.files ?? {}) ??
  plan.outcomes[Math.min(attempt, plan.outcomes.length - 1)] ??
  'success'

const finish = (state: ForgeState, job: Job, at: number) => {
  job.status = outcomeOf(job)
  job.finishedAt = at
  job.pipeline.updatedAt = Math.max(job.pipeline.updatedAt, at)
  deployFor(state, job, at)
}

const start = (state: ForgeState, job: Job, at: number) => {
  job.status = 'running'
  job.startedAt = at
  job.pipeline.updatedAt = Math.max(job.pipeline.updatedAt, at)
  deployFor(state, job, at)
  const target = job.plan.trigger
  if (!target || job.downstream) return
  const sha = target.branches.get(target.defaultBranch)!.sha
  const parts = { ref: target.defaultBranch, sha, user: job.user, source: 'pipeline', at }
  job.downstream = startPipeline(state, target, parts)
}

/** Advances one job as far as the clock allows, from the moment at which it could be queued. */
const runJob = (state: ForgeState, job: Job, ready: number) => {
  if (job.status === 'created') job.status = 'pending'
  const startAt = Math.max(ready, job.createdAt) + QUEUE_MS
  if (job.status === 'pending' && state.now() >= startAt) start(state, job, startAt)
  const finishAt = (job.startedAt ?? startAt) + job.plan.seconds * 1000
  if (job.status === 'running' && state.now() >= finishAt) finish(state, job, finishAt)
}

const runStage = (state: ForgeState, jobs: Job[], ready: number) => {
  for (const job of jobs) {
    if (job.plan.manual && job.playedAt === null) {
      if (job.status === 'created') job.status = 'manual'
    } else if (!FINAL.includes(job.status)) runJob(state, job, job.playedAt ?? ready)
  }
}

/**
 * Brings a pipeline up to the current time. Stages run one after the other. A failed job that is not allowed to fail
 * skips the later stages. Manual jobs wait and do not block anything.
 */
export const advance = (state: ForgeState, pipeline: Pipeline) => {
  const jobs = currentJobs(pipeline)
  let ready = pipeline.createdAt
  let broken = false
  for (const stage of new Set(jobs.map(job => job.plan.stage))) {
    const members = jobs.filter(job => job.plan.stage === stage)
    if (broken) {
      for (const job of members) if (job.status === 'created') job.status = 'skipped'
      runStage(
        state,
        members.filter(job => job.playedAt !== null),
        ready
      )
      continue
    }
    runStage(state, members, ready)
    const blocking = members.filter(job => !job.plan.manual || job.playedAt !== null)
    if (blocking.some(job => !FINAL.includes(job.status))) return
    broken = blocking.some(job => ['failed', 'canceled'].includes(job.status) && !allowsFailure(job))
    ready = Math.max(ready, ...blocking.map(job => job.finishedAt ?? 0))
  }
}

/** Brings every pipeline up to the current time. */
export const advanceAll = (state: ForgeState) => {
  for (const project of state.projects) for (const pipeline of project.pipelines) advance(state, pipeline)
}

/** Replaces a finished job by a new attempt. Jobs that were skipped because of it can run again. */
export const retryJob = (state: ForgeState, job: Job, user: User): Job => {
  const { pipeline } = job
  job.retried = true
  const next = { ...makeJob(state, pipeline, job.plan, job.attempt + 1, state.now()), user }
  if (job.plan.manual) next.playedAt = state.now()
  pipeline.jobs.splice(pipeline.jobs.indexOf(job) + 1, 0, next)
  for (const other of currentJobs(pipeline)) if (other.status === 'skipped') other.status = 'created'
  pipeline.updatedAt = state.now()
  advance(state, pipeline)
  return next
}

/** Cancels a job that is not finished. A finished job stays unchanged. */
export const cancelJob = (state: ForgeState, job: Job) => {
  if (![...ACTIVE, 'created', 'manual'].includes(job.status)) return
  job.status = 'canceled'
  job.finishedAt = state.now()
  job.pipeline.updatedAt = state.now()
  deployFor(state, job, state.now())
}
