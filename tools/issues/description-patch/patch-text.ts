import { hasWindowsEnds, withLineFeeds, withWindowsEnds } from '../../../src/engine/texts/line-ends.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { checkCurrent, type Patched } from './patched.ts'
import { applyBlocks } from './search-replace.ts'
import { applyUnifiedDiff } from './unified-diff.ts'

export interface PatchRequest {
  readonly patch_type: 'search_replace' | 'unified_diff'
  readonly patch: string
  /** For search_replace only. */
  readonly allow_multiple?: boolean | undefined
}

/**
 * Applies a patch to a description. CRLF and LF match each other. A text that had CRLF throughout has CRLF again
 * afterwards.
 * @param quotes whether a problem may quote the description: callers who may not read it are shown no line of it
 * @throws CallProblem that says what is wrong with the patch, or that the description is too long; a patch that changes
 * nothing is an error
 */
export function patchText(description: string, request: PatchRequest, quotes = true): Patched {
  checkCurrent(description)
  const current = withLineFeeds(description)
  const patch = withLineFeeds(request.patch)
  const patched =
    request.patch_type === 'search_replace'
      ? applyBlocks(current, patch, request.allow_multiple === true, quotes)
      : applyUnifiedDiff(current, patch, quotes)
  if (patched.text === current) throw new CallProblem('The patch leaves the description as it is.')
  return hasWindowsEnds(description) ? { ...patched, text: withWindowsEnds(patched.text) } : patched
}
