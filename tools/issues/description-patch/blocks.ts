import { CallProblem } from '../../../src/results/problem.ts'

/*
 * The block format of patch_type search_replace: a line `<<<<<<< SEARCH`, the text to find, a line `=======`, the
 * replacement, a line `>>>>>>> REPLACE`. Markers must be complete lines, so that a heading underlined with `====` is
 * text; anything outside blocks is ignored.
 */

export interface Block {
  /**
   * Possible readings of the block as [search text, replacement], one for each line that may be the separator: there
   * are several if the text itself has a line of seven equals signs.
   */
  readonly readings: readonly (readonly [search: string, replacement: string])[]
}

/** Most separator lines in a block; one with more is refused, as each adds a reading. */
const MAX_SEPARATORS = 8

const opening = /^<{7} SEARCH[ \t]*$/
const separator = /^={7}[ \t]*$/
const closing = /^>{7} REPLACE[ \t]*$/

/**
 * Parses the blocks of a patch. One trailing newline of each side belongs to the marker after it.
 * @param patch with LF line ends
 * @throws CallProblem when there is no block, or a marker is missing or misplaced
 */
export function parseBlocks(patch: string): Block[] {
  const blocks: Block[] = []
  let opened = -1
  const lines = patch.split('\n')
  for (const [at, line] of lines.entries()) {
    const opens = opening.test(line)
    if (opens ? opened >= 0 : closing.test(line) && opened < 0) throw misplaced(lines, line, at)
    if (opens) opened = at
    else if (opened >= 0 && closing.test(line)) {
      blocks.push({ readings: readingsOf(lines.slice(opened + 1, at), opened + 1) })
      opened = -1
    }
  }
  if (opened >= 0) throw misplaced(lines, lines[opened]!, opened)
  if (blocks.length === 0)
    throw new CallProblem(
      'The patch has no block. A block is these lines: <<<<<<< SEARCH, text of the description, =======, the new text, >>>>>>> REPLACE.'
    )
  return blocks
}

/** @param line number of the opening marker in the patch, from 1 */
function readingsOf(lines: readonly string[], line: number): Block['readings'] {
  const cuts = [...lines.keys()].filter(at => separator.test(lines[at]!))
  if (cuts.length === 0) throw new CallProblem(`The block at line ${line} of the patch has no ======= line.`)
  if (cuts.length > MAX_SEPARATORS)
    throw new CallProblem(
      `The block at line ${line} of the patch has ${cuts.length} ======= lines: use patch_type unified_diff for such a text.`
    )
  return cuts.map(at => [lines.slice(0, at).join('\n'), lines.slice(at + 1).join('\n')])
}

function misplaced(lines: readonly string[], marker: string, at: number): CallProblem {
  const count = (pattern: RegExp) => lines.filter(line => pattern.test(line)).length
  return new CallProblem(
    `Line ${at + 1} of the patch, ${marker.trim()}, has no counterpart: the patch has ${count(opening)} SEARCH and ${count(closing)} REPLACE markers, which must alternate.`
  )
}
