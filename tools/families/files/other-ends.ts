import { withLineFeeds } from '../../../src/engine/texts/line-ends.ts'
import { afterNewlines, newlinesIn } from '../../../src/results/newlines.ts'
import { type Effort, occurrences, passOver, spend } from './occurrences.ts'

/** Longer texts are not searched with other line ends: such a search copies them, in a millisecond or two. */
const MAX_CHARS = 200_000

/**
 * Finds a text that is in another one but for its line ends: where some lines end with CRLF and others with LF, nobody
 * sees which.
 * @returns the first such place, with the line ends that it has; undefined if there is none, or if the text is long
 * @throws CallProblem when the effort is used up
 */
export function withOtherEnds(find: string, text: string, effort: Effort): string | undefined {
  if (text.length > MAX_CHARS || !find.includes('\n') || ![text, find].some(one => one.includes('\r\n')))
    return undefined
  spend(effort, passOver(text))
  const [plain, wanted] = [withLineFeeds(text), withLineFeeds(find)]
  const [at] = occurrences(plain, wanted, effort)
  if (at === undefined) return undefined
  const above = newlinesIn(plain, 0, at)
  const start = afterNewlines(text, above) + at - afterNewlines(plain, above)
  let end = start
  for (const unit of wanted) end += unit === '\n' && text.startsWith('\r\n', end) ? 2 : unit.length
  return text.slice(start, end)
}
