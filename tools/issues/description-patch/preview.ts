import { createTwoFilesPatch } from 'diff'

/** Beyond this many removed and added lines a preview is not read any more, and finding them costs time. */
const MAX_EDITS = 1_000
/** Lines of either text; comparing more takes most of a second. */
const MAX_LINES = 100_000

/** The difference between two texts as a unified diff, or a sentence where that would be too much. */
export function previewOf(current: string, updated: string): string {
  const [before, after] = [current, updated].map(text => text.split('\n').length) as [number, number]
  const patch =
    Math.max(before, after) > MAX_LINES
      ? undefined
      : createTwoFilesPatch('current', 'updated', current, updated, undefined, undefined, {
          context: 3,
          maxEditLength: MAX_EDITS
        })
  return patch ?? `Too much to show: ${before} lines before, ${after} after.`
}
