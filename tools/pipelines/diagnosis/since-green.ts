import type { ToolContext } from '../../../src/engine/context.ts'
import { eachPage } from '../../../src/engine/requests/pages.ts'
import { queryOf } from '../../../src/engine/requests/query.ts'
import { listIn } from '../../../src/engine/requests/record.ts'
import { readParts, shownPart } from '../../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { type Fields, recordsIn, textOf } from '../../../src/results/is-record.ts'
import { numberOf } from '../../../src/results/next-page.ts'
import type { Read } from '../latest.ts'

/** How many commits and paths are listed. */
const MAX_COMMITS = 20
const MAX_FILES = 100
/**
 * How far back an earlier success is looked for. This matters on a forge that does not know created_before and sends
 * newer pipelines first.
 */
const LOOKED_AT = { perPage: 20, maxPages: 10 }

/**
 * The commits between this pipeline and the last one of the ref that passed before it, and the files that they changed.
 * If there are none, a sentence says why.
 */
export async function sinceGreen(
  project_id: unknown,
  pipeline: Fields,
  read: Read,
  context: ToolContext
): Promise<unknown> {
  const { ref, sha, status } = pipeline
  if (typeof ref !== 'string') return undefined
  if (status === 'success') return 'This pipeline passed.'
  context.checkShown('list_pipelines')
  const number = pipelineNumber(pipeline.id)
  if (number === undefined) return 'The forge gives this pipeline no number by which earlier ones are told.'
  const { green, unread } = await passedBefore({ ...pipeline, project_id, ref, number }, context)
  if (green === undefined)
    return unread === undefined
      ? 'No earlier pipeline of this ref passed.'
      : `The newest ${unread} pipelines of this ref that passed are newer than this one: those before were not looked at.`
  const last = { id: green.id, sha: green.sha }
  if (green.sha === sha) return { pipeline: last, commits: [], remark: 'The same commit passed before.' }
  return {
    pipeline: last,
    ...(await changesBetween(project_id, textOf(green.sha), textOf(sha), read, context))
  }
}

/** The newest commits between two, and the files that they changed. What cannot be shown is replaced by the reason. */
async function changesBetween(
  project_id: unknown,
  from: string,
  to: string,
  read: Read,
  context: ToolContext
): Promise<Fields> {
  const compared = (await read(
    'GET /projects/{project_id}/repository/compare',
    { project_id },
    queryOf({ from, to })
  )) as Fields
  const leftOut: string[] = []
  const { commits, files } = await readParts({
    commits: async () => {
      context.checkShown('list_commits')
      const all = recordsIn(listIn(compared, 'commits'))
      if (all.length > MAX_COMMITS)
        leftOut.push(
          `${all.length - MAX_COMMITS} older commits: list_commits has them, with ref=${from}..${to}.`
        )
      return all
        .slice(-MAX_COMMITS)
        .reverse()
        .map(({ id, title, author_name }) => ({ id, title, author_name }))
    },
    files: async () => {
      context.checkShown('get_branch_diffs')
      const all = recordsIn(listIn(compared, 'diffs'))
      if (all.length > MAX_FILES)
        leftOut.push(
          `${all.length - MAX_FILES} changed files: get_branch_diffs has them, with the same two commits.`
        )
      return all.slice(0, MAX_FILES).map(({ new_path }) => new_path)
    }
  })
  return {
    commits: shownPart(commits),
    changed_files: shownPart(files),
    ...(leftOut.length > 0 && { left_out: leftOut })
  }
}

/**
 * The id of a pipeline, if it is a number. A forge may send megabytes in its place, which would take long to convert.
 */
const pipelineNumber = (id: unknown): number | undefined => numberOf(textOf(id))

/**
 * The last pipeline of the same ref that passed before this one. If not all pipelines were read, `unread` is the number
 * of those that were.
 */
async function passedBefore(
  { project_id, ref, number, created_at }: Fields & { readonly ref: string; readonly number: number },
  { forge }: ToolContext
): Promise<{ readonly green?: Fields; readonly unread?: number }> {
  const before = typeof created_at === 'string' ? { created_before: created_at } : {}
  const query = queryOf({ ref, status: 'success', ...before })
  let green: Fields | undefined
  let looked = 0
  const more = await eachPage(
    forge,
    requestTo('GET /projects/{project_id}/pipelines', { project_id }, query),
    records => {
      looked += records.length
      green = records.find(pipeline => (pipelineNumber(pipeline.id) ?? Number.POSITIVE_INFINITY) < number)
      return green === undefined ? undefined : 'stop'
    },
    LOOKED_AT
  )
  return { ...(green && { green }), ...(more && { unread: looked }) }
}
