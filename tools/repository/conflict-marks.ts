import type { Arguments } from '../../src/engine/arguments/values.ts'
import { quotedFew } from '../../src/results/visible.ts'
import { actionsIn, type FileAction } from '../families/files/file-actions.ts'

/** The lines that Git puts around both sides of a conflict, in the order in which they stand. */
const marks = [/^<{7}(?= |\r?$)/m, /^={7}\r?$/m, /^>{7}(?= |\r?$)/m]

/** Whether a text contains the marks of a conflict. The text is read once, however many marks it has. */
function hasConflict(text: string): boolean {
  let rest = text
  return marks.every(mark => {
    const at = rest.search(mark)
    if (at >= 0) rest = rest.slice(at)
    return at >= 0
  })
}

/** How many files a notice names at most. */
const MAX_NAMED = 10

const textsOf = ({ content, encoding, edits = [] }: FileAction): readonly string[] => [
  ...(content === undefined || encoding === 'base64' ? [] : [content]),
  ...edits.map(({ replace }) => replace)
]

/**
 * Names the files whose new content contains conflict marks. It only warns: a file about Git may contain them on
 * purpose.
 */
export const conflictMarks =
  (argument: string) =>
  (_: unknown, args: Arguments): string | undefined => {
    const paths = actionsIn(args, argument)
      .filter(action => textsOf(action).some(hasConflict))
      .map(({ file_path }) => file_path)
    return paths.length === 0
      ? undefined
      : `The marks of a conflict (<<<<<<<, =======, >>>>>>>) are in ${quotedFew(paths, MAX_NAMED)} now: unless they are meant, commit what stands between them resolved.`
  }
