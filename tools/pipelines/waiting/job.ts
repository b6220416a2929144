import type { ToolContext } from '../../../src/engine/context.ts'
import { pollUntil } from '../../../src/engine/poll.ts'
import { PAGE } from '../../../src/engine/requests/pages.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { readParts } from '../../../src/engine/requests/side-by-side.ts'
import { type Fields, fieldsOf, recordsIn } from '../../../src/results/is-record.ts'
import { wordsOf } from '../../../src/results/visible.ts'
import { readExcerpt } from '../diagnosis/log-excerpt.ts'
import { readerOf } from '../latest.ts'
import { isOver, shown } from './states.ts'

interface Wanted {
  readonly project_id: string
  readonly job_id: string
  /** In seconds. */
  readonly timeout: number
}

/**
 * Waits until a job is over or needs a person, but no longer than the timeout.
 * @returns its status, the reason if it failed, and what to do next
 * @throws ForgeError cancelled; errors of reading the job
 */
export async function waitForJob({ timeout, ...one }: Wanted, context: ToolContext): Promise<Fields> {
  const read = readerOf(context.forge)
  const started = context.now()
  const waited = () => Math.round((context.now() - started) / 1000)
  const job = await pollUntil(
    async () => recordOf(await read('GET /projects/{project_id}/jobs/{job_id}', one)),
    ({ status }) => {
      const over = isOver(status)
      if (!over) context.progress(`The job is ${shown(status)}.`, waited(), timeout)
      return over
    },
    timeout * 1000,
    context
  )
  const { id, name, stage, status, failure_reason, web_url } = job
  const over = isOver(status)
  const newer = over ? await newerRun(job, one, context) : undefined
  return {
    status,
    over,
    waited_seconds: waited(),
    job: { id, name, stage, failure_reason, web_url },
    ...(status === 'failed' && { log: await excerpt(one, context) }),
    next: over
      ? (newer ?? nextSteps.get(status))
      : 'The time is over, the job is not: call wait_for_job again.'
  }
}

const nextSteps = new Map<unknown, string>([
  ['failed', 'get_pipeline_job_output has the whole log; retry_pipeline_job runs it again, as a new job.'],
  ['manual', 'It waits for a person: play_pipeline_job starts it.'],
  ['skipped', 'It did not run.']
])

/** Statuses after which somebody may have run the job again. */
const repeated = new Set<unknown>(['failed', 'canceled'])

/**
 * Names the run that followed this one. A job's record does not say that it was run again. The job list of its pipeline
 * has only the latest run of each name.
 */
async function newerRun(
  { id, name, status, pipeline }: Fields,
  { project_id }: Pick<Wanted, 'project_id'>,
  context: ToolContext
): Promise<string | undefined> {
  const { id: pipeline_id } = fieldsOf(pipeline)
  if (!repeated.has(status) || pipeline_id === undefined || !context.mayRun('list_pipeline_jobs'))
    return undefined
  const template = 'GET /projects/{project_id}/pipelines/{pipeline_id}/jobs'
  const jobs = await context.lookups
    .within(() => readerOf(context.forge)(template, { project_id, pipeline_id }, `per_page=${PAGE}`))
    .catch(() => undefined)
  const newer = recordsIn(jobs ?? []).find(job => job.name === name && Number(job.id) > Number(id))
  return (
    newer &&
    `It was run again as job ${wordsOf(newer.id)}, which is ${shown(newer.status)}: wait for that one.`
  )
}

async function excerpt(one: Pick<Wanted, 'project_id' | 'job_id'>, context: ToolContext): Promise<unknown> {
  const { log } = await readParts({ log: () => readExcerpt(one, context) })
  return log.problem ?? log.value
}
