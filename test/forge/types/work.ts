import type { Group, Milestone, Project, User } from './places.ts'

export interface Award {
  id: number
  name: string
  user: User
  createdAt: string
}

/** A diff position as the forge stores it. It contains declared fields only. */
export type Position = Record<string, unknown>

/** A change to lines that a note on a diff proposes. */
export interface Suggestion {
  id: number
  first: number
  last: number
  from: string
  to: string
  applied: boolean
}

export interface Note {
  id: number
  type: 'DiscussionNote' | 'DiffNote' | null
  body: string
  author: User
  createdAt: string
  updatedAt: string
  system: boolean
  internal: boolean
  resolvable: boolean
  resolvedBy: User | null
  resolvedAt: string | null
  position: Position | null
  awards: Award[]
  /** Read from the body when it is first needed. */
  suggestions?: Suggestion[]
}

export interface Discussion {
  id: string
  individual: boolean
  notes: Note[]
}

export interface Noteable {
  kind: 'MergeRequest' | 'Issue'
  id: number
  iid: number
  project: Project
  title: string
  description: string | null
  author: User
  assignees: User[]
  labels: string[]
  milestone: Milestone | null
  discussions: Discussion[]
  discussionLocked: boolean | null
  awards: Award[]
  createdAt: string
  updatedAt: string
  closedAt: string | null
  closedBy: User | null
  /** In seconds. */
  timeEstimate: number
  timeSpent: number
}

export interface DraftNote {
  id: number
  author: User
  note: string
  discussionId: string | null
  resolveDiscussion: boolean
  commitId: string | null
  position: Position | null
}

export interface Version {
  id: number
  base: string
  start: string
  head: string
  createdAt: string
}

/** A rule of one merge request, in addition to its project's. */
export interface ApprovalRule {
  id: number
  name: string
  required: number
  users: User[]
  groups: Group[]
}

export interface MergeRequest extends Noteable {
  kind: 'MergeRequest'
  state: 'opened' | 'closed' | 'merged' | 'locked'
  reviewers: User[]
  /** The states that reviewers have set since they were asked. */
  reviewed: Map<User, string>
  sourceProject: Project
  sourceBranch: string
  targetBranch: string
  versions: Version[]
  drafts: DraftNote[]
  approvals: { user: User; at: string }[]
  autoMerge: { user: User; params: MergeParams } | null
  /** A rebase in progress. */
  rebase: { until: number; user: User; skipCi: boolean } | null
  mergeError: string | null
  rules: ApprovalRule[]
  forceRemoveSourceBranch: boolean | null
  shouldRemoveSourceBranch: boolean | null
  squash: boolean
  allowCollaboration: boolean
  mergeUser: User | null
  mergedAt: string | null
  mergeCommitSha: string | null
  squashCommitSha: string | null
}

export interface MergeParams {
  mergeMessage: string | null
  squashMessage: string | null
  squash: boolean
  removeSource: boolean | null
}

/** A merge request on a merge train, or one that left it. */
export interface TrainCar {
  id: number
  request: MergeRequest
  user: User
  createdAt: number
  /** The time at which it is merged. */
  readyAt: number
  mergedAt: number | null
}

export interface Issue extends Noteable {
  kind: 'Issue'
  state: 'opened' | 'closed'
  type: string
  confidential: boolean
  dueDate: string | null
  weight: number | null
  severity: string
  movedTo: Issue | null
  planning: Planning
}

/** Fields that an issue shows only as a work item. */
export interface Planning {
  startDate: string | null
  healthStatus: string | null
  iterationId: number | null
  color: string | null
  statusId: number
  parent: WorkItem | null
}

/** A work item of a group. */
export interface Epic extends Omit<Issue, 'project'> {
  group: Group
}

export type WorkItem = Issue | Epic

export interface IssueLink {
  id: number
  source: Issue
  target: Issue
  type: string
  createdAt: string
}

export interface Todo {
  id: number
  user: User
  author: User
  action: string
  target: MergeRequest | Issue
  body: string
  state: 'pending' | 'done'
  createdAt: string
  updatedAt: string
}
