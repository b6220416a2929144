import { LEVEL, levelIn } from '../../access.ts'
import { type Call, created, forbidden, noContent, type Operations, ok, refuse } from '../../http.ts'
import { archiveOf, presentJob } from '../../present/pipeline.ts'
import type { Job } from '../../types.ts'
import { jobOf } from '../pipelines.ts'

/**
 * The job, if the caller may erase it: maintainers may, others only what they started themselves (docs: permissions).
 */
const erasable = (call: Call): Job => {
  const job = jobOf(call, LEVEL.developer)
  if (levelIn(call.user, job.pipeline.project) < LEVEL.maintainer && job.user !== call.user) throw forbidden()
  return job
}

export const jobStorageOperations: Operations = {
  erase_job: call => {
    const job = erasable(call)
    if (job.finishedAt === null || job.erased?.what === 'all') throw forbidden('Job is not erasable!')
    job.erased = { what: 'all', at: call.state.now() }
    return created(presentJob(call.state, job))
  },
  delete_job_artifacts: call => {
    const job = erasable(call)
    job.erased ??= { what: 'artifacts', at: call.state.now() }
    return noContent()
  },
  keep_job_artifacts: call => {
    const job = jobOf(call, LEVEL.developer)
    if (!archiveOf(job)) throw refuse(404, '404 Not found')
    job.kept = true
    return ok(presentJob(call.state, job))
  }
}
