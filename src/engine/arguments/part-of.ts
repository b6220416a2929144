import { withLineFeeds } from './line-ends.ts'

/** Which part of a text another one is. */
export interface Part {
  readonly is: 'beginning' | 'end'
  /** Number of lines that it leaves out. */
  readonly lines: number
  /** The first line that it leaves out, from 1. */
  readonly from: number
}

/**
 * Whether a text is the beginning or the end of another one, by whole lines, as a window of lines shows it. White space
 * at its ends does not count, nor how lines end.
 * @returns undefined if it is neither, or leaves out nothing but white space
 */
export function partOf(text: string, whole: string): Part | undefined {
  if (text.length >= whole.length) return undefined
  const [part, all] = [text, whole].map(text => withLineFeeds(text).trim()) as [string, string]
  if (part === '' || part.length >= all.length) return undefined
  // Lines are counted with the blank ones before the text.
  const before = linesOf(whole.slice(0, whole.length - whole.trimStart().length))
  if (all.startsWith(part) && all[part.length] === '\n') {
    const from = before + linesOf(part) + 2
    return { is: 'beginning', lines: linesOf(all.slice(part.length + 1)) + 1, from }
  }
  if (all.endsWith(part) && all.at(-part.length - 1) === '\n')
    return { is: 'end', lines: before + linesOf(all.slice(0, -part.length)), from: 1 }
  return undefined
}

/** Number of line breaks. */
function linesOf(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
