import type { Arguments } from '../../src/engine/checks.ts'
import { CallProblem } from '../../src/engine/problem.ts'

/** The forge takes either name for yes, so a yes and a no together would merge. @throws CallProblem */
export function oneAutoMerge({ auto_merge: now, merge_when_pipeline_succeeds: older }: Arguments): void {
  if (now !== undefined && older !== undefined && now !== older)
    throw new CallProblem(
      "'auto_merge' and 'merge_when_pipeline_succeeds' contradict each other: give only auto_merge."
    )
}

/**
 * Forges before 17.11 do not know auto_merge, drop it without a word and merge at once; so both names go
 * (GitLab's merge requests API). Nothing else is sent that the caller did not give.
 */
export const autoMergeByBothNames = (args: Arguments): Record<string, unknown> =>
  args.auto_merge === true ? { ...args, merge_when_pipeline_succeeds: true } : { ...args }

/** A scheduled merge answers 200 like a done one. @param value the merge request after the call */
export function notMergedYet(value: unknown): string | undefined {
  const { state } = (value ?? {}) as { state?: unknown }
  return state === 'merged' || state === undefined
    ? undefined
    : `Not merged yet (state ${state}): get_merge_request shows how it goes on.`
}
