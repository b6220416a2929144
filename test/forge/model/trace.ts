import type { ForgeState } from '../state.ts'
import type { Job } from '../types.ts'

const plain = (job: Job) =>
  `Running with gitlab-runner 18.9.0\n$ echo ${job.plan.name}\n${job.plan.name}\n${ending(job)}\n`

const ending = ({ status }: Job) => (status === 'failed' ? 'ERROR: Job failed: exit code 1' : 'Job succeeded')

/** The log of a job so far: empty before it starts, growing while it runs, complete afterwards. */
export const traceOf = (state: ForgeState, job: Job): string => {
  if (job.startedAt === null || job.erased?.what === 'all') return ''
  const full = (job.plan.trace ?? plain)(job)
  if (job.finishedAt !== null) return full
  const lines = full.split('\n')
  const share = (state.now() - job.startedAt) / Math.max(1, job.plan.seconds * 1000)
  return lines.slice(0, Math.ceil(lines.length * Math.min(1, share))).join('\n')
}
