import type { ToolContext } from '../../../src/engine/context.ts'
import { lookUntil } from '../../../src/engine/look-until.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { readParts } from '../../../src/engine/requests/side-by-side.ts'
import { readExcerpt } from '../diagnosis/log-excerpt.ts'
import { type Fields, readerOf } from '../latest.ts'
import { isOver, shown } from './states.ts'

interface Wanted {
  readonly project_id: string
  readonly job_id: string
  /** Seconds. */
  readonly timeout: number
}

/**
 * Waits until a job is over or waits for a person, for no longer than the timeout.
 * @returns its status, the reason if it failed, and what to do next
 * @throws ForgeError cancelled; errors of reading the job
 */
export async function waitForJob({ timeout, ...one }: Wanted, context: ToolContext): Promise<Fields> {
  const read = readerOf(context.forge)
  const started = context.now()
  const waited = () => Math.round((context.now() - started) / 1000)
  const job = await lookUntil(
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
  return {
    status,
    over,
    waited_seconds: waited(),
    job: { id, name, stage, failure_reason, web_url },
    ...(status === 'failed' && { log: await excerpt(one, context) }),
    next: over ? nextSteps.get(status) : 'The time is over, the job is not: call wait_for_job again.'
  }
}

const nextSteps = new Map<unknown, string>([
  ['failed', 'get_pipeline_job_output has the whole log; retry_pipeline_job runs it again, as a new job.'],
  ['manual', 'It waits for a person: play_pipeline_job starts it.'],
  ['skipped', 'It did not run.']
])

async function excerpt(one: Pick<Wanted, 'project_id' | 'job_id'>, context: ToolContext): Promise<unknown> {
  const { log } = await readParts({ log: () => readExcerpt(one, context) })
  return log.problem ?? log.value
}
