import type { ToolContext } from '../../../src/engine/context.ts'
import { type Part, readParts, shownPart, sideBySide } from '../../../src/engine/requests/side-by-side.ts'
import { cutStrings } from '../../../src/results/cut-strings.ts'
import { type Fields, fieldsOf, recordsIn } from '../../../src/results/is-record.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { shortened } from '../../../src/results/shortened.ts'
import { wordsOf } from '../../../src/results/visible.ts'
import {
  givenAs,
  isOf,
  latestOf,
  namedBy,
  newestCommit,
  pipelineElsewhere,
  pipelineOfNewest,
  type Read,
  readerOf,
  readPipeline,
  type Wanted
} from '../latest.ts'
import { hasStatus } from '../over.ts'
import { codeAt } from './failing-code.ts'
import { type LogExcerpt, readExcerpt } from './log-excerpt.ts'
import { placesIn } from './named-places.ts'
import { sinceGreen } from './since-green.ts'

/** Most failed jobs that are listed: one page of the forge. */
const MAX_JOBS = 100
/** How many jobs' logs are read at most, and how many at once. */
const MAX_LOGS = 6
const LOGS_AT_ONCE = 3
/** How many failed tests are listed. */
const MAX_TESTS = 20
const MESSAGE_CHARS = 600

/**
 * Finds out why a pipeline failed. It shows the failed jobs with the part of each log that says why, the failed tests
 * of the report, the code that these name, and the commits since the last pipeline of that ref that passed. A part that
 * cannot be read is replaced by a sentence that says why.
 * @throws CallProblem if there is no pipeline; errors of reading the pipeline
 */
export async function diagnose(args: Wanted, context: ToolContext): Promise<Fields> {
  const read = readerOf(context.forge)
  const { project_id } = args
  const pipeline = await pipelineOf(args, read, context)
  const one = { project_id: pipeline.project_id ?? project_id, pipeline_id: pipeline.id }
  const { jobs, tests, green, newest } = await readParts({
    jobs: () => failedJobs(one, read, context),
    tests: async () =>
      failedTests(await read('GET /projects/{project_id}/pipelines/{pipeline_id}/test_report', one)),
    green: () => sinceGreen(one.project_id, pipeline, read, context),
    newest: async () => (args.pipeline_id === undefined ? olderThanNewest(args, pipeline, read) : undefined)
  })
  const code = await codeAt({ ...one, sha: pipeline.sha }, placesOf(pipeline, tests, jobs), context)
  return {
    pipeline: {
      id: pipeline.id,
      iid: pipeline.iid,
      project_id: pipeline.project_id,
      status: pipeline.status,
      ref: pipeline.ref,
      sha: pipeline.sha,
      source: pipeline.source,
      yaml_errors: pipeline.yaml_errors,
      web_url: pipeline.web_url
    },
    ...remarkOf(newest.value, stillRuns(pipeline)),
    failed_jobs: shownPart(jobs),
    failed_tests: shownPart(tests),
    ...(code.length > 0 && { code }),
    since_last_success: shownPart(green)
  }
}

/** Joins the remarks of a diagnosis. */
const remarkOf = (...remarks: readonly (string | undefined)[]) => {
  const said = remarks.filter(remark => remark !== undefined)
  return said.length === 0 ? {} : { remark: said.join(' ') }
}

/** The remark that a pipeline is not over, so more jobs may fail. */
const stillRuns = (pipeline: Fields): string | undefined =>
  hasStatus(pipeline, ['created', 'waiting_for_resource', 'preparing', 'pending', 'running'])
    ? 'It still runs, and more may fail: wait_for_pipeline waits for its end.'
    : undefined

/**
 * The remark that this is not the pipeline of the newest commit. Right after a push the latest pipeline is that of an
 * earlier commit, and what failed there may be fixed already.
 */
async function olderThanNewest(args: Wanted, pipeline: Fields, read: Read): Promise<string | undefined> {
  const newest = await newestCommit(args, read)
  if (isOf(pipeline, newest)) return undefined
  const { sha } = newest
  const other = await pipelineOfNewest(args.project_id, newest, read)
  return other === undefined
    ? `The newest commit, ${sha}, has no pipeline: this one is of another. wait_for_pipeline waits for one, create_pipeline starts one.`
    : `This is not of the newest commit, ${sha}, whose pipeline is ${other}: give that as ${givenAs(newest)}.`
}

