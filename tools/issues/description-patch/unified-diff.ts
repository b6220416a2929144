import { applyPatch, parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff'
import { CallProblem } from '../../../src/results/problem.ts'
import { checkLength, type Patched, summaryOf } from './patched.ts'
import { placeHunks } from './place-hunks.ts'
import { diffOf } from './preview.ts'

/** Most lines of a description in which hunks are placed. */
const MAX_LINES = 50_000

/**
 * Applies a unified diff. Its line numbers may be wrong: a hunk goes to the place nearest to its number that has all
 * its old lines, and hunks keep their order. File headers are optional.
 * @param text with LF line ends
 * @param patch with LF line ends
 * @param quotes whether a problem may quote a line of the text
 * @throws CallProblem when the patch is malformed or a hunk fits nowhere
 */
export function applyUnifiedDiff(text: string, patch: string, quotes: boolean): Patched {
  const file = parseFile(patch)
  const lines = text.split('\n', MAX_LINES + 1)
  if (lines.length > MAX_LINES)
    throw new CallProblem(
      `The description has more than ${MAX_LINES} lines: use patch_type search_replace for such a text.`
    )
  const starts = placeHunks(lines, file.hunks, quotes)
  // By itself, the library would apply a hunk without old lines beyond the end of the text, or one hunk over another.
  // So each hunk gets its place as its line number, and the library finds it there.
  const hunks = file.hunks.map((hunk, at) => ({ ...hunk, oldStart: starts[at]! + 1 }))
  const mismatch = newlineMismatch(text)
  const result = applyPatch(
    text,
    { ...file, hunks },
    {
      autoConvertLineEndings: false,
      compareLine: (_number, line, _operation, wanted) => {
        if (line !== wanted) throw mismatch
        return true
      }
    }
  )
  if (result === false) throw mismatch
  checkLength(result.length, text)
  const counts = hunks.map(({ lines }) => [countOf(lines, '-'), countOf(lines, '+')] as const)
  return {
    text: result,
    changes: counts.reduce((sum, [removed, added]) => sum + removed + added, 0),
    summary: summaryOf(
      counts.map(([removed, added], at) => `Line ${hunks[at]!.oldStart}: -${removed} +${added}`)
    ),
    preview: () => diffOf(renumbered(hunks))
  }
}

/** The hunks with their starts in the new text, which follow from those in the old text. */
function renumbered(hunks: readonly StructuredPatchHunk[]): StructuredPatchHunk[] {
  let grown = 0
  return hunks.map(hunk => {
    const newStart = hunk.oldStart + grown
    grown += hunk.newLines - hunk.oldLines
    return { ...hunk, newStart }
  })
}

/** When every hunk has its place, only the end of the text can still differ. */
const newlineMismatch = (text: string) =>
  new CallProblem(
    `The patch's "\\ No newline at end of file" does not agree with the description, which ends ${text.endsWith('\n') ? 'with' : 'without'} a newline. Leave that line out.`
  )

/**
 * Parses a patch that has one file section.
 * @throws CallProblem
 */
function parseFile(patch: string): StructuredPatch {
  let files: StructuredPatch[]
  try {
    files = parsePatch(patch)
  } catch (error) {
    const why = (error as Error).message.slice(0, 200)
    throw new CallProblem(
      `The patch is not a valid unified diff (${why}). Check the counts in its @@ lines, or use patch_type search_replace.`
    )
  }
  const filled = files.filter(({ hunks }) => hunks.length > 0)
  if (filled.length > 1)
    throw new CallProblem('The patch is for several files; a description is one text. Send one section.')
  const [file] = filled
  if (file === undefined || file.hunks.some(hunk => !isReadable(hunk)))
    throw new CallProblem(
      'The patch has no hunk: it needs a line such as @@ -3,2 +3,3 @@ before lines that begin with a space, - or +.'
    )
  return file
}

/** Whether a hunk was parsed completely. A header such as `@@ @@` gives a hunk without numbers. */
const isReadable = ({ oldStart, lines }: StructuredPatchHunk): boolean =>
  Number.isSafeInteger(oldStart) && lines.length > 0

const countOf = (lines: readonly string[], sign: string): number =>
  lines.filter(line => line.startsWith(sign)).length
