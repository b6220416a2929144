/*
 * Texts that replace others as a whole, and have many fewer lines: who writes back the window that was shown means to
 * change a part. It may be meant, so that it is only said.
 */

/** Fewest lines, and part of the lines that were there, of which it is worth saying that they are gone. */
const FEWEST = 10
const MUCH = 0.25
/** Most lines that are counted, which delays all other calls meanwhile. */
const MOST = 50_000

/** Whether so many lines are gone, of which others are left, that it is worth saying. */
export const areMany = (gone: number, left: number): boolean => gone >= FEWEST && gone >= MUCH * (gone + left)

/** Number of lines of all those texts, without blank ones at the end of each; undefined if they are too many to count. */
export function linesOf(texts: readonly string[]): number | undefined {
  let lines = 0
  for (const text of texts) {
    const end = text.trimEnd().length
    lines++
    for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1))
      if (++lines > MOST) return undefined
  }
  return lines
}

/**
 * What is said of a text once it has replaced another one, that Git keeps.
 * @param name of the text, as a sentence begins with it
 * @param tool that shows such a text, if there is one
 * @returns a notice; undefined if few lines are gone, or they cannot be counted
 */
export function fewerLines(name: string, before: string, after: string, tool?: string): string | undefined {
  const [had, has] = [linesOf([before]), linesOf([after])]
  if (had === undefined || has === undefined || !areMany(had - has, has)) return undefined
  return `${name} had ${had} lines, and has ${has}: the whole text was replaced. If that was not meant, its Git history has what was there${tool === undefined ? '' : `; ${tool} without start_line and end_line shows a text whole`}.`
}
