import { parsePatch } from 'diff'

/** A line of a file's diff, with its numbers before and after the change. */
export interface DiffLine {
  /** `old` for a removed line, `new` for an added one, `both` for an unchanged one. */
  readonly side: 'old' | 'new' | 'both'
  /** Number in the old version; for an added line, that of the next line there. */
  readonly old: number
  /** Number in the new version; for a removed line, that of the next line there. */
  readonly new: number
  /** The text of the line with its sign: a blank, `+` or `-`. */
  readonly text: string
}

const sides = new Map<string | undefined, DiffLine['side']>([
  ['+', 'new'],
  ['-', 'old']
])

type Hunks = readonly (readonly DiffLine[])[]

/** The lines of the old and the new version by number. */
type Numbered = Readonly<Record<'old' | 'new', ReadonlyMap<number, DiffLine>>>

/**
 * Limits for all diffs of one call. Files and lines are as many as in the forge's own largest diffs (diff_max_files,
 * diff_max_lines); characters are limited, too.
 */
const MAX_DIFFS = 3_000
const MAX_LINES = 50_000
const MAX_CHARS = 2_000_000

/**
 * First characters of the lines of a hunk, and of the two header lines before the first hunk. Parsing a text with other
 * lines would only cost time.
 */
const signed = new Set([' ', '+', '-', '\\', '@', '\n'])

/**
 * The sign before a line's number: the number of a removed line is from before the change, all others from after it.
 */
const signs = { old: '-', new: '+', both: '' }

/**
 * Reads the diffs of one call, each once. It does not read lines beyond the limit of a call: a diff of ten megabytes
 * may have millions of lines, and each takes many times more memory than its characters.
 */
export class DiffReader {
  readonly #hunks = new Map<string, Hunks>()
  readonly #numbered = new Map<string, Numbered>()
  #lines = MAX_LINES
  #chars = MAX_CHARS

  /**
   * The hunks of a file.
   * @param diff as the forge has it, with or without file headers
   * @returns an empty list if the diff cannot be read
   */
  linesOf(diff: string): Hunks {
    const known = this.#hunks.get(diff)
    if (known !== undefined) return known
    const hunks = this.#fits(diff) ? hunksIn(diff) : []
    if (this.#hunks.size < MAX_DIFFS) this.#hunks.set(diff, hunks)
    return hunks
  }

  /**
   * The line of a diff with a certain number before or after the change. The lines are indexed once, because there may
   * be thousands of comments on them.
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
   * A diff with the number and sign of each line before it: `14|unchanged` and `+15|added` with the number after the
   * change, `-13|removed` with the one before it. A diff that cannot be read is returned unchanged.
   */
  numbered(diff: string): string {
    // Not by linesOf: a file is shown once, and long diffs of one length would be compared with each other as keys.
    const hunks = this.#fits(diff) ? hunksIn(diff) : []
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

/** The first line with each number. */
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
      // The remark that a file does not end with a newline.
      if (text.startsWith('\\')) continue
      const side = sides.get(text[0]) ?? 'both'
      placed.push({ side, old: before, new: after, text })
      if (side !== 'new') before++
      if (side !== 'old') after++
    }
    return placed
  })
}
