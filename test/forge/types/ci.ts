import type { TestCase } from './ops.ts'
import type { Files, Project, User } from './places.ts'

/** What a CI job does when it runs. */
export interface JobPlan {
  name: string
  stage: string
  seconds: number
  /** One outcome per attempt. The last one repeats. */
  outcomes: ('success' | 'failed')[]
  /** Decides the outcome by the commit's files instead. */
  judge?: ((files: Files) => 'success' | 'failed') | undefined
  manual?: boolean
  allowFailure?: boolean
  trace?: (job: Job) => string
  artifacts?: Record<string, string>
  /** The cases of its test report. */
  tests?: (job: Job) => TestCase[]
  environment?: string
  tags?: string[]
  /** For a trigger job: the project whose pipeline it starts. */
  trigger?: Project
}

export interface Variable {
  key: string
  value: string
  variable_type?: string
}

export interface Job {
  id: number
  plan: JobPlan
  pipeline: Pipeline
  status: string
  attempt: number
  user: User
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
  /** When a manual job was played. It then runs, whatever its stage. */
  playedAt: number | null
  retried: boolean
  variables: Variable[]
  downstream: Pipeline | null
  /** Which of its data was erased. */
  erased: { what: 'all' | 'artifacts'; at: number } | null
  /** Whether its artifacts are kept beyond their expiry. */
  kept: boolean
}

export interface Pipeline {
  id: number
  iid: number
  project: Project
  sha: string
  ref: string
  /** Whether ref is a tag. */
  tag: boolean
  source: string
  user: User
  createdAt: number
  updatedAt: number
  jobs: Job[]
  variables: Variable[]
  inputs: Record<string, unknown>
  yamlErrors: string | null
}

export interface Environment {
  id: number
  name: string
  externalUrl: string | null
  tier: string
  state: 'available' | 'stopped' | 'stopping'
  createdAt: string
  updatedAt: string
}

export interface Deployment {
  id: number
  iid: number
  environment: Environment
  job: Job | null
  ref: string
  sha: string
  user: User
  status: string
  createdAt: string
  updatedAt: string
}
