import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { eachPage } from '../../src/engine/requests/pages.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { numberIn, textIn } from '../../src/engine/requests/record.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { timeOf } from '../../src/engine/rows/calendar.ts'
import { type Fields, fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { endOf, releaseBefore } from './release-before.ts'

/** Most pages of commits, and of merge requests, that are read. A page has 100 records. */
const MAX_PAGES = 20

const tooMany = (what: string): CallProblem =>
  new CallProblem(
    `There are more than ${MAX_PAGES * 100} ${what} since the last release: write the description yourself. Nothing was done.`
  )

/**
 * Adds to the description of a release a line for each merge request that is in this release and not in the previous
 * one, in the order in which they were merged. Merge requests are matched by their commits, so those that were merged
 * to other branches are left out.
 * @returns the arguments as the forge takes them, and in notes_since the tag of the previous release
 * @throws CallProblem if there is too much to look through; what ForgeClient.send throws
 */
export async function withNotes(
  { generate_notes: wanted, ...args }: Record<string, unknown>,
  { forge }: ToolContext
): Promise<Record<string, unknown>> {
  if (wanted !== true) return args
  const last = await releaseBefore(args, forge)
  const commits = await commitsOf(args, last, forge)
  const lines = commits.size === 0 ? [] : await mergedLines(args, commits, forge)
  const text = lines.length === 0 ? 'No merge requests were merged.' : lines.join('\n')
  const above = String(args.description ?? '').trimEnd()
  return { ...args, notes_since: last, description: above === '' ? text : `${above}\n\n${text}` }
}

/** The commits since the previous release, each with its commit time. */
async function commitsOf(
  args: Arguments,
  last: string | undefined,
  forge: ToolContext['forge']
): Promise<ReadonlyMap<string, number>> {
  const to = endOf(args)
  const query = queryOf({ ref_name: last === undefined ? to : `${last}..${to}` })
  const place = requestTo('GET /projects/{project_id}/repository/commits', args, query)
  const found = new Map<string, number>()
  const more = await eachPage(
    forge,
    place,
    commits => {
      for (const commit of commits) found.set(textIn(commit, 'id'), timeOf(commit.committed_date))
      return undefined
    },
    { maxPages: MAX_PAGES }
  )
  if (more) throw tooMany('commits')
  return found
}

async function mergedLines(
  args: Arguments,
  commits: ReadonlyMap<string, number>,
  forge: ToolContext['forge']
): Promise<readonly string[]> {
  // A commit's merge request was merged, and so updated, after the commit was created.
  const times = [...commits.values()].filter(time => !Number.isNaN(time))
  const first = times.length > 0 ? new Date(times.reduce((a, b) => Math.min(a, b))).toISOString() : undefined
  const query = queryOf({ state: 'merged', scope: 'all', ...(first && { updated_after: first }) })
  const place = requestTo('GET /projects/{project_id}/merge_requests', args, query)
  const merged: { readonly line: string; readonly at: number }[] = []
  const more = await eachPage(
    forge,
    place,
    page => {
      for (const one of page)
        if (
          [one.merge_commit_sha, one.squash_commit_sha, one.sha].some(
            id => typeof id === 'string' && commits.has(id)
          )
        )
          merged.push({ line: lineOf(one), at: timeOf(one.merged_at) })
      return undefined
    },
    { maxPages: MAX_PAGES }
  )
  if (more) throw tooMany('merged merge requests')
  return merged.sort((a, b) => a.at - b.at).map(({ line }) => line)
}

/**
 * The line of a merge request. The line is published, so a record without title or number is an error.
 * @throws CallProblem
 */
function lineOf(request: Fields): string {
  const { username } = fieldsOf(request.author)
  const by = typeof username === 'string' ? `, @${username}` : ''
  return `- ${textIn(request, 'title')} (!${numberIn(request, 'iid')}${by})`
}
