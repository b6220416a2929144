import type { Arguments } from '../../src/engine/checks.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { CallProblem } from '../../src/engine/problem.ts'
import { recordOf } from '../../src/engine/record.ts'
import { placeOf } from '../../src/engine/template.ts'
import { quoted } from '../../src/results/visible.ts'

/** A commit's name as it is shown: the forge compares whole ones, and takes any other for another commit. */
const short = /^[0-9a-f]{7,39}$/i

/** The head, if it is the commit that was reviewed, by its whole name or its beginning. */
export const headIfReviewed = (head: unknown, reviewed: string): string | undefined =>
  typeof head === 'string' &&
  (head === reviewed || (short.test(reviewed) && head.startsWith(reviewed.toLowerCase())))
    ? head
    : undefined

/**
 * Gives `sha` its whole length where it is the beginning of the head's; a whole one is left for the forge to compare.
 * @throws CallProblem where it begins another commit; what reading the merge request throws
 */
export async function withWholeSha<Args extends Arguments>(
  args: Args,
  { forge }: Pick<ToolContext, 'forge'>
): Promise<Args> {
  const { sha } = args
  if (typeof sha !== 'string' || !short.test(sha)) return args
  const place = placeOf('GET /projects/{project_id}/merge_requests/{merge_request_iid}', args)
  const head = recordOf((await forge.send({ method: 'GET', ...place })).value).sha
  const whole = headIfReviewed(head, sha)
  if (whole === undefined)
    throw new CallProblem(
      `The head is ${quoted(String(head))} and not ${sha}: review what is new. Nothing was done.`
    )
  return { ...args, sha: whole }
}
