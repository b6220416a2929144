import { formatPatch, type StructuredPatchHunk } from 'diff'
import type { Edit } from './edits.ts'

/** Lines of context around a change. */
const CONTEXT = 3
/** Most removed and added lines in a preview; nobody reads a longer one. */
const MAX_CHANGED = 1_000
/** Most lines of either text that are compared. */
const MAX_LINES = 50_000

/** Lines [from, to) of one text, which correspond to lines [start, end) of the other. */
type Span = { -readonly [K in keyof Edit]: Edit[K] }

/** Writes hunks as a unified diff. */
export const diffOf = (hunks: StructuredPatchHunk[]): string =>
  formatPatch({ oldFileName: 'current', newFileName: 'updated', oldHeader: '', newHeader: '', hunks })

/**
 * The difference between two texts as a unified diff, or a sentence if that would be too much. It is made from the
 * known replacements: the author of two texts could make comparing them arbitrarily slow.
 * @param edits lead from `current` to `updated`; undefined if they were too many to be kept
 */
export function previewOf(current: string, updated: string, edits: readonly Edit[] | undefined): string {
  const counts = [countLines(current), countLines(updated)] as const
  const spans =
    edits === undefined || Math.max(...counts) > MAX_LINES
      ? undefined
      : changedSpans(linesOf(current), linesOf(updated), edits)
  return spans ?? `Too much to show: ${counts[0]} lines before, ${counts[1]} after.`
}

function changedSpans(old: string[], fresh: string[], edits: readonly Edit[]): string | undefined {
  const spans = spansOf(old, fresh, edits).flatMap(span => trimmed(old, fresh, span))
  const changed = spans.reduce((sum, { from, to, start, end }) => sum + to - from + end - start, 0)
  return changed > MAX_CHANGED ? undefined : diffOf(hunksOf(old, fresh, spans))
}

/** The edits as complete lines; two in one line become one. */
function spansOf(old: readonly string[], fresh: readonly string[], edits: readonly Edit[]): Span[] {
  const [before, after] = [new LineFinder(old), new LineFinder(fresh)]
  const spans: Span[] = []
  for (const edit of edits) {
    const [from, start] = [before.lineAt(edit.from), after.lineAt(edit.start)]
    const to = Math.min(before.lineAt(edit.to) + 1, old.length)
    const end = Math.min(after.lineAt(edit.end) + 1, fresh.length)
    const last = spans.at(-1)
    if (last !== undefined && (from < last.to || start < last.end)) Object.assign(last, { to, end })
    else spans.push({ from, to, start, end })
  }
  return spans
}

/** A span without the equal lines at its ends; none if all are equal. */
function trimmed(old: readonly string[], fresh: readonly string[], span: Span): Span[] {
  let { from, to, start, end } = span
  while (from < to && start < end && old[from] === fresh[start]) [from, start] = [from + 1, start + 1]
  while (from < to && start < end && old[to - 1] === fresh[end - 1]) [to, end] = [to - 1, end - 1]
  return from === to && start === end ? [] : [{ from, to, start, end }]
}

/** Changes with their context; those whose contexts touch share a hunk. */
function hunksOf(old: readonly string[], fresh: readonly string[], spans: readonly Span[]) {
  const hunks: StructuredPatchHunk[] = []
  let lines: string[] = []
  for (const [at, { from, to, start, end }] of spans.entries()) {
    const before = spans[at - 1]
    const next = spans[at + 1]
    const isFirst = before === undefined || from - before.to > 2 * CONTEXT
    const isLast = next === undefined || next.from - to > 2 * CONTEXT
    const above = isFirst ? Math.max(0, from - CONTEXT) : from
    const below = isLast ? Math.min(old.length, to + CONTEXT) : next.from
    if (isFirst) {
      lines = []
      const [oldStart, newStart] = [above + 1, start - (from - above) + 1]
      hunks.push({ oldStart, newStart, oldLines: 0, newLines: 0, lines })
    }
    lines.push(...signed(' ', old.slice(above, from)))
    lines.push(...signed('-', old.slice(from, to)), ...signed('+', fresh.slice(start, end)))
    lines.push(...signed(' ', old.slice(to, below)))
    const hunk = hunks.at(-1)!
    hunk.oldLines += below - above
    hunk.newLines += from - above + (end - start) + (below - to)
  }
  return hunks
}

const signed = (sign: string, lines: readonly string[]): string[] =>
  lines.flatMap(line =>
    line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file']
  )

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The lines of a text, each with its newline. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = text.indexOf('\n', from) + 1 || text.length
    lines.push(text.slice(from, to))
    from = to
  }
  return lines
}

/** Finds the lines of ascending places in a text. */
class LineFinder {
  readonly #lines: readonly string[]
  #line = 0
  #start = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /** The line of a place. The end of a text is in its last line, or after it if that ends with a newline. */
  lineAt(place: number): number {
    for (let line = this.#lines[this.#line]; line !== undefined; line = this.#lines[this.#line]) {
      const end = this.#start + line.length
      if (place < end || (place === end && !line.endsWith('\n'))) break
      this.#start = end
      this.#line++
    }
    return this.#line
  }
}
