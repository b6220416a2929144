import { parsePatch } from 'diff'

/** A line of a file's diff, with its place before and after the change. */
export interface DiffLine {
  /** Of the old version where it was removed, of the new one where it was added, of both where it is unchanged. */
  readonly side: 'old' | 'new' | 'both'
  /** Line of the old version; for an added line the one that would come next there. */
  readonly old: number
  /** Line of the new version; for a removed line the one that would come next there. */
  readonly new: number
  /** With its sign: a blank, `+` or `-`. */
  readonly text: string
}

const sides = new Map<string | undefined, DiffLine['side']>([
  ['+', 'new'],
  ['-', 'old']
])

type Hunks = readonly (readonly DiffLine[])[]

/** Lines by their numbers, of each version those that it has. */
type Numbered = Readonly<Record<'old' | 'new', ReadonlyMap<number, DiffLine>>>

/**
 * Of all diffs that one call looks at: as many, and lines as many, as the forge's own largest have (diff_max_files,
 * diff_max_lines), and characters.
 */
const MAX_DIFFS = 3_000
const MAX_LINES = 50_000
const MAX_CHARS = 2_000_000

/** What a line of a hunk begins with, or of the two before the first one. Whatever else a patch may have costs to read. */
const signed = new Set([' ', '+', '-', '\\', '@', '\n'])

/** What stands before a line's number: a removed line's is one of before the change, and no other line's. */
const signs = { old: '-', new: '+', both: '' }

/**
 * Reads the diffs of one call, each once. What goes beyond the lines of a call is not read: a diff of ten megabytes may
 * have millions, of which each takes many times its characters.
 */
export class DiffReader {
  readonly #hunks = new Map<string, Hunks>()
  readonly #numbered = new Map<string, Numbered>()
  #lines = MAX_LINES
  #chars = MAX_CHARS

  /** A file's hunks. @param diff as the forge gives it, with or without file headers @returns none for one it cannot read */
  linesOf(diff: string): Hunks {
    const known = this.#hunks.get(diff)
    if (known !== undefined) return known
    const hunks = this.#fits(diff) ? hunksIn(diff) : []
    if (this.#hunks.size < MAX_DIFFS) this.#hunks.set(diff, hunks)
    return hunks
  }

  /**
   * The line of a diff that has a number before or after the change. The lines are looked through once: comments on them
   * may be thousands.
   */
  lineAt(diff: string, side: 'old' | 'new', line: unknown): DiffLine | undefined {
    let numbered = this.#numbered.get(diff)
    if (numbered === undefined) {
      const lines = this.linesOf(diff).flat()
      numbered = { old: byNumber(lines, 'old'), new: byNumber(lines, 'new') }
      this.#numbered.set(diff, numbered)
    }
    return numbered[side].get(line as number)
  }

  #fits(diff: string): boolean {
    if (diff.length > this.#chars || this.#hunks.size >= MAX_DIFFS) return false
    this.#chars -= diff.length
    for (let at = 0; at < diff.length; ) {
      if (this.#lines === 0 || !signed.has(diff[at]!)) return false
      this.#lines--
      const newline = diff.indexOf('\n', at)
      at = newline < 0 ? diff.length : newline + 1
    }
    return true
  }

  /**
   * A diff with each line's number and sign before it: `14|unchanged`, `+15|added` by the line after the change, and
   * `-13|removed` by the one before it. What cannot be read stays as it is.
   */
  numbered(diff: string): string {
    const hunks = this.linesOf(diff)
    if (hunks.length === 0) return diff
    return hunks
      .map(lines =>
        lines
          .map(
            ({ side, old, new: now, text }) => `${signs[side]}${side === 'old' ? old : now}|${text.slice(1)}`
          )
          .join('\n')
      )
      .join('\n...\n')
  }
}

/** The first of each number. */
function byNumber(lines: readonly DiffLine[], side: 'old' | 'new'): ReadonlyMap<number, DiffLine> {
  const found = new Map<number, DiffLine>()
  for (const line of lines)
    if ((line.side === side || line.side === 'both') && !found.has(line[side])) found.set(line[side], line)
  return found
}

function hunksIn(diff: string): Hunks {
  let hunks: ReturnType<typeof parsePatch>[number]['hunks']
  try {
    hunks = parsePatch(diff).flatMap(file => file.hunks)
  } catch {
    return []
  }
  return hunks.map(({ oldStart, newStart, lines }) => {
    let [before, after] = [oldStart, newStart]
    const placed: DiffLine[] = []
    for (const text of lines) {
      // The remark that a file ends without a newline.
      if (text.startsWith('\\')) continue
      const side = sides.get(text[0]) ?? 'both'
      placed.push({ side, old: before, new: after, text })
      if (side !== 'new') before++
      if (side !== 'old') after++
    }
    return placed
  })
}
