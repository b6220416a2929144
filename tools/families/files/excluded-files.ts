import { Type } from 'typebox'
import type { ToolContext } from '../../../src/engine/context.ts'
import { ofGlob } from '../../../src/engine/globs.ts'
import { MAX_PATTERN_LENGTH, MAX_PATTERNS } from '../../../src/engine/patterns.ts'
import { optional } from '../../../src/engine/rows/fields.ts'
import { Noted } from '../../../src/engine/rows/noted.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { startOf } from '../../../src/results/shortened.ts'
import { quotedFew, quotedName } from '../../../src/results/visible.ts'
import { MAX_PATH } from './longest-path.ts'

/** The fields of a file in a diff that the filter needs. */
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
 * How many files are matched at most. The forge's own largest diff has fewer. There is a limit because a copy of each
 * path goes to a worker.
 */
const MAX_FILES = 5_000

/** How many excluded files are named at most: enough to see that a pattern matches more than was meant. */
const MAX_TOLD = 5

/**
 * The files whose old and new paths match no pattern, with a notice about those that were left out: without the notice,
 * an empty list would look as if nothing had changed.
 * @param show makes the output from the files that stay
 * @throws CallProblem if there are too many files
 */
export async function withoutExcluded<F extends ChangedFile>(
  files: readonly F[],
  patterns: unknown,
  context: ToolContext,
  show: (files: readonly F[]) => unknown = files => files
): Promise<unknown> {
  if (!Array.isArray(patterns) || patterns.length === 0) return show(files)
  if (files.length > MAX_FILES)
    throw new CallProblem(
      `excluded_file_patterns are tried on ${MAX_FILES} files at most, and there are ${files.length}: leave them out, or page through list_merge_request_diffs.`
    )
  const entries = files.map(file => [pathIn(file?.old_path), pathIn(file?.new_path)])
  const { caller, forge, from } = context
  const matches = await forge.waits(signal =>
    context.patterns.match({ patterns, entries }, { caller, from, signal })
  )
  if (files.length === 0) return show(files)
  const out = files.filter((_, at) => matches[at])
  return new Noted(show(files.filter((_, at) => !matches[at])), saidOf(out, files.length, patterns))
}

function saidOf(out: readonly ChangedFile[], all: number, patterns: readonly unknown[]): string {
  const named =
    out.length === 0 ? '' : `: ${quotedFew(out.slice(0, MAX_TOLD + 1).map(nameOf), MAX_TOLD, quotedName)}`
  const said = `excluded_file_patterns left out ${out.length} of ${all} files${named}.`
  const meant = patterns.flatMap(pattern => {
    const expression = ofGlob(String(pattern))
    return expression === undefined ? [] : [`${quotedName(pattern)} means ${expression} if it is a glob`]
  })
  return meant.length === 0 ? said : `${said} They are regular expressions: ${meant.join(', ')}.`
}

/** The name of a file, cut if it is longer than any real path: each name is part of a sentence. */
const nameOf = (file: ChangedFile): string =>
  startOf(pathIn(file?.new_path) || pathIn(file?.old_path), MAX_NAMED)
const MAX_NAMED = 200

/**
 * The path if it is a string, otherwise an empty text. A value of another type would end the worker that matches
 * patterns for all callers, and a very long path would hold it up.
 */
const pathIn = (path: unknown): string => (typeof path === 'string' && path.length <= MAX_PATH ? path : '')
