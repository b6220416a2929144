import type { Deployment, Environment, JobPlan, Pipeline } from './ci.ts'
import type { Ops } from './ops.ts'
import type { Repository } from './repository.ts'
import type { Vulnerability } from './security.ts'
import type { Epic, Issue, MergeRequest, TrainCar } from './work.ts'

/** A snapshot of a repository, from path to text. */
export type Files = Readonly<Record<string, string>>

export interface User {
  id: number
  username: string
  name: string
  createdAt: string
  admin: boolean
  bot: boolean
  bio: string
  jobTitle: string
  location: string | null
  publicEmail: string | null
  status: UserStatus
  /** Ids of the people whom this user follows. */
  follows: Set<number>
}

export interface UserStatus {
  emoji: string | null
  message: string | null
  availability: 'not_set' | 'busy'
  clearAt: string | null
}

/** A person's direct membership of a project or group. */
export interface Membership {
  level: number
  expiresAt: string | null
  createdAt: string
  createdBy: User | null
}

export interface ProxyBlob {
  fileName: string
  bytes: number
  createdAt: string
}

/** A page of a wiki. `versions` has its contents by commit. */
export interface WikiPage {
  slug: string
  title: string
  format: string
  content: string
  versions: Map<string, string>
}

export interface ReleaseLink {
  id: number
  name: string
  url: string
  directAssetPath: string | null
  type: string
}

export interface Release {
  tag: string
  name: string
  description: string
  author: User
  createdAt: string
  releasedAt: string
  milestones: Milestone[]
  links: ReleaseLink[]
}

/** A group, or a person's own namespace if it has an owner. It holds projects. */
export interface Group {
  id: number
  name: string
  /** The last part of its full path (model/places.ts). */
  path: string
  description: string
  parent: Group | null
  owner: User | null
  visibility: Visibility
  members: Map<number, Membership>
  labels: Label[]
  milestones: Milestone[]
  iterations: Iteration[]
  epics: Epic[]
  wiki: WikiPage[]
  proxy: {
    enabled: boolean
    identity: string | null
    secret: string | null
    ttl: number | null
    blobs: ProxyBlob[]
  }
  purges: string[]
  ops: Ops
}

export type Visibility = 'private' | 'internal' | 'public'

/** A snapshot. `modes` has the modes that are not 100644: 100755, 120000 (a link), 160000 (a submodule). */
export interface Snapshot {
  files: Files
  modes?: Readonly<Record<string, string>>
}

export interface Commit extends Snapshot {
  sha: string
  message: string
  author: User
  createdAt: string
  parents: string[]
  /** The person who wrote it, if that is not the one who committed it. */
  written?: { name: string; email: string }
}

export interface Branch {
  name: string
  sha: string
  protected: boolean
}

export interface Label {
  id: number
  name: string
  color: string
  description: string | null
  /** Its place in the project's list of priorities. */
  priority: number | null
  archived: boolean
  /** Whether the forge maintains it itself. */
  locked: boolean
}

export interface Milestone {
  id: number
  iid: number
  title: string
  description: string
  state: 'active' | 'closed'
  startDate: string | null
  dueDate: string | null
  createdAt: string
  updatedAt: string
}

/** A period in which a group plans. */
export interface Iteration {
  id: number
  iid: number
  startDate: string
  dueDate: string
}

export interface Project {
  id: number
  name: string
  path: string
  group: Group
  visibility: Visibility
  /** Former full paths. A GET on one answers 301 with the project's id, as after a move. */
  formerPaths: string[]
  members: Map<number, Membership>
  description: string | null
  topics: string[]
  archived: boolean
  /** Ids of the people who starred it. */
  stars: Set<number>
  createdAt: string
  releases: Release[]
  wiki: WikiPage[]
  forkedFrom: Project | null
  importStatus: 'none' | 'scheduled' | 'finished'
  defaultBranch: string
  commits: Map<string, Commit>
  branches: Map<string, Branch>
  repository: Repository
  labels: Label[]
  milestones: Milestone[]
  mergeRequests: MergeRequest[]
  /** The merge trains; null if the project has none. */
  trains: TrainCar[] | null
  ops: Ops
  issues: Issue[]
  vulnerabilities: Vulnerability[]
  pipelines: Pipeline[]
  environments: Environment[]
  deployments: Deployment[]
  ci: JobPlan[]
  settings: ProjectSettings
}

export interface ProjectSettings {
  approvalsRequired: number
  approvalPassword: string | null
  pipelineMustSucceed: boolean
  threadsMustBeResolved: boolean
  removeSourceBranch: boolean
  mergeMethod: string
  squashOption: string
  ciConfigPath: string | null
  /** Whether a push starts a pipeline, as on a forge with runners. A test that counts pipelines turns it off. */
  pipelinesOnPush: boolean
  /** Who may use a feature, by its name, if not everybody may. */
  features: Record<string, string>
}
