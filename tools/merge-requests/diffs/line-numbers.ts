import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { flag, optional } from '../../../src/engine/rows/fields.ts'
import { DiffReader } from './diff-lines.ts'

export const LineNumbers = optional(flag())

/** The files of a diff, with line numbers if the call asks for them. */
export function withLineNumbers(files: unknown, { line_numbers: wanted }: Arguments): unknown {
  if (wanted !== true || !Array.isArray(files)) return files
  const reader = new DiffReader()
  return files.map(file => (typeof file?.diff === 'string' ? { ...file, diff: reader.numbered(file) } : file))
}
