import { Type } from 'typebox'
import type { ToolContext } from '../../../src/engine/context.ts'
import { MAX_PATTERN_LENGTH, MAX_PATTERNS } from '../../../src/engine/patterns.ts'
import { optional } from '../../../src/engine/rows/fields.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { MAX_PATH } from './longest-path.ts'

/** The parts of a diff's file that the filter needs. */
export interface ChangedFile {
  old_path?: string
  new_path?: string
}

export const ExcludedFilePatterns = optional(
  Type.Array(Type.String({ maxLength: MAX_PATTERN_LENGTH }), {
    maxItems: MAX_PATTERNS
  })
)

/**
 * Most files whose paths are matched, more than the forge's own largest diff has: a copy of each path goes to a worker.
 */
const MOST_FILES = 5_000

/** The files whose old and new paths match no pattern. @throws CallProblem if there are too many */
export async function withoutExcluded<F extends ChangedFile>(
  files: readonly F[],
  patterns: unknown,
  context: ToolContext
) {
  if (!Array.isArray(patterns) || patterns.length === 0) return files
  if (files.length > MOST_FILES)
    throw new CallProblem(
      `excluded_file_patterns are tried on ${MOST_FILES} files at most, and there are ${files.length}: leave them out, or page through list_merge_request_diffs.`
    )
  const entries = files.map(file => [pathIn(file?.old_path), pathIn(file?.new_path)])
  const { caller, forge, from } = context
  const matches = await forge.waits(signal =>
    context.patterns.match({ patterns, entries }, { caller, from, signal })
  )
  return files.filter((_, at) => !matches[at])
}

/**
 * The path as text: any other type would end the worker that matches the patterns of all callers, and a very long one
 * would hold it up.
 */
const pathIn = (path: unknown): string => (typeof path === 'string' && path.length <= MAX_PATH ? path : '')
