import type { Project } from '../types.ts'

/** What is read-only in an archived project, by the path below it, and the feature that it is part of. */
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

/** Whether a part of a project takes no changes: it is archived, or has the feature switched off. */
export const isReadOnly = ({ archived, settings }: Project, part: string): boolean =>
  Object.hasOwn(PARTS, part) && (archived || settings.features[PARTS[part] ?? ''] === 'disabled')
