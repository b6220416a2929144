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

/** The lines of the old and the new version by number (keyOf). */
type Numbered = Readonly<Record<'old' | 'new', ReadonlyMap<string, DiffLine>>>

/** A changed file as the forge has it; its diff with or without file headers. */
interface WithDiff {
  readonly diff?: unknown
}

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
  /** By file: diffs of one length and beginning would be compared with each other as keys. */
  readonly #hunks = new Map<WithDiff, Hunks>()
  readonly #numbered = new Map<WithDiff, Numbered>()
  #lines = MAX_LINES
  #chars = MAX_CHARS

  /**
   * The hunks of a file.
   * @returns an empty list if its diff cannot be read
   */
  linesOf(file: WithDiff): Hunks {
    const known = this.#hunks.get(file)
    if (known !== undefined) return known
    const diff = diffIn(file)
    const hunks = this.#fits(diff) ? hunksIn(diff) : []
    if (this.#hunks.size < MAX_DIFFS) this.#hunks.set(file, hunks)
    return hunks
  }

  /**
   * The line of a file's diff with a certain number before or after the change. The lines are indexed once, because
   * there may be thousands of comments on them.
   */
  lineAt(file: WithDiff, side: 'old' | 'new', line: unknown): DiffLine | undefined {
    let numbered = this.#numbered.get(file)
    if (numbered === undefined) {
      const lines = this.linesOf(file).flat()
      numbered = { old: byNumber(lines, 'old'), new: byNumber(lines, 'new') }
      this.#numbered.set(file, numbered)
    }
    return typeof line === 'number' ? numbered[side].get(keyOf(line)) : undefined
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
   * The diff of a file with the number and sign of each line before it: `14|unchanged` and `+15|added` with the number
   * after the change, `-13|removed` with the one before it. A diff that cannot be read is returned unchanged.
   */
  numbered(file: WithDiff): string {
    const hunks = this.linesOf(file)
    if (hunks.length === 0) return diffIn(file)
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

const diffIn = ({ diff }: WithDiff): string => (typeof diff === 'string' ? diff : '')

/** A number as a key. V8's hash of numbers has no seed, so that a forge could send any count of numbers with one hash. */
const keyOf = (line: number): string => `:${line}`

/** The first line with each number. */
function byNumber(lines: readonly DiffLine[], side: 'old' | 'new'): ReadonlyMap<string, DiffLine> {
  const found = new Map<string, DiffLine>()
  for (const line of lines) {
    const key = keyOf(line[side])
    if ((line.side === side || line.side === 'both') && !found.has(key)) found.set(key, line)
  }
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
