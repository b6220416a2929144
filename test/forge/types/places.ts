import type { Deployment, Environment, JobPlan, Pipeline } from './ci.ts'
import type { Repository } from './repository.ts'
import type { Issue, MergeRequest } from './work.ts'

/** A snapshot of a repository: path → text. */
export type Files = Readonly<Record<string, string>>

export interface User {
  id: number
  username: string
  name: string
  createdAt: string
  admin: boolean
}

export interface ProxyBlob {
  fileName: string
  bytes: number
  createdAt: string
}

export interface Group {
  id: number
  name: string
  path: string
  visibility: Visibility
  members: Map<number, number>
  proxy: {
    enabled: boolean
    identity: string | null
    secret: string | null
    ttl: number | null
    blobs: ProxyBlob[]
  }
  purges: string[]
}

export type Visibility = 'private' | 'internal' | 'public'

export interface Commit {
  sha: string
  message: string
  author: User
  createdAt: string
  parents: string[]
  files: Files
  /** Modes other than 100644: 100755, 120000 (a link), 160000 (a submodule). */
  modes?: Readonly<Record<string, string>>
  /** Who wrote it, where that is not who committed it. */
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
}

export interface Milestone {
  id: number
  iid: number
  title: string
  dueDate: string | null
}

export interface Project {
  id: number
  name: string
  path: string
  group: Group
  visibility: Visibility
  /** Former full paths: GET answers 301 to the project's id, as after a move. */
  formerPaths: string[]
  members: Map<number, number>
  defaultBranch: string
  commits: Map<string, Commit>
  branches: Map<string, Branch>
  repository: Repository
  labels: Label[]
  milestones: Milestone[]
  mergeRequests: MergeRequest[]
  issues: Issue[]
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
}
