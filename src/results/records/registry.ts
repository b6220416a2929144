import type { RecordViews } from './views.ts'

const PACKAGE =
  'id name version package_type status created_at last_downloaded_at tags?{name} pipeline{id ref sha} project_id project_path'

/** Packages and container images. */
export const registryRecords = {
  package: {
    list: PACKAGE,
    get: `${PACKAGE} versions{id version created_at} files{id file_name size file_sha256 created_at} left_out`
  },
  registry_repository: {
    list: 'id path location project_id created_at status tags_count cleanup_policy_started_at'
  },
  registry_tag: { list: 'name location path digest revision short_revision created_at total_size' }
} as const satisfies Readonly<Record<string, RecordViews>>
