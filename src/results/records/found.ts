import type { RecordViews } from './views.ts'

/** Search results: enough of each to choose one. */
export const foundRecords = {
  found_work: {
    list: 'iid project_id title state author{username} labels updated_at web_url description:200'
  },
  found_milestone: { list: 'id iid title state due_date project_id group_id' },
  found_wiki_page: { list: 'path ref startline project_id group_id data' },
  found_note: { list: 'id body:500 noteable_type noteable_iid project_id author{username}' },
  found_snippet: { list: 'id title file_name project_id web_url' }
} as const satisfies Readonly<Record<string, RecordViews>>
