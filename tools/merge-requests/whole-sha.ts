import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { text } from '../../src/engine/rows/fields.ts'
import { isRecord } from '../../src/results/is-record.ts'

/** An abbreviated SHA: the forge compares full ones, and takes any other for another commit. */
const short = /^[0-9a-f]{7,39}$/i

/**
 * The head that a call expects. Whatever it is, the forge compares it; an empty one is refused rather than left out, as
 * what nobody reviewed would be merged.
 */
export const headSha = (description: string) => ({
  ...text(description),
  pattern: '\\S',
  problem: 'must be the sha of the head you reviewed, and is empty: left out, any head will do'
})

/** The head, if it is the commit that was reviewed, given by its full SHA or the beginning of it. */
export const headIfReviewed = (head: unknown, reviewed: string): string | undefined =>
  typeof head === 'string' &&
  (head === reviewed || (short.test(reviewed) && head.startsWith(reviewed.toLowerCase())))
    ? head
    : undefined

/**
 * Gives `sha` its whole length where it is the beginning of the head's. Any other is left for the forge to compare, as
 * it stands: the forge refuses what is not the head, and a head that cannot be read here is no reason to.
 */
export async function withWholeSha<Args extends Arguments>(
  args: Args,
  { forge }: Pick<ToolContext, 'forge'>
): Promise<Args> {
  const { sha } = args
  if (typeof sha !== 'string' || !short.test(sha)) return args
  const request = requestTo('GET /projects/{project_id}/merge_requests/{merge_request_iid}', args)
  const read = await forge.send(request).catch(() => undefined)
  const whole = isRecord(read?.value) ? headIfReviewed(read.value.sha, sha) : undefined
  return whole === undefined ? args : { ...args, sha: whole }
}
