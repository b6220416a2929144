import { timeOf } from '../../../../src/engine/rows/calendar.ts'
import {
  type Call,
  notFound,
  type Operations,
  ok,
  paged,
  queryFlag,
  queryList,
  queryText,
  type Reply,
  refuse
} from '../../http.ts'
import { ancestry, commitsBetween, mergeBase, resolveRef } from '../../model/history.ts'
import { changesOfCommit, logOf, statsOf } from '../../model/log.ts'
import { latestPipeline, statusOf } from '../../model/pipelines.ts'
import { presentMergeRequestBasic } from '../../present/merge-request.ts'
import { presentPipelineBasic } from '../../present/pipeline.ts'
import { presentCommit, presentDiff } from '../../present/project.ts'
import type { Commit, Project } from '../../types.ts'
import { codeOf, commitOf } from './code.ts'

/** A reply without totals: lists of commits do not count themselves (docs: commits API). */
const uncounted = ({ headers, ...reply }: Reply): Reply => {
  const { 'x-total': _total, 'x-total-pages': _pages, link, ...rest } = headers ?? {}
  const kept = link
    ?.split(', ')
    .filter(entry => !entry.includes('rel="last"'))
    .join(', ')
  return { ...reply, headers: { ...rest, ...(kept && { link: kept }) } }
}

const firstParents = (project: Project, head: Commit): Commit[] => {
  const found: Commit[] = []
  for (let at: Commit | undefined = head; at; at = project.commits.get(at.parents[0] ?? '')) found.push(at)
  return found
}

const startOf = (call: Call, project: Project): Commit[] => {
  if (queryFlag(call, 'all')) return [...project.commits.values()].reverse()
  const ref = queryText(call, 'ref_name') ?? 'HEAD'
  const [from, to] = ref.split('..')
  if (to !== undefined)
    return commitsBetween(project, commitOf(project, from!).sha, commitOf(project, to).sha)
  const head = commitOf(project, ref)
  const path = queryText(call, 'path')
  if (queryFlag(call, 'first_parent')) return firstParents(project, head)
  return path ? logOf(project, head, path) : ancestry(project, head.sha)
}

const list = (call: Call): Reply => {
  const project = codeOf(call)
  const [since, until, author] = ['since', 'until', 'author'].map(name => queryText(call, name))
  const rows = startOf(call, project).filter(commit => {
    const { author_name, author_email, created_at } = presentCommit(call.state, project, commit)
    const at = Date.parse(created_at)
    return (
      (!since || at >= timeOf(since)) &&
      (!until || at <= timeOf(until)) &&
      (!author || `${author_name} <${author_email}>`.toLowerCase().includes(author.toLowerCase()))
    )
  })
  const withStats = queryFlag(call, 'with_stats')
  const present = (commit: Commit) => ({
    ...presentCommit(call.state, project, commit),
    ...(withStats && { stats: statsOf(project, commit) })
  })
  return uncounted(paged(call, rows, present))
}

const one = (call: Call): Reply => {
  const project = codeOf(call)
  const commit = commitOf(project, call.params.sha ?? '')
  const pipeline = latestPipeline(project, commit.sha)
  return ok({
    ...presentCommit(call.state, project, commit),
    ...(queryText(call, 'stats') !== 'false' && { stats: statsOf(project, commit) }),
    status: pipeline ? statusOf(pipeline) : null,
    project_id: project.id,
    last_pipeline: pipeline ? presentPipelineBasic(call.state, pipeline) : null
  })
}

const diff = (call: Call): Reply => {
  const project = codeOf(call)
  const commit = commitOf(project, call.params.sha ?? '')
  return paged(call, changesOfCommit(project, commit), change =>
    presentDiff(change, queryFlag(call, 'unidiff'))
  )
}

const base = (call: Call): Reply => {
  const project = codeOf(call)
  const refs = queryList(call, 'refs') ?? []
  if (refs.length < 2) throw refuse(400, `Provide at least 2 refs, ${refs.length} provided`)
  const unknown = refs.filter(ref => resolveRef(project, ref) === undefined)
  if (unknown.length > 0)
    throw refuse(400, `Could not find ref${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`)
  const [first, ...others] = refs.map(ref => commitOf(project, ref))
  const found = others.reduce<Commit | undefined>(
    (commit, other) => commit && mergeBase(project, commit.sha, other.sha),
    first
  )
  if (!found) throw notFound('Merge Base')
  return ok(presentCommit(call.state, project, found))
}

const mergeRequests = (call: Call): Reply => {
  const project = codeOf(call)
  const { sha } = commitOf(project, call.params.sha ?? '')
  const state = queryText(call, 'state')
  const rows = project.mergeRequests.filter(request => {
    const version = request.versions.at(-1)
    const brought =
      version && commitsBetween(project, version.base, version.head).some(commit => commit.sha === sha)
    return (brought || request.mergeCommitSha === sha) && (!state || request.state === state)
  })
  return ok(rows.map(request => presentMergeRequestBasic(call.state, request)))
}

const refs = (call: Call): Reply => {
  const project = codeOf(call)
  const { sha } = commitOf(project, call.params.sha ?? '')
  const asked = queryText(call, 'type') ?? 'all'
  const named = [
    ...[...project.branches.values()].map(ref => ({ type: 'branch', name: ref.name, tip: ref.sha })),
    ...[...project.repository.tags.values()].map(ref => ({ type: 'tag', name: ref.name, tip: ref.sha }))
  ]
  const rows = named.filter(
    ({ type, tip }) =>
      (asked === 'all' || asked === type) && ancestry(project, tip).some(commit => commit.sha === sha)
  )
  return uncounted(paged(call, rows, ({ type, name }) => ({ type, name })))
}

const contributors = (call: Call): Reply => {
  const project = codeOf(call)
  const head = commitOf(project, queryText(call, 'ref') ?? 'HEAD')
  const people = new Map<string, { name: string; email: string; commits: number }>()
  for (const commit of ancestry(project, head.sha)) {
    const { author_name: name, author_email: email } = presentCommit(call.state, project, commit)
    const known = people.get(email) ?? { name, email, commits: 0 }
    people.set(email, { ...known, commits: known.commits + 1 })
  }
  const key = (queryText(call, 'order_by') ?? 'commits') as 'name' | 'email' | 'commits'
  const sign = queryText(call, 'sort') === 'desc' ? -1 : 1
  const rows = [...people.values()].sort((a, b) => sign * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0))
  return paged(call, rows, person => ({ ...person, additions: 0, deletions: 0 }))
}

export const commitOperations: Operations = {
  list_commits: list,
  get_commit: one,
  get_commit_diff: diff,
  get_merge_base: base,
  list_commit_merge_requests: mergeRequests,
  list_commit_refs: refs,
  list_contributors: contributors
}
