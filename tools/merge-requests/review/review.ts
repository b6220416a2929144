import type { ToolContext } from '../../../src/engine/context.ts'
import { numberIn, recordOf } from '../../../src/engine/requests/record.ts'
import { readParts } from '../../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { type Fields, isRecord } from '../../../src/results/is-record.ts'
import { nextPageOf } from '../../../src/results/next-page.ts'
import { selection } from '../../../src/results/selection.ts'
import { withRest } from '../../../src/results/shortened.ts'
import { wordsOf } from '../../../src/results/visible.ts'
import { obstaclesOf } from '../merging/merge-flags.ts'
import { approvalsOf } from './approvals.ts'
import { type Changes, changesOf } from './changes.ts'
import { threadsOf } from './threads.ts'

/** How many characters of diffs one review shows: about fifteen thousand tokens. */
export const DEFAULT_DIFF_CHARS = 40_000
export const MAX_DIFF_CHARS = 150_000

/** How many records are requested of each list: as many as a review shows. */
const PAGE = 100

/** Selects fields that are neither empty nor usual, and always keeps those that readers look for first. */
const telling = {
  request: selection('*? iid state'),
  merging: selection('*? status has_conflicts'),
  approvals: selection('*? approved approvals_left')
}

interface Wanted {
  readonly project_id: string
  readonly merge_request_iid?: string
  readonly diff_chars?: number
}

/**
 * Reads a merge request with everything that matters for its review, in parallel. A part that cannot be read is
 * replaced by the reason, and the others are still shown. Without the merge request itself there is no result.
 * @throws what reading the merge request throws
 */
export async function review(args: Wanted, context: ToolContext): Promise<Fields> {
  const { diff_chars: diffChars = DEFAULT_DIFF_CHARS, ...one } = args
  const [request, parts] = await readAll(one, context)
  const pipeline = recordIn(request.head_pipeline ?? request.pipeline)
  const failed = await readParts({ jobs: () => failedJobs(args.project_id, pipeline, context) })
  const changes =
    parts.diffs.value === undefined ? undefined : changesOf(firstOf(parts.diffs.value), diffChars)
  for (const path of changes?.without ?? [])
    context.link('merge_request_diff', {
      project_id: args.project_id,
      merge_request_iid: request.iid,
      path
    })
  const left = leftOut(request, changes, {
    files: hasMore(parts.diffs.value),
    threads: hasMore(parts.discussions.value)
  })
  return {
    merge_request: telling.request(facts(request)),
    merging: telling.merging(merging(request, recordIn(parts.approvals.value)?.approvals_left, context)),
    approvals: parts.approvals.problem ?? telling.approvals(approvalsOf(parts.approvals.value, parts.rules)),
    unresolved_threads:
      parts.discussions.problem ?? threadsOf(firstOf(parts.discussions.value), changes?.lineAt),
    pipeline: pipeline && pipelineFacts(pipeline, request, failed.jobs.problem ?? failed.jobs.value),
    changed_files: parts.diffs.problem ?? changes?.files,
    ...(left.length > 0 && { left_out: left })
  }
}

/** Reads the merge request, and what belongs to it, at once. @throws what reading the merge request throws */
function readAll(one: Omit<Wanted, 'diff_chars'>, { forge }: ToolContext) {
  const read = async (below: string, query = '') => {
    const place = requestTo(
      `GET /projects/{project_id}/merge_requests/{merge_request_iid}${below}`,
      one,
      query
    )
    return await forge.send(place)
  }
  return Promise.all([
    read('', 'include_diverged_commits_count=true').then(({ value }) => recordOf(value)),
    readParts({
      approvals: async () => (await read('/approvals')).value,
      rules: async () => (await read('/approval_state')).value,
      discussions: () => read('/discussions', `per_page=${PAGE}`),
      diffs: () => read('/diffs', `per_page=${PAGE}`)
    })
  ])
}

const names = (people: unknown): unknown =>
  Array.isArray(people) ? people.map(person => recordIn(person)?.username) : undefined

const recordIn = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)

/** How many characters of the description are shown: its beginning says what the merge request is about. */
const DESCRIPTION_CHARS = 3000

const descriptionOf = ({ description }: Fields): string =>
  typeof description === 'string' ? description : ''

