import type { ForgeState } from '../state.ts'
import type {
  Epic,
  Group,
  Issue,
  Membership,
  MergeRequest,
  Noteable,
  Ops,
  Planning,
  Project,
  User
} from '../types.ts'
import { firstVersion } from './merge-requests.ts'

const nextIid = (rows: Pick<Noteable, 'iid'>[]) => Math.max(0, ...rows.map(({ iid }) => iid)) + 1

const noteable = (state: ForgeState, at: string | undefined) => {
  const time = at ?? state.time()
  return {
    description: null,
    assignees: [],
    labels: [],
    milestone: null,
    discussions: [],
    discussionLocked: null,
    awards: [],
    createdAt: time,
    updatedAt: time,
    closedAt: null,
    closedBy: null,
    timeEstimate: 0,
    timeSpent: 0
  }
}

/** The parts that a new merge request needs. The rest gets the forge's defaults. */
type MergeRequestParts = Pick<MergeRequest, 'title' | 'author' | 'sourceBranch' | 'targetBranch'> &
  Partial<MergeRequest>

/** Opens a merge request in `project` and gives it its first diff version. */
export const addMergeRequest = (
  state: ForgeState,
  project: Project,
  parts: MergeRequestParts
): MergeRequest => {
  const request: MergeRequest = {
    ...noteable(state, parts.createdAt),
    kind: 'MergeRequest',
    id: state.nextId('mergeRequest'),
    iid: nextIid(project.mergeRequests),
    project,
    sourceProject: project,
    state: 'opened',
    reviewers: [],
    reviewed: new Map(),
    versions: [],
    drafts: [],
    approvals: [],
    autoMerge: null,
    rebase: null,
    mergeError: null,
    rules: [],
    forceRemoveSourceBranch: project.settings.removeSourceBranch,
    shouldRemoveSourceBranch: null,
    squash: false,
    allowCollaboration: false,
    mergeUser: null,
    mergedAt: null,
    mergeCommitSha: null,
    squashCommitSha: null,
    ...parts
  }
  firstVersion(state, request)
  project.mergeRequests.push(request)
  return request
}

const UNPLANNED: Planning = {
  startDate: null,
  healthStatus: null,
  iterationId: null,
  color: null,
  statusId: 1,
  parent: null
}

/** The initial state of issues and of the work items of groups. */
const openItem = (state: ForgeState, at: string | undefined) => ({
  ...noteable(state, at),
  kind: 'Issue' as const,
  id: state.nextId('issue'),
  state: 'opened' as const,
  confidential: false,
  dueDate: null,
  weight: null,
  severity: 'UNKNOWN',
  movedTo: null,
  planning: { ...UNPLANNED }
})

/** Opens a work item in `group`. */
export const addEpic = (
  state: ForgeState,
  group: Group,
  parts: Pick<Epic, 'title' | 'author'> & Partial<Epic>
): Epic => {
  const epic: Epic = {
    ...openItem(state, parts.createdAt),
    iid: nextIid(group.epics),
    group,
    type: 'epic',
    ...parts
  }
  group.epics.push(epic)
  return epic
}

/** Opens an issue in `project`. */
export const addIssue = (
  state: ForgeState,
  project: Project,
  parts: Pick<Issue, 'title' | 'author'> & Partial<Issue>
): Issue => {
  const issue: Issue = {
    ...openItem(state, parts.createdAt),
    iid: nextIid(project.issues),
    project,
    type: 'issue',
    ...parts
  }
  project.issues.push(issue)
  return issue
}

const emptyOps = (): Ops => ({ variables: [], schedules: [], packages: [], images: [], hooks: [] })

/** Creates a person. */
export const addUser = (state: ForgeState, username: string, name: string, admin = false): User => {
  const user: User = {
    id: state.nextId('user'),
    username,
    name,
    createdAt: '2025-01-07T08:00:00.000Z',
    admin,
    bot: false,
    bio: '',
    jobTitle: '',
    location: null,
    publicEmail: null,
    status: { emoji: null, message: null, availability: 'not_set', clearAt: null },
    follows: new Set()
  }
  state.users.push(user)
  return user
}

export const addGroup = (
  state: ForgeState,
  path: string,
  name: string,
  parts: Partial<Group> = {}
): Group => {
  const group: Group = {
    id: state.nextId('group'),
    name,
    path,
    description: '',
    parent: null,
    owner: null,
    visibility: 'private',
    members: new Map(),
    labels: [],
    milestones: [],
    iterations: [],
    epics: [],
    wiki: [],
    proxy: { enabled: true, identity: null, secret: null, ttl: null, blobs: [] },
    purges: [],
    ops: emptyOps(),
    ...parts
  }
  state.groups.push(group)
  return group
}

/** A person's own namespace, created when it is first needed. */
export const ownSpace = (state: ForgeState, user: User): Group => {
  const found = state.groups.find(({ owner }) => owner === user)
  if (found) return found
  const space = addGroup(state, user.username, user.name, { id: 1000 + user.id, owner: user })
  addMember(state, space, user, 50)
  return space
}

/** Creates an empty project: no commits, no branches, no rules. */
export const addProject = (state: ForgeState, group: Group, path: string, name: string): Project => {
  const project: Project = {
    id: state.nextId('project'),
    name,
    path,
    group,
    visibility: 'private',
    formerPaths: [],
    members: new Map(),
    description: null,
    topics: [],
    archived: false,
    stars: new Set(),
    releases: [],
    wiki: [],
    forkedFrom: null,
    importStatus: 'none',
    createdAt: '2025-01-08T09:30:00.000Z',
    defaultBranch: 'main',
    commits: new Map(),
    branches: new Map(),
    repository: { tags: new Map(), protections: [], statuses: [], lfs: new Map(), uploads: new Map() },
    labels: [],
    milestones: [],
    mergeRequests: [],
    trains: null,
    ops: emptyOps(),
    issues: [],
    vulnerabilities: [],
    pipelines: [],
    environments: [],
    deployments: [],
    ci: [],
    settings: {
      approvalsRequired: 0,
      approvalPassword: null,
      pipelineMustSucceed: false,
      threadsMustBeResolved: false,
      removeSourceBranch: true,
      mergeMethod: 'merge',
      squashOption: 'default_off',
      ciConfigPath: null,
      pipelinesOnPush: false,
      features: {}
    }
  }
  state.projects.push(project)
  return project
}

/** Makes a person a direct member of a project or group. */
export const addMember = (
  state: ForgeState,
  place: Project | Group,
  user: User,
  level: number,
  parts: Partial<Membership> = {}
) => {
  place.members.set(user.id, { level, expiresAt: null, createdAt: state.time(), createdBy: null, ...parts })
}
