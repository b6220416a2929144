import type { Pipeline, Variable } from './ci.ts'
import type { Project, User } from './places.ts'

export interface CiVariable {
  key: string
  value: string
  type: string
  scope: string
  protected: boolean
  masked: boolean
  hidden: boolean
  raw: boolean
  description: string | null
}

export interface Schedule {
  id: number
  description: string
  ref: string
  cron: string
  timezone: string
  active: boolean
  owner: User
  createdAt: string
  updatedAt: string
  inputs: { name: string; value: unknown }[]
  variables: Variable[]
  lastPipeline: Pipeline | null
}

export interface Runner {
  id: number
  description: string
  type: 'instance_type' | 'group_type' | 'project_type'
  status: 'online' | 'offline' | 'stale' | 'never_contacted'
  paused: boolean
  tags: string[]
  version: string
  token: string
  owner: User | null
}

export interface TestCase {
  name: string
  classname: string
  file: string
  status: 'success' | 'failed' | 'skipped' | 'error'
  seconds: number
  output: unknown
}

export interface Package {
  id: number
  name: string
  version: string
  type: string
  createdAt: string
  pipeline: Pipeline | null
  /** Whether only maintainers may delete it. */
  protected: boolean
  files: { id: number; name: string; size: number; sha256: string }[]
}

export interface ImageTag {
  name: string
  digest: string
  size: number
  createdAt: string
  /** Whether nobody may delete it. */
  protected: boolean
}

export interface Image {
  id: number
  name: string
  createdAt: string
  tags: ImageTag[]
}

export interface Hook {
  id: number
  url: string
  token: string | null
  /** The other given fields, such as events, by the forge's names. */
  fields: Record<string, unknown>
  createdAt: string
  /** Test deliveries: their time and event. */
  deliveries: { at: number; event: string }[]
}

/** CI variables, schedules, packages, images and webhooks of a project or group. */
export interface Ops {
  variables: CiVariable[]
  schedules: Schedule[]
  packages: Package[]
  images: Image[]
  hooks: Hook[]
}

/** A package or image, with its project. */
export interface Placed<Thing> {
  project: Project
  thing: Thing
}