function facts(request: Fields): Fields {
  const isOfFork = request.source_project_id !== request.target_project_id
  return {
    id: request.id,
    iid: request.iid,
    title: request.title,
    state: request.state,
    draft: request.draft,
    author: recordIn(request.author)?.username,
    assignees: names(request.assignees),
    reviewers: names(request.reviewers),
    labels: request.labels,
    milestone: recordIn(request.milestone)?.title,
    source_branch: request.source_branch,
    target_branch: request.target_branch,
    // The fork's project id: whoever changes its files has to give it.
    source_project_id: isOfFork ? request.source_project_id : undefined,
    sha: request.sha,
    read_files:
      isOfFork && typeof request.sha === 'string'
        ? 'in this project, with ref=sha: the branch is in the fork'
        : undefined,
    description: withRest(descriptionOf(request), DESCRIPTION_CHARS),
    updated_at: request.updated_at,
    web_url: request.web_url
  }
}

const pipelineFacts = (pipeline: Fields, request: Fields, failedJobs: unknown): Fields => ({
  id: pipeline.id,
  // The fork's project id: whoever reads a log there has to give it.
  project_id: pipeline.project_id === request.project_id ? undefined : pipeline.project_id,
  status: pipeline.status,
  web_url: pipeline.web_url,
  failed_jobs: failedJobs
})

const over: ReadonlySet<unknown> = new Set(['closed', 'merged', 'locked'])

function merging(request: Fields, approvalsLeft: unknown, context: Pick<ToolContext, 'mayRun'>): Fields {
  const { detailed_merge_status: status } = request
  return {
    status,
    why_not: over.has(request.state)
      ? `it is ${request.state}`
      : obstaclesOf(request, tool => context.mayRun(tool), approvalsLeft),
    merge_error: request.merge_error,
    has_conflicts: request.has_conflicts,
    commits_behind_target: request.diverged_commits_count,
    auto_merge: request.merge_when_pipeline_succeeds === true ? true : undefined
  }
}

/** How many failed jobs are named. */
const MAX_JOBS = 20

async function failedJobs(
  project_id: string,
  pipeline: Fields | undefined,
  context: ToolContext
): Promise<unknown> {
  if (pipeline === undefined || !['failed', 'running', 'canceled'].includes(wordsOf(pipeline.status)))
    return undefined
  context.checkShown('list_pipeline_jobs')
  context.follow(pipeline)
  const place = requestTo(
    'GET /projects/{project_id}/pipelines/{pipeline_id}/jobs',
    // The pipeline of a merge request may be in its fork.
    {
      project_id: (pipeline.project_id ?? null) === null ? project_id : numberIn(pipeline, 'project_id'),
      pipeline_id: numberIn(pipeline, 'id')
    },
    `scope%5B%5D=failed&per_page=${MAX_JOBS}`
  )
  const { value } = await context.forge.send(place)
  return Array.isArray(value)
    ? value.slice(0, MAX_JOBS).map(({ id, name, stage, failure_reason, allow_failure, web_url }) => ({
        id,
        name,
        stage,
        failure_reason,
        ...(allow_failure === true && { allow_failure }),
        web_url
      }))
    : undefined
}

type Answer = Awaited<ReturnType<ToolContext['forge']['send']>>

/** The requested number of records. A forge may send any number. */
const firstOf = (answer: Answer | undefined): unknown =>
  Array.isArray(answer?.value) ? answer.value.slice(0, PAGE) : undefined

const hasMore = (answer: Answer | undefined): boolean =>
  answer !== undefined &&
  (nextPageOf(answer.headers) !== undefined || (Array.isArray(answer.value) && answer.value.length > PAGE))

/** The number of files according to the forge, which writes `1000+` for many. */
function countIn({ changes_count: count }: Fields): string {
  return typeof count === 'string' && /^\d{1,9}\+?$/.test(count) ? count : 'more'
}

function leftOut(
  request: Fields,
  changes: Changes | undefined,
  more: { files: boolean; threads: boolean }
): readonly string[] {
  const said: string[] = []
  const { length } = descriptionOf(request)
  if (length > DESCRIPTION_CHARS)
    said.push(
      `The description after its first ${DESCRIPTION_CHARS} of ${length} characters: get_merge_request has all of it.`
    )
  if (changes !== undefined && changes.without.length > 0)
    said.push(
      `Diffs of ${changes.without.length} files, for want of room: get_merge_request_file_diff with file_paths and line_numbers gives them.`
    )
  if (more.files)
    said.push(
      `Files after the first ${PAGE} of ${countIn(request)}: list_merge_request_changed_files names them.`
    )
  if (more.threads) said.push(`Threads after the first ${PAGE}: mr_discussions pages through all.`)
  return said
}
