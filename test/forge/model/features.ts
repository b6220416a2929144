import type { Project, User } from '../types.ts'
import { membershipOf } from './places.ts'

/**
 * The parts of a project that are read-only when it is archived, by path segment, with the feature that each belongs
 * to.
 */
const PARTS: Record<string, string | null> = {
  deployments: 'environments',
  environments: 'environments',
  issues: 'issues',
  jobs: 'builds',
  labels: null,
  merge_requests: 'merge_requests',
  merge_trains: 'merge_requests',
  milestones: null,
  packages: 'package_registry',
  pipeline: 'builds',
  pipeline_schedules: 'builds',
  pipelines: 'builds',
  registry: 'container_registry',
  releases: 'releases',
  repository: 'repository',
  snippets: 'snippets',
  statuses: null,
  uploads: null,
  wikis: 'wiki'
}

/**
 * Whether a part of a project is closed to a person's changes: archived, its feature switched off, or for members only.
 */
export const isReadOnly = (project: Project, part: string, user: User): boolean => {
  const level = project.settings.features[PARTS[part] ?? '']
  const isClosed =
    level === 'disabled' || (level === 'private' && !user.admin && !membershipOf(project, user))
  return Object.hasOwn(PARTS, part) && (project.archived || isClosed)
}
