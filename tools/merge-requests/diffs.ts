import { Type } from 'typebox'
import { oneOf, optional } from '../../src/catalog/fields.ts'
import { rest, type ToolRow } from '../../src/catalog/row.ts'
import { bySourceBranch, OneMergeRequest } from './by-source-branch.ts'
import { type ChangedFile, ExcludedFilePatterns, withoutExcluded } from './excluded-files.ts'

export const diffRows: readonly ToolRow[] = [
  rest({
    name: 'get_merge_request_diffs',
    class: 'read',
    title: 'Get merge request diffs',
    summary:
      'Get the diffs of all changed files at once. For a large merge request list_merge_request_changed_files, then get_merge_request_file_diff.',
    input: Type.Object({
      ...OneMergeRequest,
      view: optional(oneOf(['inline', 'parallel'], 'Accepted for compatibility; the diff is the same')),
      excluded_file_patterns: ExcludedFilePatterns
    }),
    lookup: bySourceBranch,
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/changes',
    local: ['source_branch', 'view', 'excluded_file_patterns'],
    shape: (value, args, context) =>
      withoutExcluded(
        (value as { changes?: ChangedFile[] }).changes ?? [],
        args.excluded_file_patterns,
        context
      )
  })
]
