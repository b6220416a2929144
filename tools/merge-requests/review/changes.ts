import { type Fields, recordsIn } from '../../../src/results/is-record.ts'
import { asKey } from '../../../src/results/shortened.ts'
import { type DiffLine, DiffReader } from '../diffs/diff-lines.ts'

/** The files of a merge request as a review shows them. */
export interface Changes {
  readonly files: readonly Fields[]
  /** Paths whose diff did not fit. */
  readonly without: readonly string[]
  /** Finds a line in one of the files, to show threads with their code. */
  readonly lineAt: LineAt
}

/** Finds a line by its file, and its number before or after the change. */
export type LineAt = (path: string, side: 'old' | 'new', line: unknown) => DiffLine | undefined

/**
 * The files with their diffs, as far as they fit.
 * @param diffs a page of the merge request's diffs
 * @param room characters for the diffs, given out in the forge's order
 */
export function changesOf(diffs: unknown, room: number): Changes {
  const files: Fields[] = []
  const without: string[] = []
  const changed = new Map<string, Fields>()
  const reader = new DiffReader()
  let left = room
  for (const file of recordsIn(diffs)) {
    const path = file.new_path
    if (typeof path !== 'string') {
      files.push({ change: changeOf(file), diff_left_out: 'the forge does not say of which file' })
      continue
    }
    changed.set(asKey(path), file)
    const shown = reader.numbered(file)
    const fits = shown.length <= left
    if (fits) left -= shown.length
    else without.push(path)
    files.push({
      path,
      ...(file.old_path !== file.new_path && { old_path: file.old_path }),
      change: changeOf(file),
      ...modeOf(file),
      ...(file.too_large === true || file.collapsed === true
        ? { diff_left_out: 'too large for the forge' }
        : fits
          ? { diff: shown }
          : { diff_left_out: `${shown.length} characters` })
    })
  }
  return {
    files,
    without,
    lineAt(path, side, line) {
      const file = changed.get(asKey(path))
      return file === undefined ? undefined : reader.lineAt(file, side, line)
    }
  }
}

/** The mode of a file that is not ordinary, or that changed. A reviewer has to see which files are executable. */
function modeOf({ a_mode: before, b_mode: after }: Fields): Fields {
  if (typeof before !== 'string' || typeof after !== 'string' || after === NONE) return {}
  if (before !== NONE && before !== after) return { mode: `${before}→${after}` }
  return after === ORDINARY ? {} : { mode: after }
}

/** Modes as Git writes them: of a file that does not exist, and of an ordinary file. */
const NONE = '0'
const ORDINARY = '100644'

function changeOf({ new_file, deleted_file, renamed_file }: Fields): string {
  if (new_file === true) return 'added'
  if (deleted_file === true) return 'deleted'
  return renamed_file === true ? 'renamed' : 'modified'
}
