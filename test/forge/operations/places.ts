import { groupLevel, groupOf, LEVEL, levelIn, personOf, projectOf } from '../access.ts'
import {
  accepted,
  badRequest,
  type Call,
  forbidden,
  notFound,
  type Operations,
  ok,
  paged,
  queryFlag,
  queryText
} from '../http.ts'
import { changesBetween } from '../model/diff.ts'
import { commitsBetween, mergeBase, resolveRef } from '../model/history.ts'
import { pushLevel } from '../model/protection.ts'
import { presentJob } from '../present/pipeline.ts'
import { presentBranch, presentCommit, presentDiff, presentGroup, projectUrl } from '../present/project.ts'
import { presentCurrentUser } from '../present/user.ts'
import type { Branch, Project } from '../types.ts'

/** Whether a branch matches a search. `^term` and `term$` anchor it (docs: branches API). */
const matchesSearch = (name: string, search: string) => {
  const term = search.replace(/^\^/, '').replace(/\$$/, '').toLowerCase()
  const lower = name.toLowerCase()
  if (search.startsWith('^')) return lower.startsWith(term)
  return search.endsWith('$') ? lower.endsWith(term) : lower.includes(term)
}

const canPush = (call: Call, project: Project, branch: Branch) =>
  levelIn(call.user, project) >= pushLevel(project, branch.name)

const compare = (call: Call) => {
  const project = projectOf(call)
  const from = resolveRef(project, queryText(call, 'from') ?? '')
  const to = resolveRef(project, queryText(call, 'to') ?? '')
  if (!from || !to) throw notFound('Ref')
  const straight = queryFlag(call, 'straight')
  const base = straight ? from : (mergeBase(project, from.sha, to.sha) ?? from)
  // Oldest first, unlike lists of commits.
  const commits = commitsBetween(project, from.sha, to.sha).reverse()
  const last = commits.at(-1)
  return ok({
    commit: last ? presentCommit(call.state, project, last) : null,
    commits: commits.map(commit => presentCommit(call.state, project, commit)),
    diffs: changesBetween(base, to).map(change => presentDiff(change, queryFlag(call, 'unidiff'))),
    compare_timeout: false,
    compare_same_ref: from === to,
    web_url: `${projectUrl(call.state, project)}/-/compare/${from.sha}...${to.sha}`
  })
}

/** Reads a pattern as RE2 does: without lookarounds and backreferences, and with flags before the pattern. */
const readPattern = (pattern: string): RegExp => {
  const [, flags = '', rest] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern)!
  try {
    if (/\(\?<?[=!]|\\[1-9]/.test(pattern)) throw new SyntaxError('not of RE2')
    return new RegExp(rest!, flags)
  } catch {
    throw badRequest('Regex is invalid')
  }
}

const listBranches = (call: Call) => {
  const project = projectOf(call)
  const search = queryText(call, 'search')
  const regex = queryText(call, 'regex')
  const pattern = regex ? readPattern(regex) : undefined
  const rows = [...project.branches.values()]
    .filter(({ name }) => (!search || matchesSearch(name, search)) && (pattern?.test(name) ?? true))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return paged(call, rows, branch =>
    presentBranch(call.state, project, branch, canPush(call, project, branch))
  )
}

/**
 * Purges the cache. Only owners may (docs: dependency proxy API). The answer is 202, and its body is only the number.
 */
const purge = (call: Call) => {
  const group = groupOf(call)
  if (groupLevel(call.user, group) < LEVEL.owner) throw forbidden()
  if (!group.proxy.enabled) throw notFound('Dependency Proxy')
  group.proxy.blobs = []
  group.purges.push(call.state.time())
  return accepted(202)
}

/** Users, groups, branches and comparisons. */
export const placeOperations: Operations = {
  get_metadata: ({ state }) =>
    ok({
      version: state.version,
      revision: state.hash('revision', state.version).slice(0, 11),
      kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
      enterprise: state.edition === 'ee'
    }),
  get_current_user: call => ok(presentCurrentUser(call.state, personOf(call))),
  get_current_job: call => {
    if (!call.credential.job) throw badRequest('JOB-TOKEN not given')
    return ok(presentJob(call.state, call.credential.job))
  },
  get_group: call => {
    const { runners_token: token, ...group } = presentGroup(call.state, groupOf(call))
    // Only owners see the runner registration token. A tool server must not pass it on.
    return ok(
      groupLevel(call.user, groupOf(call)) >= LEVEL.owner ? { ...group, runners_token: token } : group
    )
  },
  purge_dependency_proxy_cache: purge,
  list_branches: listBranches,
  get_branch: call => {
    const project = projectOf(call)
    const branch = project.branches.get(call.params.branch ?? '')
    if (!branch) throw notFound('Branch')
    return ok(presentBranch(call.state, project, branch, canPush(call, project, branch)))
  },
  compare_refs: compare
}
