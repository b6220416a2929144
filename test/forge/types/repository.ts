import type { Files, Project, User, Visibility } from './places.ts'

/** What a project keeps besides its commits and branches. */
export interface Repository {
  tags: Map<string, Tag>
  protections: Protection[]
  /** Statuses of external systems. Those of jobs follow from the jobs. */
  statuses: CommitStatus[]
  /** Contents of Git LFS pointers, by oid. */
  lfs: Map<string, string>
  /** Attachments, by their secret. */
  uploads: Map<string, Upload>
}

export interface Tag {
  name: string
  sha: string
  /** Set only for an annotated tag, which is an object of its own. */
  message: string | null
  target: string
  createdAt: string | null
}

/** A protected branch, or all branches whose names a wildcard matches. */
export interface Protection {
  id: number
  name: string
  push: number
  merge: number
  unprotect: number | null
  allowForcePush: boolean
}

export interface CommitStatus {
  id: number
  sha: string
  ref: string
  name: string
  state: string
  description: string | null
  targetUrl: string | null
  coverage: number | null
  author: User
  createdAt: string
}

export interface Upload {
  id: number
  fileName: string
  bytes: Buffer
}

export interface Snippet {
  id: number
  /** Null for a person's own snippet. */
  project: Project | null
  author: User
  title: string
  description: string | null
  visibility: Visibility
  files: Files
  createdAt: string
  updatedAt: string
}
