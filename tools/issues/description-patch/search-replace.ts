import { withLineFeeds } from '../../../src/engine/texts/line-ends.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { saidOfMissing } from '../../families/files/not-there.ts'
import { type Effort, occurrences, passOver, searchEffort, spend } from '../../families/files/occurrences.ts'
import { type Block, parseBlocks } from './blocks.ts'
import { type Edit, withReplaced } from './edits.ts'
import { checkLength, excerpt, type Patched, summaryOf } from './patched.ts'
import { previewOf } from './preview.ts'

/** Most replaced parts that are recorded for a preview. */
const MAX_EDITS = 1_000

/** One block as applied to the text: the search text, its replacement, and the places. */
interface Replacement {
  readonly search: string
  readonly replacement: string
  readonly at: readonly number[]
}

/**
 * Applies search and replace blocks in order, each to the result of the one before. Texts match literally, including
 * case and white space.
 * @param text with LF line ends
 * @param patch with LF line ends
 * @param allowMultiple replace every match; otherwise several matches are refused
 * @param quotes whether a problem may quote a line of the text
 * @throws CallProblem that names the block that cannot be applied; then none counts as applied
 */
export function applyBlocks(text: string, patch: string, allowMultiple: boolean, quotes: boolean): Patched {
  const effort = searchEffort('send fewer blocks at a time, or use patch_type unified_diff')
  const lines: string[] = []
  let result = text
  let changes = 0
  let edits: readonly Edit[] | undefined = []
  const blocks = parseBlocks(patch)
  // Checked before the text is searched: a block that changes nothing would only reveal whether its search text is
  // there.
  for (const [index, block] of blocks.entries()) refuseSame(block, index + 1)
  for (const [index, block] of blocks.entries()) {
    const found = settle(block, index + 1, result, quotes, effort)
    const { search, replacement, at } = found
    if (at.length > 1 && !allowMultiple)
      throw new CallProblem(
        `Block ${index + 1}: its search text is in the description ${at.length} times. Take more lines into it until it is unique, or set allow_multiple.`
      )
    spend(effort, passOver(result))
    result = replaceAt(result, found)
    changes += at.length
    edits = kept(edits, found)
    lines.push(`${index + 1}. ${at.length} × ${excerpt(search)} → ${excerpt(replacement)}`)
  }
  return { text: result, changes, summary: summaryOf(lines), preview: () => previewOf(text, result, edits) }
}

/** The edits with one more replacement, unless they become too many to be shown. */
function kept(edits: readonly Edit[] | undefined, { search, replacement, at }: Replacement) {
  if (edits === undefined || at.length > MAX_EDITS) return undefined
  const more = withReplaced(edits, at, search.length, replacement.length)
  return more.length > MAX_EDITS ? undefined : more
}

/**
 * Finds the reading of a block whose search text is in the text.
 * @param number number of the block, from 1
 */
function settle(block: Block, number: number, text: string, quotes: boolean, effort: Effort): Replacement {
  const readings = block.readings.filter(([search]) => search !== '')
  if (readings.length === 0)
    throw new CallProblem(
      `Block ${number}: its search text is empty. To write into an empty description use update_issue.`
    )
  const found = readings
    .map(([search, replacement]) => ({ search, replacement, at: occurrences(text, search, effort) }))
    .filter(({ at }) => at.length > 0)
  if (found.length > 1)
    throw new CallProblem(
      `Block ${number} can be read in ${found.length} ways, because its text has lines of seven equals signs: use patch_type unified_diff.`
    )
  const [only] = found
  if (only !== undefined) return only
  const where = `the description${number > 1 ? ' as the blocks before leave it' : ''}`
  const there = {
    where,
    noun: 'issue',
    argument: 'patch',
    nothing: 'Nothing was written',
    quotes,
    inItsEnds: withLineFeeds
  } as const
  throw new CallProblem(
    `Block ${number}: its search text ${saidOfMissing(readings[0]![0], text, there, effort)}`
  )
}

/**
 * Refuses a block that replaces a text by itself in every reading.
 * @param number number of the block, from 1
 * @throws CallProblem
 */
function refuseSame({ readings }: Block, number: number): void {
  if (readings.every(([search, replacement]) => search === replacement && search !== ''))
    throw new CallProblem(`Block ${number} replaces its search text by the same text.`)
}

function replaceAt(text: string, { search, replacement, at }: Replacement): string {
  checkLength(text.length + at.length * (replacement.length - search.length), text)
  const pieces: string[] = []
  let from = 0
  for (const start of at) {
    pieces.push(text.slice(from, start))
    from = start + search.length
  }
  pieces.push(text.slice(from))
  return pieces.join(replacement)
}
