import type { ForgeState } from '../state.ts'
import type { Deployment, Job } from '../types.ts'

const STATUS: Record<string, string> = {
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled'
}

/** Creates or updates the deployment of a job that has an environment. */
export const deployFor = (state: ForgeState, job: Job, at: number) => {
  const { project } = job.pipeline
  const environment = project.environments.find(candidate => candidate.name === job.plan.environment)
  const status = STATUS[job.status]
  if (!environment || !status) return
  const time = new Date(at).toISOString()
  const known = project.deployments.find(deployment => deployment.job === job)
  if (known) {
    Object.assign(known, { status, updatedAt: time })
    return
  }
  const deployment: Deployment = {
    id: state.nextId('deployment'),
    iid: project.deployments.length + 1,
    environment,
    job,
    ref: job.pipeline.ref,
    sha: job.pipeline.sha,
    user: job.user,
    status,
    createdAt: time,
    updatedAt: time
  }
  project.deployments.push(deployment)
}
