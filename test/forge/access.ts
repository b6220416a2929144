import { type Call, ForgeError, forbidden, notFound, recordNotFound, refuse, unauthorized } from './http.ts'
import { isReadOnly } from './model/features.ts'
import { fullPath, groupPath, membershipOf } from './model/places.ts'
import type { Credential, ForgeState } from './state.ts'
import type { Group, Issue, MergeRequest, Project, User } from './types.ts'

/** GitLab's access levels (docs: roles and permissions). */
export const LEVEL = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50, admin: 60 } as const

type Headers = Record<string, string | string[] | undefined>

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

const live = (state: ForgeState, token: string | undefined, kinds: Credential['kind'][]) => {
  const credential = token ? state.credentials.get(token) : undefined
  if (!credential || !kinds.includes(credential.kind)) return undefined
  return credential.expiresAt !== null && credential.expiresAt <= state.now() ? undefined : credential
}

/**
 * The credential of a request. Personal tokens are accepted in PRIVATE-TOKEN and as bearer, OAuth tokens only as
 * bearer, job tokens in JOB-TOKEN (docs: REST API authentication). A present but invalid credential is not skipped.
 */
export const authenticate = (state: ForgeState, headers: Headers): Credential | undefined => {
  const privateToken = single(headers['private-token'])
  if (privateToken) return live(state, privateToken, ['personal'])
  const jobToken = single(headers['job-token'])
  if (jobToken) return live(state, jobToken, ['job'])
  const bearer = single(headers.authorization)?.match(/^bearer (.+)$/i)?.[1]
  return live(state, bearer, ['personal', 'oauth'])
}

const READ_METHODS = ['GET', 'HEAD']

/** Checks that a read_api token only reads (docs: token scopes). */
export const checkScope = (credential: Credential, method: string) => {
  if (credential.scopes.includes('api')) return
  if (credential.scopes.includes('read_api') && READ_METHODS.includes(method)) return
  throw new ForgeError(403, {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: 'api read_api'
  })
}

/** What a user may do in a project: the highest of own, group and visibility rights; 0 means invisible. */
export const levelIn = (user: User, project: Project): number => {
  if (user.admin) return LEVEL.admin
  const { level = 0 } = membershipOf(project, user) ?? {}
  return Math.max(level, project.visibility === 'private' ? 0 : LEVEL.guest)
}

/** The projects that the user may see. The others do not exist for that user. */
export const visibleProjects = (state: ForgeState, user: User) =>
  state.projects.filter(project => levelIn(user, project) > 0)

/**
 * The answer to a former path. A read is redirected to the id; any other method is refused (GitLab's find_project!).
 */
const refusalOfMoved = (call: Call, id: string, { id: now }: Project): ForgeError => {
  if (call.method !== 'GET') return refuse(405, 'Non GET methods are not allowed for moved projects')
  const location =
    call.state.url +
    call.path.replace(encodeURIComponent(id), String(now)) +
    (call.search ? `?${call.search}` : '')
  return new ForgeError(301, { message: 'This resource has been moved permanently' }, { location })
}

/** Finds a project by id or full path. A project that the caller may not see does not exist (404, never 403). */
export const lookupProject = (call: Call, id: string): Project => {
  const { projects } = call.state
  const project = projects.find(
    candidate => String(candidate.id) === id || fullPath(candidate).toLowerCase() === id.toLowerCase()
  )
  const moved = project ?? projects.find(candidate => candidate.formerPaths.includes(id))
  if (!moved || levelIn(call.user, moved) === 0) throw notFound('Project')
  if (!project) throw refusalOfMoved(call, id, moved)
  return project
}

/**
 * The project of the path's {id}. It answers 403 if the caller's level is below `level`, or if the project is closed to
 * what the call does.
 */
export const projectOf = (call: Call, level: number = LEVEL.guest): Project => {
  const project = lookupProject(call, call.params.id ?? '')
  const [, , , , , part = ''] = call.path.split('/')
  const isClosed = !READ_METHODS.includes(call.method) && isReadOnly(project, part, call.user)
  if (isClosed || levelIn(call.user, project) < level) throw forbidden()
  return project
}

/** The group of the path's {id}, by id or full path. It answers 403 if the caller's level is below `level`. */
export const groupOf = (call: Call, level: number = LEVEL.guest): Group => {
  const found = lookupGroup(call, call.params.id ?? '')
  if (groupLevel(call.user, found) < level) throw forbidden()
  return found
}

/** Finds a group by id or full path. A person's own namespace is not a group. */
export const lookupGroup = (call: Call, id: string): Group => {
  const group = call.state.groups.find(
    candidate =>
      candidate.owner === null &&
      (String(candidate.id) === id || groupPath(candidate).toLowerCase() === id.toLowerCase())
  )
  if (!group || groupLevel(call.user, group) === 0) throw notFound('Group')
  return group
}

/** What a user may do in a group. */
export const groupLevel = (user: User, group: Group): number => {
  if (user.admin) return LEVEL.admin
  const { level = 0 } = membershipOf(group, user) ?? {}
  return Math.max(level, group.visibility === 'private' ? 0 : LEVEL.guest)
}

/** The merge request of the path (its iid is called noteable_id in note routes). */
export const mergeRequestOf = (call: Call, level?: number): MergeRequest => {
  const project = projectOf(call, level)
  const iid = Number(call.params.merge_request_iid ?? call.params.noteable_id)
  const found = project.mergeRequests.find(candidate => candidate.iid === iid)
  if (!found) throw recordNotFound()
  return found
}

/** Confidential issues exist only for reporters, their author and their assignees (docs: confidential issues). */
export const maySeeIssue = (user: User, issue: Issue): boolean =>
  !issue.confidential ||
  levelIn(user, issue.project) >= LEVEL.reporter ||
  issue.author === user ||
  issue.assignees.includes(user)

/** Finds an issue the caller may see. */
export const issueIn = (call: Call, project: Project, iid: number): Issue => {
  const found = project.issues.find(candidate => candidate.iid === iid)
  if (!found || !maySeeIssue(call.user, found)) throw recordNotFound()
  return found
}

/** The issue of the path. */
export const issueOf = (call: Call, level?: number): Issue =>
  issueIn(call, projectOf(call, level), Number(call.params.issue_iid ?? call.params.noteable_id))

/** Users by id, as assignee_ids and reviewer_ids give them. Unknown ids are dropped, as GitLab does. */
export const usersById = (state: ForgeState, ids: string[]): User[] =>
  ids.flatMap(id => state.users.find(user => String(user.id) === id) ?? [])

/** The caller as a person. Job tokens open job, pipeline and note routes, but never the user's own record. */
export const personOf = (call: Call): User => {
  if (call.credential.kind === 'job') throw unauthorized()
  return call.user
}
