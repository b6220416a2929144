import type { ToolContext } from '../../../src/engine/context.ts'
import { pollUntil } from '../../../src/engine/poll.ts'
import { readParts } from '../../../src/engine/requests/side-by-side.ts'
import { type Fields, fieldsOf, recordsIn } from '../../../src/results/is-record.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import {
  givenAs,
  isOf,
  isOfMergedResult,
  latestOf,
  namedBy,
  newestCommit,
  type PipelineIds,
  pipelineElsewhere,
  pipelineOfNewest,
  type Read,
  readerOf,
  readPipeline,
  type Wanted
} from '../latest.ts'
import { isOver, shown } from './states.ts'

/** Milliseconds that a forge may take to create the pipeline of a commit that was just pushed. */
const BEGINS_MS = 10_000

/**
 * Waits until a pipeline is over or blocked, but no longer than the timeout.
 * @param timeout in seconds
 * @returns its status, its failed jobs, those that wait for a person, and what to do next
 * @throws CallProblem if there is no pipeline; ForgeError cancelled; errors of reading the pipeline
 */
export async function waitForPipeline(
  { timeout, ...wanted }: Wanted & { readonly timeout: number },
  context: ToolContext
): Promise<Fields> {
  const read = readerOf(context.forge)
  const started = context.now()
  const waited = () => Math.round((context.now() - started) / 1000)
  const left = () => timeout * 1000 - (context.now() - started)
  const one = await pipelineOf(wanted, Math.min(left(), BEGINS_MS), read, context)
  const pipeline = await pollUntil(
    () => readPipeline(one, read, context),
    ({ status }) => {
      const over = isOver(status)
      if (!over) context.progress(`The pipeline is ${shown(status)}.`, waited(), timeout)
      return over
    },
    left(),
    context
  )
  const over = isOver(pipeline.status)
  const { id, iid, project_id, status, ref, sha, source, yaml_errors, web_url } = pipeline
  return {
    status,
    over,
    waited_seconds: waited(),
    pipeline: { id, iid, project_id, ref, sha, source, yaml_errors, web_url },
    ...(await jobsThatMatter(one, status, read, context)),
    next: over
      ? nextSteps.get(status)
      : 'The time is over, the pipeline is not: call wait_for_pipeline again.'
  }
}

const nextSteps = new Map<unknown, string>([
  ['failed', 'diagnose_pipeline says why it failed.'],
  ['manual', 'It is blocked until a person starts a job of manual_jobs: play_pipeline_job.'],
  ['skipped', 'None of its jobs ran.'],
  ['canceled', 'It was canceled; retry_pipeline runs its canceled jobs.']
])

/**
 * Finds the pipeline to wait for.
 * @param patienceMs how long to wait for the pipeline of the newest commit
 */
async function pipelineOf(
  { pipeline_id, ...wanted }: Wanted,
  patienceMs: number,
  read: Read,
  context: ToolContext
): Promise<PipelineIds> {
  if (pipeline_id !== undefined) return { project_id: wanted.project_id, pipeline_id }
  let newest = await newestCommit(wanted, read)
  const look = async () => {
    const latest = await latestOf(wanted, read, context)
    // The pipeline may have been created meanwhile. Only the merge request says which commit it is for.
    if (latest !== undefined && isOfMergedResult(latest.record) && !isOf(latest.record, newest))
      newest = await newestCommit(wanted, read)
    return latest
  }
  const latest = await pollUntil(look, seen => isOf(seen?.record, newest), patienceMs, context)
  if (latest !== undefined && isOf(latest.record, newest)) return latest
  const other = await pipelineOfNewest(wanted.project_id, newest, read)
  const of = namedBy(wanted)
  if (other !== undefined)
    throw new CallProblem(
      latest === undefined
        ? pipelineElsewhere(wanted, newest, other)
        : `The pipeline of the newest commit of ${of}, ${other}, is not the latest of ${of}: give it as ${givenAs(newest)}.`
    )
  const older = latest === undefined ? '' : ` The latest, ${latest.pipeline_id}, is of another commit.`
  const next = (await isMerged(wanted, read, context))
    ? 'It is merged: what runs since then is of its target branch, which goes in ref.'
    : 'create_pipeline starts one.'
  throw new CallProblem(`The newest commit of ${of} has no pipeline.${older} ${next}`)
}

/** Whether the merge request is merged, so that no more pipelines start for it; false if the forge does not say. */
async function isMerged(
  { project_id, merge_request_iid }: Omit<Wanted, 'pipeline_id'>,
  read: Read,
  context: ToolContext
): Promise<boolean> {
  if (merge_request_iid === undefined) return false
  const template = 'GET /projects/{project_id}/merge_requests/{merge_request_iid}'
  const request = await context.lookups
    .within(() => read(template, { project_id, merge_request_iid }))
    .catch(() => undefined)
  return fieldsOf(request).state === 'merged'
}

/** The jobs that failed, and those that a blocked pipeline waits for. */
async function jobsThatMatter(
  one: PipelineIds,
  status: unknown,
  read: Read,
  context: ToolContext
): Promise<Fields> {
  if (status === 'success' || status === 'skipped') return {}
  const scopes = status === 'manual' ? ['failed', 'manual'] : ['failed']
  const query = scopes.map(scope => `scope%5B%5D=${scope}`).join('&')
  const { jobs } = await readParts({
    jobs: async () => {
      context.checkShown('list_pipeline_jobs')
      return read(
        'GET /projects/{project_id}/pipelines/{pipeline_id}/jobs',
        { ...one },
        `${query}&per_page=50`
      )
    }
  })
  if (jobs.problem !== undefined) return { failed_jobs: jobs.problem }
  const those = (wanted: string) =>
    recordsIn(jobs.value)
      .filter(job => job.status === wanted)
      .map(({ id, name, stage, failure_reason, allow_failure }) => ({
        id,
        name,
        stage,
        failure_reason,
        ...(allow_failure === true && { allow_failure })
      }))
  return { failed_jobs: those('failed'), ...(status === 'manual' && { manual_jobs: those('manual') }) }
}
