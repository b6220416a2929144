import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { metadataOf } from '../../../src/engine/facts/metadata.ts'
import { CallProblem } from '../../../src/results/problem.ts'

/** The first release that accepts a review's state and summary. */
const SINCE = [19, 2] as const
const review = ['reviewer_state', 'note', 'internal'] as const

/**
 * Checks the forge's release before a review is published. An older forge silently drops a review's state and summary,
 * but publishes the drafts.
 * @param called the names that the caller's tool has for these arguments, where they differ
 * @throws CallProblem if the forge is known to be older
 */
export async function publishedAsReview(
  args: Arguments,
  context: ToolContext,
  called: Readonly<Record<string, string>> = {}
): Promise<Arguments> {
  const given = review.filter(name => args[name] !== undefined).map(name => called[name] ?? name)
  if (given.length === 0) return args
  const version = (await metadataOf(context))?.version
  if (version !== undefined && isOlder(version))
    throw new CallProblem(
      `This forge is GitLab ${version}, and takes ${given.join(', ')} from ${SINCE.join('.')} on. Nothing was published: call without, and say it in a comment.`
    )
  return args
}

/** Whether a summary can be sent with the drafts. A forge that does not tell its release is assumed to be recent. */
export async function takesSummary(context: ToolContext): Promise<boolean> {
  const version = (await metadataOf(context))?.version
  return version === undefined || !isOlder(version)
}

function isOlder(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined) return false
  return Number(major) < SINCE[0] || (Number(major) === SINCE[0] && Number(minor) < SINCE[1])
}
