import type { RecordViews } from './index.ts'

/** Projects, groups and what is known of their members. */
export const placeRecords = {
  project: {
    list: 'id path_with_namespace name description:300 default_branch visibility topics last_activity_at star_count forks_count web_url http_url_to_repo'
  }
} as const satisfies Readonly<Record<string, RecordViews>>
