import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { numberIn, recordOf, textIn } from '../../src/engine/requests/record.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { atLeastOneOf, atMostOne } from '../../src/engine/rows/checks.ts'
import { isStatus } from '../../src/results/failure.ts'
import { type Fields, isRecord, recordsIn } from '../../src/results/is-record.ts'
import { ArgumentError } from '../../src/results/problem.ts'
import { quotedName, wordsOf } from '../../src/results/visible.ts'

/* Finds the pipeline for tools that accept its id, a merge request, or a branch or tag. */

export interface Wanted {
  readonly project_id: string
  readonly pipeline_id?: string
  readonly merge_request_iid?: string
  readonly ref?: string
}

const names = ['pipeline_id', 'merge_request_iid', 'ref']

/**
 * Refuses an id that is not a number. It could be a word such as "latest" or the name of a branch, and the two cannot
 * be told apart.
 */
const isById = ({ pipeline_id: id }: Arguments): void => {
  if (id !== undefined && !/^\d+$/.test(String(id)))
    throw new ArgumentError(
      'pipeline_id',
      `must be a number, as list_pipelines gives it, not ${quotedName(String(id))}: for the latest of a branch or tag give that as ref`
    )
}

/** Checks that a call says which pipeline it means. The latest of the whole project may be for anybody's branch. */
export const onePipeline: readonly Check[] = [
  atLeastOneOf(
    names,
    ': for the latest of a branch give that as ref, such as the default_branch of get_project; list_pipelines has all'
  ),
  atMostOne(...names),
  isById
]

/** The ids of a pipeline. The pipeline of a merge request may be in its source project. */
export interface PipelineIds {
  readonly project_id: unknown
  readonly pipeline_id: unknown
}

type Following = Pick<ToolContext, 'follow'>

/** Sends a GET request to the forge for a call. */
export type Read = (template: string, args: Arguments, query?: string) => Promise<unknown>

export const readerOf =
  (forge: ToolContext['forge']): Read =>
  async (template, args, query) =>
    (await forge.send(requestTo(template, args, query))).value

/** Reads the pipeline itself. */
export async function readPipeline(one: PipelineIds, read: Read, context: Following): Promise<Fields> {
  const record = recordOf(await read('GET /projects/{project_id}/pipelines/{pipeline_id}', { ...one }))
  context.follow(record)
  return record
}

/** The latest pipeline of a merge request, or else of a ref; undefined if there is none. */
export async function latestOf(
  { project_id, merge_request_iid, ref }: Wanted,
  read: Read,
  context: Following
): Promise<(PipelineIds & { readonly record: Fields }) | undefined> {
  const list =
    merge_request_iid === undefined
      ? await read(
          'GET /projects/{project_id}/pipelines',
          { project_id },
          queryOf({ ...(ref !== undefined && { ref }), per_page: 1 })
        )
      : await read(
          'GET /projects/{project_id}/merge_requests/{merge_request_iid}/pipelines',
          { project_id, merge_request_iid },
          'per_page=1'
        )
  const [record] = recordsIn(list)
  if (record === undefined) return undefined
  context.follow(record)
  const pipeline_id = numberIn(record, 'id')
  const home = record.project_id ?? undefined
  return { project_id: home === undefined ? project_id : numberIn(record, 'project_id'), pipeline_id, record }
}

/** The newest commit of a merge request or ref. */
interface Newest {
  readonly sha: string
  /**
   * The id of its pipeline, as the merge request gives it; null if there is none yet, undefined if the forge does not
   * say.
   */
  readonly pipeline?: number | null | undefined
  /** The id of that pipeline's project, if it is not the merge request's but a fork. */
  readonly fork?: unknown
}

/** Names the arguments by which to give the pipeline of a newest commit, as the end of a sentence. */
export const givenAs = ({ fork }: Newest): string =>
  fork === undefined ? 'pipeline_id' : `pipeline_id, and ${wordsOf(fork)} as project_id`

/**
 * The newest commit of a merge request, or else of a ref.
 * @throws what ForgeClient.send throws
 */
export async function newestCommit(
  { project_id, merge_request_iid, ref }: Wanted,
  read: Read
): Promise<Newest> {
  if (merge_request_iid === undefined) {
    const commit = 'GET /projects/{project_id}/repository/commits/{.ref}'
    return { sha: textIn(await read(commit, { project_id, ref }), 'id') }
  }
  const one = { project_id, merge_request_iid }
  const request = recordOf(await read('GET /projects/{project_id}/merge_requests/{merge_request_iid}', one))
  const { head_pipeline: pipeline, project_id: own } = request
  const sha = textIn(request, 'sha')
  if (!isRecord(pipeline)) return { sha, pipeline: pipeline === null ? null : undefined }
  const home = pipeline.project_id ?? own
  return {
    sha,
    pipeline: numberIn(pipeline, 'id'),
    ...(home !== own && { fork: numberIn(pipeline, 'project_id') })
  }
}

/**
 * The pipeline of a newest commit: the merge request's, or else the latest of that commit for any ref, as a merge
 * request's pipeline has another ref than its branch. Undefined if there is none, or where CI is switched off, which the
 * forge answers with 403.
 */
export async function pipelineOfNewest(
  project_id: unknown,
  { sha, pipeline }: Newest,
  read: Read
): Promise<unknown> {
  if (typeof pipeline === 'number') return pipeline
  const query = queryOf({ sha, per_page: 1 })
  const list = read('GET /projects/{project_id}/pipelines', { project_id }, query)
  const [record] = recordsIn(
    await list.catch(error => {
      if (isStatus(error, [403])) return []
      throw error
    })
  )
  return record === undefined ? undefined : numberIn(record, 'id')
}

/** A ref or merge request in a sentence. */
export const namedBy = ({ ref, merge_request_iid: iid }: Wanted): string => ref ?? `merge request ${iid}`

/** Says where to find a pipeline whose commit is the newest there, if what was asked for has none of its own. */
export const pipelineElsewhere = (wanted: Wanted, newest: Newest, pipeline: unknown): string =>
  `${namedBy(wanted)} has no pipeline. Its newest commit has one, ${pipeline}, for another branch or tag: give it as ${givenAs(newest)}.`

/**
 * Whether a pipeline ran for a merged result. Such a result is a commit of its own, so the pipeline's `sha` is not that
 * of the branch.
 */
export const isOfMergedResult = ({ ref }: Fields): boolean =>
  /^refs\/merge-requests\/\d{1,19}\/(?:merge|train)$/.test(wordsOf(ref))

/**
 * Whether a pipeline ran for that commit. For a merged result, the merge request tells: its `head_pipeline` is never
 * that of an earlier commit (GitLab's MergeRequest#diff_head_pipeline).
 */
export const isOf = (pipeline: Fields | undefined, newest: Newest): boolean =>
  pipeline !== undefined &&
  (pipeline.sha === newest.sha ||
    (isOfMergedResult(pipeline) && (newest.pipeline === undefined || newest.pipeline === pipeline.id)))
