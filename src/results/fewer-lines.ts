/*
 * Texts that replace others as a whole and have far fewer lines: a caller who writes back the window that was shown may
 * mean to change only a part. It may also be intended, so the result only has a remark.
 */

/** Fewest removed lines, and smallest fraction of the former lines, for which a remark is made. */
const MIN_LINES = 10
const MIN_PART = 0.25
/** Most lines that are counted; counting delays all other calls. */
const MAX_LINES = 50_000

/** Whether enough lines are gone for a remark. @param left the lines that remain */
export const areMany = (gone: number, left: number): boolean =>
  gone >= MIN_LINES && gone >= MIN_PART * (gone + left)

/** Number of lines of all texts, without blank lines at the end of each; undefined if there are too many to count. */
export function linesOf(texts: readonly string[]): number | undefined {
  let lines = 0
  for (const text of texts) {
    const end = text.trimEnd().length
    lines++
    for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1))
      if (++lines > MAX_LINES) return undefined
  }
  return lines
}

/**
 * The remark on a text that has replaced another one, where Git keeps the old one.
 * @param name of the text, to begin a sentence with
 * @param tool that shows such a text, if there is one
 * @returns a notice; undefined if few lines are gone, or if they cannot be counted
 */
export function fewerLines(name: string, before: string, after: string, tool?: string): string | undefined {
  const [had, has] = [linesOf([before]), linesOf([after])]
  if (had === undefined || has === undefined || !areMany(had - has, has)) return undefined
  return `${name} had ${had} lines, and has ${has}: the whole text was replaced. If that was not meant, its Git history has what was there${tool === undefined ? '' : `; ${tool} without start_line and end_line shows a text whole`}.`
}
