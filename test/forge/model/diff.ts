import type { Files, Snapshot } from '../types.ts'

/** One line of a comparison with its numbers on both sides. */
interface DiffLine {
  sign: ' ' | '+' | '-'
  text: string
  old: number | null
  new: number | null
}

/** One changed file. */
export interface FileChange {
  oldPath: string
  newPath: string
  kind: 'new' | 'deleted' | 'renamed' | 'changed'
  /** The mode before and after; 0 if the file does not exist there. */
  modes: [before: string, after: string]
  lines: DiffLine[]
}

const CONTEXT = 3

const split = (text: string) => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Table of the longest common subsequence. Sandbox files are small enough for the plain algorithm. */
const commonTable = (a: string[], b: string[]) => {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i]!
      row[j] = a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, row[j + 1]!)
    }
  }
  return table
}

/** Compares two texts line by line. */
export const diffLines = (before: string, after: string): DiffLine[] => {
  const a = split(before)
  const b = split(after)
  const table = commonTable(a, b)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i]!, old: ++i, new: ++j })
    } else if (i < a.length && (j >= b.length || table[i + 1]![j]! >= table[i]![j + 1]!)) {
      lines.push({ sign: '-', text: a[i]!, old: ++i, new: null })
    } else {
      lines.push({ sign: '+', text: b[j]!, old: null, new: ++j })
    }
  }
  return lines
}

const hunkRanges = (lines: DiffLine[]) => {
  const ranges: { from: number; to: number }[] = []
  for (const [index, line] of lines.entries()) {
    if (line.sign === ' ') continue
    const from = Math.max(0, index - CONTEXT)
    const to = Math.min(lines.length, index + CONTEXT + 1)
    const last = ranges.at(-1)
    if (last && from <= last.to) last.to = to
    else ranges.push({ from, to })
  }
  return ranges
}

const start = (hunk: DiffLine[], side: 'old' | 'new') => hunk.find(line => line[side] !== null)?.[side] ?? 0

/** The hunks of a comparison in unified form, without a file header, as in the forge's `diff` fields. */
export const unified = (lines: DiffLine[]): string =>
  hunkRanges(lines)
    .map(({ from, to }) => {
      const hunk = lines.slice(from, to)
      const oldCount = hunk.filter(line => line.sign !== '+').length
      const newCount = hunk.filter(line => line.sign !== '-').length
      const body = hunk.map(line => `${line.sign}${line.text}\n`).join('')
      return `@@ -${start(hunk, 'old')},${oldCount} +${start(hunk, 'new')},${newCount} @@\n${body}`
    })
    .join('')

const renameOf = (deleted: string[], before: Files, text: string) =>
  deleted.find(path => before[path] === text)

/** The mode of a file in a snapshot. */
const modeOf = ({ files, modes }: Snapshot, path: string): string =>
  path in files ? (modes?.[path] ?? '100644') : '0'

/** Every file that differs between two snapshots in text or mode. A file that moved unchanged counts as renamed. */
export const changesBetween = (from: Snapshot, to: Snapshot): FileChange[] => {
  const [before, after] = [from.files, to.files]
  const deleted = Object.keys(before).filter(path => !(path in after))
  const renamed = new Map<string, string>()
  for (const [path, text] of Object.entries(after)) {
    const old = path in before ? undefined : renameOf(deleted, before, text)
    if (old !== undefined && ![...renamed.values()].includes(old)) renamed.set(path, old)
  }
  const gone = deleted.filter(path => ![...renamed.values()].includes(path))
  const change = (kind: FileChange['kind'], newPath: string, oldPath = newPath): FileChange => ({
    oldPath,
    newPath,
    kind,
    modes: [modeOf(from, oldPath), modeOf(to, newPath)],
    lines: diffLines(before[oldPath] ?? '', after[newPath] ?? '')
  })
  const changes: FileChange[] = []
  for (const [path, text] of Object.entries(after)) {
    const old = renamed.get(path)
    if (old !== undefined) changes.push(change('renamed', path, old))
    else if (!(path in before)) changes.push(change('new', path))
    else if (before[path] !== text || modeOf(from, path) !== modeOf(to, path))
      changes.push(change('changed', path))
  }
  for (const path of gone) changes.push(change('deleted', path))
  return changes.sort((a, b) => (a.newPath < b.newPath ? -1 : 1))
}
