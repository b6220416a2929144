import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { listIn, recordOf } from '../../../src/engine/requests/record.ts'
import { isEmptyList } from '../../../src/results/is-record.ts'
import { type ChangedFile, withoutExcluded } from '../../families/files/excluded-files.ts'

/** A diff entry without its text. The modes are kept: nothing else shows that only a file's mode changed. */
export function pathsOnly(entry: Record<string, unknown>): Record<string, unknown> {
  const { old_path, new_path, new_file, deleted_file, renamed_file, a_mode, b_mode } = entry
  return { old_path, new_path, new_file, deleted_file, renamed_file, a_mode, b_mode }
}

/**
 * The notice that a forge left diffs out.
 * @param value the forge's answer to /changes
 */
export const overflowNotice = (value: unknown): string | undefined =>
  recordOf(value).overflow === true
    ? 'The forge left diffs out because there are too many: page through list_merge_request_diffs.'
    : undefined

/** A comparison without the diffs of excluded files. */
export const comparison = (
  value: unknown,
  { excluded_file_patterns: patterns }: Arguments,
  context: ToolContext
) =>
  withoutExcluded(listIn<ChangedFile>(value, 'diffs'), patterns, context, diffs => ({
    ...recordOf(value),
    diffs
  }))

/**
 * The notice about an incomplete or empty comparison.
 * @param value the forge's answer to /repository/compare
 */
export const comparisonNotice = (value: unknown): string | undefined => {
  const { commits, diffs, compare_timeout: isCut } = recordOf(value)
  if (isCut === true) return 'The forge ran out of time over this comparison: its diffs are not complete.'
  return isEmptyList(commits) && isEmptyList(diffs)
    ? 'to has nothing that from lacks; the other way round there may be something.'
    : undefined
}
