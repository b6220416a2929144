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

/** A file's hunks. @param diff as the forge gives it, with or without file headers @returns none for one it cannot read */
export function linesOf(diff: string): readonly (readonly DiffLine[])[] {
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

/** What stands before a line's number: a removed line's is one of before the change, and no other line's. */
const signs = { old: '-', new: '+', both: '' }

/**
 * A diff with each line's number and sign before it: `14|unchanged`, `+15|added` by the line after the change, and
 * `-13|removed` by the one before it. What cannot be read stays as it is.
 */
export function numbered(diff: string): string {
  const hunks = linesOf(diff)
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
