import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { furtherPart } from '../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { optional, ProjectId, text } from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isTooLarge } from '../../src/results/failure.ts'
import { type Fields, isRecord } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quotedName } from '../../src/results/visible.ts'
import { failingCases, noReport } from './failing-cases.ts'

const pipeline = '/projects/{project_id}/pipelines/{pipeline_id}'

/** Most bytes of a report. For a larger one only the counts are shown. */
const MAX_BYTES = 20 * 1024 * 1024
const MAX_CASES = 200
const CASES = 50

const ofSuite = 'did you mean "suite"?'

export const testReportRow: ToolRow = rest({
  name: 'get_pipeline_test_report',
  class: 'read',
  title: 'Test report',
  summary: 'Get counts of tests, and the cases that fail with their messages.',
  input: Type.Object(
    {
      project_id: ProjectId,
      pipeline_id: text(),
      suite: optional(text('Mostly the name of a job')),
      max_cases: optional(Type.Integer({ minimum: 0, maximum: MAX_CASES, forgeDefault: 50 }))
    },
    { instead: { name: ofSuite, job_name: ofSuite } }
  ),
  request: `GET ${pipeline}/test_report_summary`,
  local: ['suite', 'max_cases'],
  shape: report
})

const count = (fields: Fields, name: string): number => Number(fields[name] ?? 0) || 0

/** Whether a suite is shown. A suite that passed completely adds nothing to the total. */
const isTold = (suite: Fields): boolean =>
  (suite.suite_error ?? null) !== null || count(suite, 'success_count') < count(suite, 'total_count')

async function report(summary: unknown, args: Arguments, context: ToolContext): Promise<Fields> {
  if (!isRecord(summary)) throw noReport()
  const total = isRecord(summary.total) ? summary.total : {}
  const all = (Array.isArray(summary.test_suites) ? summary.test_suites : []).filter(isRecord)
  if (args.suite !== undefined && !all.some(({ name }) => name === args.suite))
    throw new CallProblem(`No suite is called ${quotedName(args.suite)}. ${namesOf(all)}`)
  const suites = all
    .filter(suite => (args.suite === undefined ? isTold(suite) : suite.name === args.suite))
    .map(({ build_ids: _, ...suite }) => suite)
  const fails = args.suite === undefined ? count(total, 'failed') + count(total, 'error') : failsIn(suites)
  if (fails === 0 || args.max_cases === 0) return { total, suites, cases: [] }
  return { total, suites, ...(await casesOf(args, fails, context)) }
}

const failsIn = (suites: readonly Fields[]): number =>
  suites.reduce((sum, suite) => sum + count(suite, 'failed_count') + count(suite, 'error_count'), 0)

const namesOf = (suites: readonly Fields[]): string =>
  suites.length === 0
    ? 'The pipeline has no test reports.'
    : `There are: ${suites
        .slice(0, 50)
        .map(({ name }) => quotedName(name))
        .join(', ')}.`

/** The failing cases, or the reason why they cannot be shown. */
async function casesOf(
  { suite, max_cases: most = CASES, ...ids }: Arguments,
  fails: number,
  { forge }: ToolContext
): Promise<Fields> {
  const request = {
    ...requestTo(`GET ${pipeline}/test_report`, ids),
    accept: 'application/json',
    maxBytes: MAX_BYTES
  }
  const wanted = { suite: suite as string | undefined, most: Number(most) }
  const {
    value: cases,
    problem,
    error
  } = await furtherPart(() => forge.stream(request, answer => failingCases(answer, wanted)))
  if (cases === undefined) {
    const why = isTooLarge(error)
      ? 'The report is too large to be read, so only its counts are here:'
      : `${problem} Only the counts of the report are here:`
    return { cases: [], note: `${why} read the log of a failed job (get_pipeline_job_output).` }
  }
  const left = fails - cases.length
  return left > 0 ? { cases, more_failing: left } : { cases }
}
