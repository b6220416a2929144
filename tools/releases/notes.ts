import type { ToolContext } from '../../src/engine/context.ts'
import { eachPage } from '../../src/engine/requests/pages.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { numberIn, textIn } from '../../src/engine/requests/record.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { timeOf } from '../../src/engine/rows/calendar.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { endOf, releaseBefore } from './release-before.ts'

type Fields = Readonly<Record<string, unknown>>

/** Most pages of commits, and of merge requests, that are read, with 100 records each. */
const MAX_PAGES = 20

const tooMany = (what: string): CallProblem =>
  new CallProblem(
    `There are more than ${MAX_PAGES * 100} ${what} since the last release: write the description yourself. Nothing was done.`
  )

/**
 * Adds to the description of a release a line for each merge request whose change it has and the release before it has
 * not, in the order in which they were merged. Which they are is told by their commits, so what was merged to other
 * branches is not among them.
 * @returns the arguments as the forge takes them, and as notes_since the tag of the release before it
 * @throws CallProblem where there is too much to look through; what ForgeClient.send throws
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

/** The commits since then, each with the time it was created. */
async function commitsOf(
  args: Fields,
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
  args: Fields,
  commits: ReadonlyMap<string, number>,
  forge: ToolContext['forge']
): Promise<readonly string[]> {
  // The merge request of a commit was merged, and so updated, after the commit was created.
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

/** It is published: of what has no title or number no line is made. @throws CallProblem */
function lineOf(request: Fields): string {
  const { username } = fieldsOf(request.author)
  const by = typeof username === 'string' ? `, @${username}` : ''
  return `- ${textIn(request, 'title')} (!${numberIn(request, 'iid')}${by})`
}