/** The places that messages of failed tests name, followed by those that logs name. */
function placesOf({ web_url }: Fields, tests: Part<FailedTests>, jobs: Part<readonly FailedJob[]>) {
  const project = /^https?:\/\/[^/]{1,255}\/(.{1,4096}?)\/-\//.exec(wordsOf(web_url))?.[1]
  const said = [
    ...(tests.value?.tests ?? []).map(({ message }) => message ?? ''),
    ...(jobs.value ?? []).map(({ log }) => (log as Partial<LogExcerpt> | undefined)?.text ?? '')
  ]
  return placesIn(said.join('\n'), project)
}

async function pipelineOf(
  { project_id, pipeline_id, ...of }: Wanted,
  read: Read,
  context: ToolContext
): Promise<Fields> {
  const one =
    pipeline_id === undefined
      ? await latestOf({ project_id, ...of }, read, context)
      : { project_id, pipeline_id }
  if (one === undefined) {
    const wanted = { project_id, ...of }
    const newest = await newestCommit(wanted, read)
    const other = await pipelineOfNewest(project_id, newest, read)
    throw new CallProblem(
      other === undefined
        ? `There is no pipeline of ${namedBy(wanted)}.`
        : pipelineElsewhere(wanted, newest, other)
    )
  }
  return readPipeline(one, read, context)
}

async function failedJobs(
  one: { readonly project_id: unknown; readonly pipeline_id: unknown },
  read: Read,
  context: ToolContext
): Promise<readonly FailedJob[]> {
  const jobs = recordsIn(
    await read(
      'GET /projects/{project_id}/pipelines/{pipeline_id}/jobs',
      one,
      `scope%5B%5D=failed&per_page=${MAX_JOBS}`
    )
  ).slice(0, MAX_JOBS)
  // Jobs that are allowed to fail come last, because they did not make the pipeline fail.
  const order = [...jobs].sort((a, b) => Number(a.allow_failure === true) - Number(b.allow_failure === true))
  for (const { id } of order.slice(MAX_LOGS))
    context.link('job_log', { project_id: one.project_id, job_id: id })
  return sideBySide(order, LOGS_AT_ONCE, async (job, at) => {
    const log =
      at < MAX_LOGS
        ? await readParts({ log: () => readExcerpt({ project_id: one.project_id, job_id: job.id }, context) })
        : undefined
    return {
      id: job.id,
      name: job.name,
      stage: job.stage,
      ...(job.allow_failure === true && { allow_failure: true }),
      failure_reason: job.failure_reason,
      log: log === undefined ? 'not read: get_pipeline_job_output has it' : shownPart(log.log),
      web_url: job.web_url
    }
  })
}

interface FailedJob extends Fields {
  /** An excerpt, or a sentence that says why there is none. */
  readonly log: unknown
}

interface FailedTests extends Fields {
  readonly tests: readonly { readonly message: string | undefined }[]
}

/** Names and messages of the failed tests in a test report. */
function failedTests(report: unknown): FailedTests {
  const {
    failed_count: failed,
    error_count: errors,
    total_count: total,
    test_suites: suites
  } = (report ?? {}) as Fields
  const cases = recordsIn(suites).flatMap(({ name, test_cases }) =>
    recordsIn(test_cases)
      .filter(({ status }) => status === 'failed' || status === 'error')
      .slice(0, MAX_TESTS)
      .map((test): Fields => ({ ...fieldsOf(test), suite: name }))
  )
  return {
    total,
    failed: Number(failed ?? 0) + Number(errors ?? 0),
    tests: cases.slice(0, MAX_TESTS).map(test => ({
      suite: test.suite,
      name: test.name,
      classname: test.classname,
      file: test.file,
      message: messageOf(test.system_output)
    }))
  }
}

function messageOf(output: unknown): string | undefined {
  if (output === null || output === undefined) return undefined
  const text = typeof output === 'string' ? output : outputText(output as Fields)
  return shortened(text, MESSAGE_CHARS)
}

/** Some forges send an object with a type and a message, others send other objects. */
const outputText = (output: Fields): string =>
  typeof output.message === 'string'
    ? [output.type, output.message].filter(part => typeof part === 'string').join(': ')
    : (cutStrings(output, MESSAGE_CHARS) ?? '…')
