import { currentJobs, statusOf } from '../model/pipelines.ts'
import { zipOf } from '../model/zip.ts'
import type { ForgeState } from '../state.ts'
import type { Job, Pipeline } from '../types.ts'
import { presentCommit, projectUrl } from './project.ts'
import { presentUser } from './user.ts'

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

export const presentPipelineBasic = (state: ForgeState, pipeline: Pipeline) => ({
  id: pipeline.id,
  iid: pipeline.iid,
  project_id: pipeline.project.id,
  sha: pipeline.sha,
  ref: pipeline.ref,
  status: statusOf(pipeline),
  source: pipeline.source,
  created_at: iso(pipeline.createdAt),
  updated_at: iso(pipeline.updatedAt),
  web_url: `${projectUrl(state, pipeline.project)}/-/pipelines/${pipeline.id}`,
  name: null
})

const ICONS: Record<string, string> = {
  success: 'passed',
  failed: 'failed',
  canceled: 'canceled',
  manual: 'blocked'
}

const span = (pipeline: Pipeline) => {
  const jobs = currentJobs(pipeline)
  const starts = jobs.flatMap(job => job.startedAt ?? [])
  const running = jobs.some(job => ['created', 'pending', 'running'].includes(job.status))
  const startedAt = starts.length > 0 ? Math.min(...starts) : null
  const finishedAt = running || startedAt === null ? null : Math.max(...jobs.map(job => job.finishedAt ?? 0))
  return { startedAt, finishedAt }
}

export const presentPipeline = (state: ForgeState, pipeline: Pipeline) => {
  const status = statusOf(pipeline)
  const { startedAt, finishedAt } = span(pipeline)
  const path = projectUrl(state, pipeline.project).slice(state.url.length)
  return {
    ...presentPipelineBasic(state, pipeline),
    before_sha: '0000000000000000000000000000000000000000',
    tag: pipeline.tag,
    yaml_errors: pipeline.yamlErrors,
    user: presentUser(state, pipeline.user),
    started_at: iso(startedAt),
    finished_at: iso(finishedAt),
    committed_at: null,
    duration: startedAt !== null && finishedAt !== null ? Math.round((finishedAt - startedAt) / 1000) : null,
    queued_duration: startedAt === null ? null : Math.round((startedAt - pipeline.createdAt) / 1000),
    coverage: null,
    detailed_status: {
      icon: `status_${status}`,
      text: ICONS[status] ?? status,
      label: ICONS[status] ?? status,
      group: status,
      tooltip: ICONS[status] ?? status,
      has_details: true,
      details_path: `${path}/-/pipelines/${pipeline.id}`,
      illustration: null,
      favicon: `/assets/ci_favicons/favicon_status_${status}.png`
    },
    archived: false
  }
}

const presentJobCommon = (state: ForgeState, job: Job) => {
  const { pipeline, plan } = job
  const { project } = pipeline
  const end = job.finishedAt ?? state.now()
  return {
    id: job.id,
    status: job.status,
    stage: plan.stage,
    name: plan.name,
    ref: pipeline.ref,
    tag: pipeline.tag,
    coverage: null,
    allow_failure: plan.allowFailure ?? plan.manual ?? false,
    created_at: iso(job.createdAt),
    started_at: iso(job.startedAt),
    finished_at: iso(job.finishedAt),
    erased_at: iso(job.erased?.what === 'all' ? job.erased.at : null),
    duration: job.startedAt === null ? null : (end - job.startedAt) / 1000,
    queued_duration: job.startedAt === null ? null : 0.4,
    user: presentUser(state, job.user),
    commit: presentCommit(state, project, project.commits.get(pipeline.sha)!),
    pipeline: presentPipelineBasic(state, pipeline),
    ...(job.status === 'failed' ? { failure_reason: 'script_failure' } : {}),
    web_url: `${projectUrl(state, project)}/-/jobs/${job.id}`,
    project: { ci_job_token_scope_enabled: false }
  }
}

/** The files of a job's archive; undefined if it has none. */
export const archiveOf = (job: Job): Record<string, string> | undefined =>
  ['success', 'failed'].includes(job.status) && job.erased === null ? job.plan.artifacts : undefined

export const presentJob = (state: ForgeState, job: Job) => {
  const files = archiveOf(job)
  const size = files ? zipOf(files).length : 0
  const archive = { filename: 'artifacts.zip', size }
  const trace = { file_type: 'trace', size: 4096, filename: 'job.log', file_format: 'raw' }
  return {
    ...presentJobCommon(state, job),
    ...(files ? { artifacts_file: archive } : {}),
    artifacts: [
      ...(files ? [{ file_type: 'archive', size, filename: 'artifacts.zip', file_format: 'zip' }] : []),
      ...(job.finishedAt === null ? [] : [trace])
    ],
    runner:
      job.startedAt === null
        ? null
        : {
            id: 4,
            description: 'shared-runner-4.acme.example',
            ip_address: null,
            active: true,
            paused: false,
            is_shared: true,
            runner_type: 'instance_type',
            name: 'gitlab-runner',
            online: true,
            status: 'online',
            job_execution_status: 'idle'
          },
    runner_manager: null,
    artifacts_expire_at: files && !job.kept ? iso((job.finishedAt ?? 0) + 30 * 86_400_000) : null,
    archived: false,
    tag_list: job.plan.tags ?? []
  }
}

export const presentBridge = (state: ForgeState, job: Job) => ({
  ...presentJobCommon(state, job),
  downstream_pipeline: job.downstream ? presentPipelineBasic(state, job.downstream) : null
})
