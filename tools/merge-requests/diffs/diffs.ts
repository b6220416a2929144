import { Type } from 'typebox'
import { listIn } from '../../../src/engine/requests/record.ts'
import {
  flag,
  forgeDefault,
  oneOf,
  optional,
  Page,
  ProjectId,
  wholeList
} from '../../../src/engine/rows/fields.ts'
import { revision } from '../../../src/engine/rows/revisions.ts'
import { custom, rest, type ToolRow } from '../../../src/engine/rows/row.ts'
import {
  type ChangedFile,
  ExcludedFilePatterns,
  withoutExcluded
} from '../../families/files/excluded-files.ts'
import { Unidiff } from '../../families/files/unidiff.ts'
import { bySourceBranch, OneMergeRequest } from '../by-source-branch.ts'
import { comparison, comparisonNotice, overflowNotice, pathsOnly } from './diff-lists.ts'
import { fileDiffs } from './file-diffs.ts'
import { LineNumbers, withLineNumbers } from './line-numbers.ts'

const byPage = 'which list_merge_request_diffs takes'

export const diffRows: readonly ToolRow[] = [
  rest({
    name: 'get_merge_request_diffs',
    class: 'read',
    record: 'diff',
    title: 'All diffs',
    summary: 'Get all diffs; if large, list_merge_request_changed_files.',
    input: Type.Object(
      {
        ...OneMergeRequest,
        view: optional(oneOf(['inline', 'parallel'], 'No effect')),
        excluded_file_patterns: ExcludedFilePatterns,
        line_numbers: LineNumbers
      },
      { instead: { page: byPage, per_page: byPage } }
    ),
    lookup: bySourceBranch,
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/changes',
    local: ['source_branch', 'view', 'excluded_file_patterns', 'line_numbers'],
    shape: (value, args, context) =>
      withoutExcluded(listIn<ChangedFile>(value, 'changes'), args.excluded_file_patterns, context, files =>
        withLineNumbers(files, args)
      ),
    notice: overflowNotice
  }),
  rest({
    name: 'list_merge_request_changed_files',
    class: 'read',
    record: 'diff',
    title: 'Changed files',
    summary: 'List changed paths.',
    input: Type.Object({ ...OneMergeRequest, excluded_file_patterns: ExcludedFilePatterns }, wholeList),
    lookup: bySourceBranch,
    // Not /changes: it would send all diffs of the merge request in one answer.
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/diffs',
    local: ['source_branch', 'excluded_file_patterns'],
    whole: { pick: pathsOnly },
    shape: (value, { excluded_file_patterns: patterns }, context) =>
      withoutExcluded(value as readonly ChangedFile[], patterns, context)
  }),
  rest({
    name: 'list_merge_request_diffs',
    class: 'read',
    record: 'diff',
    title: 'Diffs by page',
    summary: 'List diffs by page.',
    input: Type.Object({ ...OneMergeRequest, ...Page, unidiff: Unidiff, line_numbers: LineNumbers }),
    lookup: bySourceBranch,
    request: 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/diffs',
    local: ['source_branch', 'line_numbers'],
    shape: withLineNumbers
  }),
  custom({
    name: 'get_merge_request_file_diff',
    class: 'read',
    record: 'diff',
    title: 'File diffs',
    summary: 'Get diffs of some files.',
    idempotent: true,
    input: Type.Object({
      ...OneMergeRequest,
      file_paths: Type.Array(Type.String(), { minItems: 1, each: 'path', description: 'Old or new paths' }),
      unidiff: Unidiff,
      line_numbers: LineNumbers
    }),
    lookup: bySourceBranch,
    run: fileDiffs
  }),
  rest({
    name: 'get_branch_diffs',
    class: 'read',
    shows: { commit: 'list_commits', commits: 'list_commits' },
    record: 'comparison',
    title: 'Compare branches',
    summary: 'Compare two branches or commits.',
    input: Type.Object({
      project_id: ProjectId,
      from: revision('Base: branch, tag or SHA'),
      to: revision('Branch, tag or SHA'),
      straight: optional(forgeDefault(false, flag('Two-dot comparison'))),
      excluded_file_patterns: ExcludedFilePatterns
    }),
    request: 'GET /projects/{project_id}/repository/compare',
    local: ['excluded_file_patterns'],
    shape: comparison,
    notice: comparisonNotice
  })
]
