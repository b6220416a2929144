import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { eachPage, type Records } from '../../src/engine/requests/pages.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { textIn } from '../../src/engine/requests/record.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { timeOf } from '../../src/engine/rows/calendar.ts'
import { isStatus } from '../../src/results/failure.ts'
import { type Fields, fieldsOf, isRecord } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { asKey } from '../../src/results/shortened.ts'
import { quoted } from '../../src/results/visible.ts'

/** Most pages of releases, and of commits, that are read. */
const RELEASE_PAGES = 3
const COMMIT_PAGES = 20
/** How many releases of other lines are checked. Each takes a request. */
const OTHERS = 20

interface Release {
  readonly tag: string
  /** Undefined if the tag no longer exists. */
  readonly commit: string | undefined
}

/**
 * The tag of the release that this one continues: the nearest on its own line, or else the one whose line branched off
 * last from this line. So neither a release of another line that came out in between, nor one that contains this one,
 * is mistaken for it. Undefined for the first release.
 * @throws CallProblem if only releases without a tag are left
 */
export async function releaseBefore(
  args: Arguments,
  forge: ToolContext['forge']
): Promise<string | undefined> {
  const releases = await releasesOut(args, forge)
  if (releases.length === 0) return undefined
  const { nearest, head } = await nearestOnLine(releases, args, forge)
  const before = nearest ?? (await lastShared(releases, head, args, forge))
  const gone = releases.find(({ commit }) => commit === undefined)
  if (before === undefined && gone !== undefined) throw tagGone(gone.tag)
  return before
}

/** The releases that are out, latest first, without one of the same tag. */
async function releasesOut(args: Arguments, forge: ToolContext['forge']): Promise<readonly Release[]> {
  const place = requestTo('GET /projects/{project_id}/releases', args, 'order_by=released_at')
  const out: Release[] = []
  const take = (page: Records) => {
    for (const release of page) {
      if (release.upcoming_release === true) continue
      const { commit } = release
      const tag = textIn(release, 'tag_name')
      if (tag !== args.tag_name)
        out.push({ tag, commit: isRecord(commit) ? textIn(commit, 'id') : undefined })
    }
    return undefined
  }
  await eachPage(forge, place, take, { maxPages: RELEASE_PAGES })
  return out
}

export const endOf = ({ ref, tag_name }: Fields): string => String(ref ?? tag_name)

/**
 * Goes back along the line by first parents, so not into merged branches.
 * @returns the first release that it meets, and the newest commit
 */
async function nearestOnLine(
  releases: readonly Release[],
  args: Arguments,
  forge: ToolContext['forge']
): Promise<{ nearest?: string; head?: string }> {
  const tags = new Map(releases.map(({ commit, tag }) => [asKey(commit ?? ''), tag]))
  const query = queryOf({ ref_name: endOf(args), first_parent: 'true' })
  const met: { nearest?: string; head?: string } = {}
  const take = (page: Records) => {
    for (const commit of page) {
      const id = textIn(commit, 'id')
      met.head ??= id
      const tag = tags.get(asKey(id))
      if (tag === undefined) continue
      met.nearest = tag
      return 'stop'
    }
    return undefined
  }
  await eachPage(forge, requestTo('GET /projects/{project_id}/repository/commits', args, query), take, {
    maxPages: COMMIT_PAGES
  })
  return met
}

/**
 * Of the releases on other lines, the one that shares the newest commit with this line and does not contain this line's
 * end.
 */
async function lastShared(
  releases: readonly Release[],
  head: string | undefined,
  args: Arguments,
  forge: ToolContext['forge']
): Promise<string | undefined> {
  let latest: { readonly tag: string; readonly at: number } | undefined
  const asked = releases.flatMap(({ tag, commit }) => (commit === undefined ? [] : [{ tag, commit }]))
  for (const { tag, commit } of asked.slice(0, OTHERS)) {
    const base = await sharedCommit(commit, args, forge)
    if (base === undefined || base.id === head) continue
    const at = timeOf(base.committed_date)
    if (latest === undefined || at > latest.at) latest = { tag, at }
  }
  return latest?.tag
}

/** The newest commit that a commit and the new release share; undefined if there is none. */
async function sharedCommit(
  commit: string,
  args: Arguments,
  forge: ToolContext['forge']
): Promise<Fields | undefined> {
  const query = queryOf({ refs: [commit, endOf(args)] })
  const place = requestTo('GET /projects/{project_id}/repository/merge_base', args, query)
  return forge.send(place).then(
    ({ value }) => fieldsOf(value),
    error => {
      if (isStatus(error, [404])) return undefined
      throw error
    }
  )
}

const tagGone = (tag: string): CallProblem =>
  new CallProblem(
    `An earlier release is of the tag ${quoted(tag)}, which is not there any more: write the description yourself. Nothing was done.`
  )
